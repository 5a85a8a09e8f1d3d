// The weekly letter about monitors that are still silent beside the system that they come from.
import t, { type Test } from 'tap'
import { type ImportId, newId } from '../../../src/base/ids.ts'
import { createShadowLetters } from '../../../src/services/letters/shadow-letters.ts'
import { openAccess } from '../../support/access.ts'
import { makeImport } from '../../support/make-import.ts'
import { makeMonitor } from '../../support/make-page.ts'

const dayMs = 86_400_000

/** An organization with people of each role, and a shadow run of two monitors that began now. */
async function open(t: Test) {
  const { store, clock, mailer, letters, enrol, enrolIn } = openAccess(t)
  const { organization } = await enrol('alice')
  const orgId = organization.id
  await enrolIn(orgId, 'bob', 'admin')
  await enrolIn(orgId, 'carol', 'member')
  const dave = await enrolIn(orgId, 'dave', 'admin')
  const sinceMs = clock.nowMs()
  const importId: ImportId = newId('import', sinceMs)
  const shadow = { importId, sinceMs, liveAtMs: null }
  const monitors = ['Shop', 'Door'].map((name) =>
    makeMonitor({ orgId, id: newId('monitor', sinceMs), name, shadow }),
  )
  await store.write((tx) => {
    store.users.put(tx, { ...dave.user, isDisabled: true })
    store.orgs.put(tx, { ...organization, name: 'Acme' })
    store.imports.put(tx, makeImport({ orgId, id: importId, shadow: { sinceMs } }))
    for (const one of monitors) store.monitors.put(tx, one)
  })
  const counts = { both: 3, onlyTheirs: 2, onlyOurs: 1, notCompared: 4 }
  const heard = { isHeard: true }
  const start = () =>
    createShadowLetters({
      ...{ store, clock, mailer, baseUrl: 'https://up.test' },
      comparison: {
        compare: async () => ({ counts, lines: [], silent: 2, live: 0, ...heard }),
      },
    })
  const goLive = (count: number) =>
    store.write((tx) => {
      const liveAtMs = clock.nowMs()
      for (const one of monitors.slice(0, count)) {
        store.monitors.put(tx, { ...one, shadow: { ...shadow, liveAtMs } })
      }
    })
  letters.length = 0
  /** Looks at every hour of some days, and returns who was written to. */
  async function days(count: number, service = start()) {
    letters.length = 0
    for (let hour = 0; hour < count * 24; hour += 1) {
      await clock.advance(dayMs / 24)
      await service.round(AbortSignal.timeout(10_000))
    }
    return letters.map(({ to }) => to).toSorted()
  }
  return { store, clock, letters, organization, importId, heard, start, days, goLive }
}

t.test('owners and administrators get one letter a week until all is live', async (t) => {
  const { letters, importId, days, goLive } = await open(t)
  t.same(await days(6), [])
  t.same(await days(2), ['alice@example.com', 'bob@example.com'])
  const [letter] = letters
  t.equal(letter?.subject, 'Acme: 2 monitors are still silent')
  t.match(letter?.text, `https://up.test/app/imports/${importId}`)
  t.match(
    letter?.text,
    'both told: 3. Only the old system told: 2. Only stillup would have told: 1.',
  )
  t.same(await days(5), [], 'also by a daemon that was started again')
  await goLive(1)
  t.same((await days(2)).length, 2)
  t.equal(letters[0]?.subject, 'Acme: 1 monitor is still silent')
  await goLive(2)
  t.same(await days(15), [])
})

t.test('weeks without a daemon are one letter, and the next one keeps its day', async (t) => {
  const { clock, days } = await open(t)
  await clock.advance(25 * dayMs)
  t.equal((await days(1)).length, 2)
  t.equal((await days(1)).length, 0)
  t.equal((await days(2)).length, 2, '28 days after the run began')
})

t.test('where nothing is known of the old system, the letter says so', async (t) => {
  const { letters, heard, days } = await open(t)
  heard.isHeard = false
  await days(8)
  t.match(letters[0]?.text, 'does not know yet what the old system told')
  t.notMatch(letters[0]?.text, 'both told')
})

t.test('nobody is written to for an organization that is switched off', async (t) => {
  const { store, organization, days } = await open(t)
  await store.write((tx) => store.orgs.put(tx, { ...organization, isDisabled: true }))
  t.same(await days(8), [])
})

t.test('monitors that are silent for long are counted', async (t) => {
  const { clock, start, goLive } = await open(t)
  await clock.advance(14 * dayMs)
  t.equal(await start().longSilent(), 0)
  await clock.advance(dayMs)
  t.equal(await start().longSilent(), 2)
  await goLive(2)
  t.equal(await start().longSilent(), 0)
})
