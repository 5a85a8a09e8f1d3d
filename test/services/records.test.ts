// The nouns of organizations keep what every noun promises.
import t from 'tap'
import { nouns, quotaNouns } from '../../src/base/nouns.ts'
import type { Store } from '../../src/store/store.ts'
import {
  contractEnv,
  damageContract,
  exportContract,
  type KeptRecords,
  type NounOptions,
  nounContract,
  type RoutedNoun,
  routedNouns,
} from '../contracts/noun.contract.ts'
import { register } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { damageRecords } from '../support/damaged-records.ts'
import { tamperWith } from '../support/tamper.ts'

const options: Readonly<Partial<Record<string, NounOptions>>> = {
  maintenance: { filter: 'state=active' },
  monitors: { filter: 'tag=none' },
  templates: { filter: 'kind=maintenance' },
  domains: { body: (n, statusPageId) => ({ hostname: `name-${n}.example.com`, statusPageId }) },
  probes: { parent: 'locations.create' },
  keys: { endsUnasked: true },
  invites: { endsUnasked: true },
}

t.test('every noun with a quota is tried, but for those that no route makes', (t) => {
  const tried = new Set(routedNouns.map(({ noun }) => String(noun)))
  t.same(
    quotaNouns.filter((noun) => !tried.has(noun)),
    ['subscribers', 'members'],
  )
  t.end()
})

/** The records that are known by their organization and id; an invitation is lost with its damage. */
async function damage(store: Store, id: string): Promise<boolean> {
  for (const name of store.databases.keys()) {
    const db = store.lmdb.openDB<Buffer, string[]>({ name, encoding: 'binary', cache: false })
    const keys = [...db.getKeys()].filter((key) => Array.isArray(key))
    const isNamed = keys.some(([org, last, ...more]) => {
      return more.length === 0 && last === id && String(org).startsWith('org_')
    })
    if (isNamed && name !== 'monitorStates') return (await damageRecords(store, name, id)) > 0
  }
  return false
}

t.test('a noun has quota, pages, revisions, an audit log, and no strangers', async (t) => {
  const first = await startDaemon(t, { env: contractEnv })
  const foreign = await register(first, 'foreign')
  const kept: (KeptRecords & { readonly routed: RoutedNoun })[] = []
  for (const routed of routedNouns) {
    const { title, exportedAs } = nouns[routed.noun]
    await t.test(title, async (t) => {
      const cast = { daemon: first, foreign }
      const records = await nounContract(t, cast, routed, options[routed.noun])
      kept.push({ ...records, routed })
      const between = { from: records.owner, to: foreign }
      if (exportedAs !== null) await exportContract(t, first, exportedAs, between)
    })
  }
  await first.stop()
  await tamperWith(first.dir, async (store) => {
    for (const { ids } of kept) t.ok(await damage(store, ids[0] ?? ''))
  })
  const daemon = await startDaemon(t, { dir: first.dir, env: contractEnv })
  for (const { routed, ...records } of kept) {
    if (routed.noun === 'invites') continue
    await t.test(`damaged ${nouns[routed.noun].title}`, (t) =>
      damageContract(t, daemon, routed, records),
    )
  }
})
