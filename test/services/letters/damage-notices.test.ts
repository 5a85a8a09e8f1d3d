// The administrators, and nobody else, hear of damaged records: once a day, whatever restarts.
import t, { type Test } from 'tap'
import { dayMs } from '../../../src/domain/health/span.ts'
import { startDamageNotices } from '../../../src/services/letters/damage-notices.ts'
import { openAccess } from '../../support/access.ts'
import { recordingLog } from '../../support/http.ts'
import { settle } from '../../support/temp-store.ts'

async function open(t: Test) {
  const access = openAccess(t)
  const { store, clock, mailer, letters, enrol } = access
  await enrol('alice')
  const { user } = await enrol('bob')
  const appoint = () => store.write((tx) => store.users.put(tx, { ...user, isSystemAdmin: true }))
  const before = letters.length
  const news: { kind: string; title: string; text: string; isOver: boolean }[] = []
  const systemNotices = {
    hasReceivers: () => false,
    tell: (_tx: unknown, notice: (typeof news)[number]) => void news.push(notice),
  }
  const baseUrl = 'https://up.test'
  const deps = { store, clock, mailer, systemNotices, baseUrl, log: recordingLog([]) }
  const start = () => startDamageNotices(deps)
  const find = (table: string, ...keys: string[]) => {
    for (const key of keys) {
      const bytes = Buffer.from('private words')
      store.damage.note({ table, key: [key], bytes, reason: 'the checksum matches' })
    }
  }
  const pass = async (ms: number) => {
    await clock.advance(ms)
    await settle()
  }
  return { ...access, appoint, start, find, pass, news, told: () => letters.slice(before) }
}

t.test('one letter names the tables and numbers, and nothing of the records', async (t) => {
  const { appoint, start, find, pass, told, news } = await open(t)
  await appoint()
  find('standings', 'mon_1', 'mon_2')
  const notices = start()
  t.teardown(notices.stop)
  find('monitors', 'mon_3')
  await pass(60_000)
  const [letter] = told()
  t.match(told(), [{ to: 'bob@example.com' }])
  t.equal(told().length, 1)
  t.match(letter?.subject, '3 records')
  t.match(letter?.text, /monitors \(1\), standings \(2\)/)
  t.notMatch(`${letter?.text}${letter?.html}`, /private|mon_/)
  t.match(news, [{ kind: 'damage', title: letter?.subject, isOver: false }])
  t.match(news[0]?.text, /monitors \(1\), standings \(2\)/)
})

t.test('a restart does not repeat it; what is new waits for the next day', async (t) => {
  const { appoint, start, find, pass, told } = await open(t)
  await appoint()
  const first = start()
  find('monitors', 'mon_1')
  await pass(60_000)
  t.equal(told().length, 1)
  first.stop()

  const second = start()
  t.teardown(second.stop)
  find('pages', 'pag_1')
  await pass(dayMs / 2)
  t.equal(told().length, 1)
  await pass(dayMs / 2)
  t.equal(told().length, 2)
  t.match(told()[1]?.text, /one damaged record in its data. By table: pages \(1\)/)
  await pass(3 * dayMs)
  t.equal(told().length, 2, 'what is known already is no news')
})

t.test('what nobody could be told is told after the next start', async (t) => {
  const { appoint, start, find, pass, told } = await open(t)
  const first = start()
  find('monitors', 'mon_1')
  await pass(60_000)
  t.same(told(), [], 'there was no administrator')
  first.stop()
  await appoint()
  const second = start()
  t.teardown(second.stop)
  await pass(60_000)
  t.equal(told().length, 1)
})
