// The nouns of organizations keep what every noun promises.
import t from 'tap'
import { nouns, quotaNouns } from '../../src/base/nouns.ts'
import {
  contractQuota,
  exportContract,
  type NounCase,
  nounContract,
} from '../contracts/noun.contract.ts'
import { type Owner, register } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { damageRecords } from '../support/damaged-records.ts'
import { tamperWith } from '../support/tamper.ts'

const cases: readonly (NounCase & { readonly table?: string })[] = [
  {
    noun: 'maintenance',
    path: 'maintenance-windows',
    body: (n) => ({ name: `Window ${n}`, cron: '0 2 * * *', durationMinutes: 60 }),
    change: [{ name: 'Nights', isPublic: true }, 'isPublic', 'name'],
    filter: 'state=active',
    table: 'maintenance',
  },
  {
    noun: 'pages',
    path: 'status-pages',
    body: (n) => ({ name: `Page ${n}`, slug: `contract-${n}` }),
    change: [{ title: 'Are we up?', noindex: true }, 'noindex', 'title'],
    table: 'pages',
  },
  {
    noun: 'channels',
    path: 'alert-channels',
    body: (n) => ({ name: `Hook ${n}`, type: 'webhook', config: { url: 'http://127.0.0.1:9/' } }),
    change: [{ name: 'Another', tags: ['shop'] }, 'name', 'tags'],
    table: 'channels',
  },
  {
    noun: 'domains',
    path: 'custom-domains',
    body: (n, statusPageId) => ({ hostname: `name-${n}.example.com`, statusPageId }),
    table: 'customDomains',
  },
  {
    noun: 'keys',
    path: 'api-keys',
    body: (n) => ({ name: `Key ${n}` }),
    change: [{ name: 'Another' }, 'name'],
    ending: 'revoked',
    isListOnly: true,
    endsUnasked: true,
    table: 'orgApiKeys',
  },
  {
    noun: 'invites',
    path: 'invites',
    body: (n) => ({ email: `guest-${n}@example.com` }),
    ending: 'revoked',
    isListOnly: true,
    endsUnasked: true,
  },
]

/** Their tests have the same promises, because they come into being in other ways. */
const others = ['monitors', 'members', 'subscribers']

t.test('every noun with a quota is here, or is made in another way', (t) => {
  t.same([...cases.map(({ noun }) => noun), ...others].sort(), quotaNouns.toSorted())
  t.end()
})

t.test('every noun has quota, pages, revisions, audit entries, and no strangers', async (t) => {
  const quotas = cases.map(({ noun }) => [`QUOTAS_${noun.toUpperCase()}`, `${contractQuota}`])
  const env = Object.fromEntries(quotas)
  const first = await startDaemon(t, { env })
  const foreign = await register(first, 'foreign')
  const kept: { one: (typeof cases)[number]; owner: Owner; at: string; id: string }[] = []
  for (const one of cases) {
    await t.test(nouns[one.noun].title, async (t) => {
      const { owner, ids, at } = await nounContract(t, { daemon: first, foreign }, one)
      kept.push({ one, owner, at: at(ids[0]), id: ids[0] })
      const list = nouns[one.noun].exportedAs
      if (list) await exportContract(t, first, owner, foreign, list)
    })
  }
  await first.stop()
  await tamperWith(first.dir, async (store) => {
    for (const { one, id } of kept) {
      if (one.table) t.equal(await damageRecords(store, one.table, id), 1, `${one.table} damaged`)
    }
  })
  const daemon = await startDaemon(t, { dir: first.dir, env })
  for (const { one, owner, at } of kept) {
    const { cookie } = owner
    if (!one.table) continue
    await t.test(`damaged ${nouns[one.noun].title}`, async (t) => {
      const list = await daemon.need('GET', `${owner.org}/${one.path}`, { cookie })
      t.equal(list.length, contractQuota - 1, 'a list leaves it out')
      if (!one.isListOnly) {
        const asked = await daemon.ask('GET', `/api/v1${at}`, { cookie })
        t.match(asked.json, { status: 500, code: 'damaged_record' })
      }
      const gone = await daemon.ask('DELETE', `/api/v1${at}`, { cookie })
      t.equal(gone.status, 200, 'it can be deleted')
      const room = { cookie, json: one.body(99, '') }
      if (one.noun !== 'domains') await daemon.need('POST', `${owner.org}/${one.path}`, room)
    })
  }
})
