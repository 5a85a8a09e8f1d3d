// A disk that gets full is told once for each step, and once when it is over; also over restarts.
import t, { type Test } from 'tap'
import type { SizeState, SpaceState } from '../../../src/domain/system/space-states.ts'
import { startDiskNotices } from '../../../src/services/letters/disk-notices.ts'
import type { Space } from '../../../src/store/space.ts'
import { recordingLog } from '../../support/http.ts'
import { openTempStore, settle } from '../../support/temp-store.ts'

function open(t: Test) {
  const { store, clock } = openTempStore(t)
  const told: string[] = []
  const systemNotices = {
    tell: (_tx: unknown, { title }: { readonly title: string }) => void told.push(title),
  }
  const start = () => {
    let report: (state: SpaceState, space: Space) => void = () => {}
    const space = {
      listen(listener: typeof report) {
        report = listener
      },
    }
    let reportSize: (state: SizeState, usedBytes: number) => void = () => {}
    const size = {
      bytesMax: 100 * 1024 ** 2,
      listen(listener: typeof reportSize) {
        reportSize = listener
      },
    }
    const deps = { store, clock, systemNotices, size, baseUrl: 'https://up.test' }
    const { stop } = startDiskNotices({ ...deps, space, log: recordingLog([]) })
    t.teardown(stop)
    const disk = async (state: SpaceState) => {
      report(state, { freeBytes: 1, totalBytes: 2 })
      await settle()
    }
    const budget = async (state: SizeState) => {
      reportSize(state, 81 * 1024 ** 2)
      await settle()
    }
    return Object.assign(disk, { budget })
  }
  const pass = async (ms: number) => {
    await clock.advance(ms)
    await settle()
  }
  return { start, told, pass }
}

const low = 'The disk is almost full'
const full = 'The disk is full'
const over = 'The disk has space again'

t.test('each step is told once, and the end after a while', async (t) => {
  const { start, told, pass } = open(t)
  const report = start()
  await report('ok')
  t.same(told, [])
  await report('low')
  await report('full')
  await report('low')
  t.same(told, [low, full], 'a step back is no news')
  await report('ok')
  await pass(9 * 60_000)
  await report('low')
  await pass(60 * 60_000)
  t.same(told, [low, full], 'space that comes and goes is one episode')
  await report('ok')
  await pass(10 * 60_000)
  t.same(told, [low, full, over])
  await report('full')
  t.same(told, [low, full, over, full], 'the next episode is news')
})

t.test('a restart repeats nothing', async (t) => {
  const { start, told, pass } = open(t)
  await start()('low')
  const again = start()
  await again('low')
  t.same(told, [low])
  const third = start()
  await third('ok')
  await pass(10 * 60_000)
  t.same(told, [low, over])
})

t.test('the steps of a budget are told beside those of the disk', async (t) => {
  const { start, told, pass } = open(t)
  const report = start()
  await report.budget('large')
  await report('low')
  await report.budget('trimmed')
  await report.budget('large')
  await report.budget('trimmed')
  await report.budget('full')
  const steps = [
    'The data has used most of its budget',
    low,
    'The oldest results of checks are dropped',
    'The data has used up its budget',
  ]
  t.same(told, steps)
  await start().budget('full')
  t.same(told, steps, 'a restart repeats nothing')
  await report.budget('ok')
  await pass(10 * 60_000)
  t.same(told, [...steps, 'The data has room again'])
})
