// The past of monitors is sent in parts.
import t from 'tap'
import {
  countedPast,
  countedPastLines,
  pastLines,
  sendPast,
} from '../../../src/commands/moving/past.ts'

t.test('a long past goes in parts, of whole monitors, and its sum is told', async (t) => {
  const period = { startMs: 0, upMs: 1, downMs: 0, maintenanceMs: 0, checks: 1, failures: 0 }
  const hours = Array.from({ length: 450 }, () => ({ ...period, latencyMs: null }))
  const one = (no: number) => ({ origin: `monitor/${no}`, days: [], hours, outages: [] })
  async function* parts() {
    yield [one(1), one(2), one(3)]
    yield [one(4)]
  }
  const sizes: number[] = []
  const told: string[] = []
  const ask = async ({ history }: Record<string, unknown>) => {
    const { length } = history as readonly object[]
    sizes.push(length)
    return { monitors: length, days: 0, hours: length * 450, incidents: 1, unknown: [] }
  }
  const host = { complain: (line: string) => void told.push(line) }
  const past = await sendPast(host, ask, { org: 'Acme', importId: 'imp_1', parts: parts() })
  t.same(sizes, [2, 1, 1])
  t.same(pastLines(past), ['History of 4 monitors: 0 days, 1800 hours, 3 incidents.'])
  const none = { monitors: 4, days: 0, hours: 0, incidents: 0, unknown: [] }
  t.same(pastLines(none), ['History: nothing new.'], 'of a second run')
})

t.test('a file without a past sends none', async (t) => {
  async function* parts() {}
  const ask = () => t.fail('asks nothing')
  const sent = { org: 'Acme', importId: 'imp_1', parts: parts() }
  t.same(pastLines(await sendPast({ complain() {} }, ask as never, sent)), [])
})

t.test('a trial says what would come, without what is left out', async (t) => {
  const outage = { fromMs: 0, toMs: 1, text: '' }
  const one = (no: number) => ({ origin: `monitor/${no}`, days: [], hours: [], outages: [outage] })
  async function* parts() {
    yield [one(1), one(2)]
    yield [one(3)]
  }
  const counts = await countedPast(parts(), (origin) => origin === 'monitor/2')
  t.same(countedPastLines(counts), [
    'History would come of 2 monitors: 0 days, 0 hours, 2 incidents.',
  ])
  t.same(countedPastLines({ ...counts, monitors: 0 }), [])
})
