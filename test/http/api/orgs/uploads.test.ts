// Data of Uptime Kuma comes over the API in pieces, and its past is read on the server.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { mintKey, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { makeKuma } from '../../../support/kuma-database.ts'
import { shopOfKuma } from '../../../support/kuma-shop.ts'
import { testFolder } from '../../../support/test-folder.ts'

const dayMs = 86_400_000

/** The shop, with two days of its past. */
function database(t: Test, nowMs: number): Buffer {
  const path = join(testFolder(t), 'kuma.db')
  const stat = (id: number, days: number) => {
    const timestamp = Math.floor((nowMs - days * dayMs) / dayMs) * 86_400
    return {
      id,
      monitor_id: 2,
      timestamp,
      up: 1_430,
      down: 10,
      ping: 20,
      ping_min: 1,
      ping_max: 90,
    }
  }
  makeKuma(path, '2.5', { ...shopOfKuma, stat_daily: [stat(1, 1), stat(2, 2)] })
  return readFileSync(path)
}

async function world(t: Test) {
  const daemon = await startDaemon(t)
  const alice = await register(daemon, 'alice')
  const key = await mintKey(daemon, alice)
  const at = `/api/v1${alice.org}`
  async function send(method: string, path: string, body: Buffer) {
    const headers = { 'x-api-key': key, 'content-type': 'application/octet-stream' }
    const init = { method, headers, body: new Uint8Array(body) }
    const response = await fetch(`${daemon.url}${at}/import/uploads${path}`, init)
    // What the API answers, as `ask` has it.
    const json = JSON.parse(await response.text())
    return { status: response.status, json }
  }
  const ask = (method: string, path: string, json?: object) =>
    daemon.ask(method, `${at}${path}`, { key, ...(json ? { json } : {}) })
  return { daemon, ask, send }
}

t.test('a database comes in pieces, becomes monitors, and brings its past', async (t) => {
  const { ask, send } = await world(t)
  const file = database(t, Date.now())
  const half = Math.floor(file.length / 2)
  const begun = await send('POST', `?bytes=${file.length}`, file.subarray(0, half))
  t.match(begun.json.data, { kind: 'database', receivedBytes: half, totalBytes: file.length })
  const { uploadId } = begun.json.data
  const place = `/import/uploads/${uploadId}`
  t.match(await ask('POST', `${place}/convert`), { status: 409 }, 'half of it is not converted')
  const later = await send('PUT', `/${uploadId}?from=${half + 1}`, file.subarray(half + 1))
  t.match(later, { status: 400, json: { detail: `from must be ${half}, what is there already` } })
  for (const what of ['the rest', 'the same again']) {
    const { json } = await send('PUT', `/${uploadId}?from=${half}`, file.subarray(half))
    t.equal(json.data.receivedBytes, file.length, what)
  }
  const { json: converted } = await ask('POST', `${place}/convert`)
  const { document } = converted.data
  t.match(document.source, { product: 'kuma', installation: /^[0-9a-f+]+$/ })
  t.notOk(JSON.stringify(converted).includes(uploadId), 'nobody is told where it lies')
  const { json: made } = await ask('POST', '/import?leavesOut=true', document)
  t.equal(made.data.monitors, document.monitors.length)
  const { importId } = made.data
  t.match(await ask('POST', `${place}/history`, { importId }), { status: 200 })
  const { past } = await settled(async () => (await ask('GET', place)).json.data)
  t.match(past, { state: 'done', importId, monitors: 1, days: 2, problem: null })
  t.match(await ask('DELETE', place), { status: 200 })
  t.match(await ask('GET', place), { status: 404 })
})

t.test('what is no data of Uptime Kuma is refused by name', async (t) => {
  const { ask, send } = await world(t)
  const text = Buffer.from('SQLite format 3\0 and nothing of it')
  const { json } = await send('POST', `?bytes=${text.length}`, text)
  const { uploadId } = json.data
  const refused = await ask('POST', `/import/uploads/${uploadId}/convert`)
  t.match(refused, { status: 422, json: { errors: [{ pointer: '/file' }] } })
  const importId = 'imp_01karp3m5p7r9t1w3y5a7c9e1g'
  const past = await ask('POST', `/import/uploads/${uploadId}/history`, { importId })
  t.match(past, { status: 409 })
  t.match(await send('POST', `?bytes=${2 ** 40}`, text), { status: 400 })
  t.match(await send('POST', '?bytes=3', text), { status: 413 })
})

async function settled<Value extends { readonly past: { readonly state: string } | null }>(
  read: () => Promise<Value>,
): Promise<Value> {
  const value = await read()
  return value.past?.state === 'running' ? settled(read) : value
}
