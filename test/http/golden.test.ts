// What the API answers: every route once, with the least body that it accepts, in a transcript for each
// group of routes. Ids are numbered; times, secrets and what a machine measures are not in it.
//
// GOLDEN=1 writes test/http/golden/<group>.http anew; read the difference before you commit it.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { idPrefixes } from '../../src/base/ids.ts'
import { apiRoutes } from '../../src/http/api/api.ts'
import type { Route } from '../../src/http/routing/route.ts'
import type { Answer, AskOptions } from '../support/api-client.ts'
import { type Owner, register } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { createMaker, filled, systemToken, thingsIn } from '../support/matrix-world.ts'
import { startReceiver } from '../support/receiver.ts'
import { routeTable } from '../support/route-table.ts'
import { startTarget } from '../support/target.ts'

const folder = join(import.meta.dirname, 'golden')
const daemon = await startDaemon(t, { env: { SYSTEM_TOKEN: systemToken } })
const [target, receiver] = await Promise.all([startTarget(), startReceiver()])
t.teardown(() => Promise.all([target.close(), receiver.close()]))
const make = createMaker(daemon, { targetUrl: target.url, hookUrl: receiver.url, isActive: false })
await register(daemon, 'dora')

/** The fields whose values a machine measures, that depend on the time (a record for each minute), or that are random. */
const measured =
  /^records$|(?:Ms|[bB]ytes|Seconds|[sS]equence|[hH]ash|sha256|keyId|publicKey|signature|nextCursor|nodeVersion|qrSvg|letters|connect|tls|firstByte|download)$/

const idPattern = new RegExp(`\\b(${Object.values(idPrefixes).join('|')})_[0-9a-z]{26}\\b`, 'g')

/** Writes what differs from run to run as what it is; ids by their order in a transcript. */
function createMask() {
  const ids = new Map<string, string>()
  const counts = new Map<string, number>()
  function numbered(id: string, prefix: string): string {
    const before = ids.get(id)
    if (before !== undefined) return before
    const count = (counts.get(prefix) ?? 0) + 1
    counts.set(prefix, count)
    ids.set(id, `${prefix}_${count}`)
    return `${prefix}_${count}`
  }
  return (text: string): string =>
    [...daemon.secrets]
      .toSorted((one, other) => other.length - one.length)
      .reduce((masked, secret) => masked.replaceAll(secret, '<secret>'), text)
      .replaceAll(idPattern, numbered)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\d{8}T\d{6}Z|\d+ \w+ \d{4}, [\d:]+ UTC/g, '<time>')
      .replaceAll(/\b20\d\d-\d\d(?:-\d\d)?\b/g, '<date>')
      .replaceAll(/\b2(?:4192|5056|5920|6784)00\b/g, '<seconds of a month>')
      .replaceAll(/\b\d+(?= ms\b)|(?<="\w+(?:Ms|equence)":)\d+/g, '<number>')
      .replaceAll(/(?<="(?:\w*[hH]ash|keyId|value)\\?": ?\\?")[\w-]{16,}/g, '<hash>')
      .replaceAll(/\bsup_\w{5}\b/g, 'sup_<start>')
      .replaceAll(/(?<=\?ref=|"code": ")(?:[0-9a-z]{26}|[0-9a-z]{10})(?=")/g, '<code>')
      .replaceAll(/\bmsg_\w{26}\b/g, 'msg_<id>')
      .replaceAll(/(?<=\/shadow\/)[\w-]{68,94}/g, '<token>')
      .replaceAll(hostOf(daemon.url), 'stillup.test')
      .replaceAll(hostOf(target.url), 'target.test')
      .replaceAll(hostOf(receiver.url), 'receiver.test')
}

const hostOf = (url: string) => new URL(url).host

/** What the checks of the health find depends on the machine. */
const ofMachine = new Set(['findings', 'isWell', 'findingCounts'])

/** The same without what differs from run to run; a page is tested elsewhere. */
function plain(value: unknown, key = ''): unknown {
  if (ofMachine.has(key) && value !== null) return '<of this machine>'
  if (Array.isArray(value)) return value.map((one) => plain(one, key))
  if (typeof value === 'string' && value.startsWith('<!doctype')) return '<a page>'
  if (typeof value !== 'object' || value === null) {
    return measured.test(key) && value !== null && value !== '' ? '<…>' : value
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, name)]))
}

function bodyOf({ json, text, headers }: Answer): string {
  if (json !== undefined) return pretty(plain(json))
  return headers.get('content-type')?.startsWith('text/html') ? '<a page>' : text
}

function transcriptOf(route: Route, path: string, { json }: AskOptions, answer: Answer): string {
  const { status, headers } = answer
  const sent = json === undefined ? [] : ['Content-Type: application/json', '', pretty(json)]
  const named = ['allow', 'location', 'retry-after', 'content-type', 'content-disposition']
  const told = named.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [`${name}: ${value}`]
  })
  return [
    `### ${route.name}`,
    `${route.method} ${path}`,
    ...sent,
    '',
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...told,
    '',
    bodyOf(answer),
    '',
  ].join('\n')
}

const pretty = (json: unknown) => JSON.stringify(json, null, 2)

let n = 0
async function ask(route: Route, owner: Owner): Promise<string> {
  const line = routeTable[route.name]
  if (!line) throw new Error(`${route.name} has no line in the table of routes`)
  n += 1
  const things = await make(owner, thingsIn(route.path))
  const path = filled(route.path, { ...things, orgId: owner.orgId })
  const json = line.body?.({ n, memberId: owner.userId })
  const credential =
    line.who === 'the operator' ? { bearer: systemToken } : credentialOf(line.who, owner)
  const options = { ...credential, ...(json && { json }) }
  return transcriptOf(route, path, options, await daemon.ask(route.method, path, options))
}

function credentialOf(who: string, { cookie }: Owner): AskOptions {
  if (who === 'a person by header') return { headers: { 'auth-token': cookie } }
  return who === 'anyone' ? {} : { cookie }
}

const groupOf = ({ name }: Route) => name.slice(0, name.indexOf('.'))
/** What the operator sees is of all organizations: it comes first, where nobody else did anything. */
const isOfAll = (route: Route) => ['system', 'backups', 'kyc'].includes(groupOf(route))
const ordered = apiRoutes.toSorted((one, other) => Number(isOfAll(other)) - Number(isOfAll(one)))
const groups = Map.groupBy(ordered, groupOf)

for (const [group, routes] of groups) {
  t.test(`${group}: what is asked, and what is answered`, async (t) => {
    const mask = createMask()
    const transcripts: string[] = []
    for (const route of routes) {
      const owner = await register(daemon, `${group}-${transcripts.length}`)
      transcripts.push(mask(await ask(route, owner)))
    }
    const text = transcripts.join('\n')
    const file = join(folder, `${group}.http`)
    if (process.env.GOLDEN) writeFileSync(file, text)
    t.equal(text, readFileSync(file, 'utf8'))
  })
}

t.test('each transcript belongs to a group of routes', async (t) => {
  const names = [...groups.keys()].map((group) => `${group}.http`)
  t.same(readdirSync(folder).toSorted(), names.toSorted())
})
