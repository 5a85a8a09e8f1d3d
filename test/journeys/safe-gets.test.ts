// Reading changes nothing: every GET there is, asked twice by everybody, leaves the data as it was.
import { hash } from 'node:crypto'
import { Unpackr } from 'msgpackr'
import t from 'tap'
import { apiRoutes } from '../../src/http/api/api.ts'
import { openEnv } from '../../src/store/engine/env.ts'
import type { Credential } from '../support/api-client.ts'
import { mintKey } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { openMatrixWorld } from '../support/matrix-world.ts'

/** Every record's hash, by its table and key. */
type Dump = ReadonlyMap<string, string>

/** What a daemon writes of its own accord while nobody asks anything. */
const ownTables = ['alive', 'tasks']
/** That somebody looked at what is confidential, or was refused, is noted. */
const logTables = ['audit', 'auditEnds']
/** When somebody was last seen is what a request may leave behind. */
const useFields = ['lastSeenAtMs', 'lastUsedAtMs', 'lastUsedAddress', 'lastUsedFrom']
const useTables = ['sessions', 'apiKeys']

const headerBytes = 5
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true })

async function dump(dir: string): Promise<Dump> {
  const env = openEnv(dir)
  const found = new Map<string, string>()
  const names = [...env.lmdb.getKeys()].map(String)
  for (const name of names) {
    const table = env.lmdb.openDB<Buffer, (string | number)[]>({
      name,
      encoding: 'binary',
      cache: false,
    })
    for (const { key, value } of table.getRange()) {
      found.set(`${name} ${JSON.stringify(key)}`, hash('sha256', kept(name, value)))
    }
  }
  await env.close()
  return found
}

function kept(table: string, bytes: Buffer): Buffer | string {
  if (!useTables.includes(table)) return bytes
  const record = unpackr.unpack(bytes.subarray(headerBytes, bytes.length))
  const fields = Object.entries(record).filter(([name]) => !useFields.includes(name))
  return JSON.stringify(fields)
}

/** The tables in which two dumps differ, with one key for each. */
function differences(before: Dump, after: Dump): Map<string, string> {
  const keys = new Set([...before.keys(), ...after.keys()])
  const differing = [...keys].filter((key) => before.get(key) !== after.get(key))
  return new Map(differing.map((key) => [key.split(' ')[0] ?? '', key]))
}

async function askAll(
  daemon: Daemon,
  things: Readonly<Record<string, string>>,
  credentials: readonly Credential[],
): Promise<number> {
  let good = 0
  const gets = apiRoutes.filter(({ method }) => method === 'GET')
  for (const { path, spec } of gets) {
    const filled = path.replace(/:(\w+)/g, (_whole, name: string) => things[name] ?? `no-${name}`)
    for (const credential of [...credentials, ...credentials]) {
      if (spec.streams) await glance(daemon, filled, credential)
      else if ((await daemon.ask('GET', filled, credential)).status === 200) good += 1
    }
  }
  for (const path of ['/healthz', '/readyz', '/metrics', '/docs', '/api/v1/openapi.json', '/']) {
    await daemon.ask('GET', path)
    await daemon.ask('HEAD', path)
  }
  return good
}

/** Opens a stream of events, reads its beginning and hangs up. */
async function glance({ url }: Daemon, path: string, { cookie, key }: Credential): Promise<void> {
  const hangUp = new AbortController()
  const headers = new Headers()
  if (cookie !== undefined) headers.set('cookie', `auth-token=${cookie}`)
  if (key !== undefined) headers.set('x-api-key', key)
  const response = await fetch(url + path, { headers, signal: hangUp.signal })
  await response.body?.getReader().read()
  hangUp.abort()
}

t.test('every GET, asked twice with each credential, leaves the data as it was', async (t) => {
  const world = await openMatrixWorld(t)
  const { own, daemon: first } = world
  const names = new Set(
    apiRoutes
      .filter(({ method }) => method === 'GET')
      .flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name))
      .filter((name) => name.endsWith('Id') && name !== 'orgId'),
  )
  const made = await world.make(own, [...names])
  const things = { ...made, orgId: own.orgId }
  const key = await mintKey(first, own)
  // What is checked changes by itself.
  const monitors = await first.need('GET', `${own.org}/monitors?limit=200`, { cookie: own.cookie })
  for (const { id } of monitors) {
    await first.need('POST', `${own.org}/monitors/${id}/pause`, { cookie: own.cookie })
  }
  await first.stop()

  const run = async (ask: (daemon: Daemon) => Promise<number>) => {
    const daemon = await startDaemon(t, {
      dir: first.dir,
      env: { SYSTEM_TOKEN: 'the-token-of-the-operator' },
    })
    const good = await ask(daemon)
    await daemon.stop()
    return { good, data: await dump(first.dir) }
  }
  await run(async () => 0)
  const before = await run(async () => 0)
  const idle = await run(async () => 0)
  const byItself = differences(before.data, idle.data)
  t.same(
    [...byItself.keys()].filter((table) => !ownTables.includes(table)),
    [],
    'an idle daemon writes nothing but these',
  )
  const credentials: Credential[] = [
    ...[{ cookie: own.cookie }, { key }, { bearer: 'the-token-of-the-operator' }, {}],
  ]
  const asked = await run((daemon) => askAll(daemon, things, credentials))
  t.ok(asked.good > 50, `${asked.good} were answered`)
  const changed = differences(idle.data, asked.data)
  for (const table of [...byItself.keys(), ...logTables]) changed.delete(table)
  t.same(Object.fromEntries(changed), {})
  t.ok(asked.data.size > 50, 'there was something to change')
})
