// Fills a data directory: copies of one monitor that the API made, written by the store itself.
//
// A process of its own, while no daemon runs: tens of thousands of creations over the API take
// minutes and say nothing about what is measured.
import { writeFileSync } from 'node:fs'
import { startClock } from '../../../src/base/clock.ts'
import { type MonitorId, newId, type OrgId } from '../../../src/base/ids.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { slotOf } from '../../../src/domain/schedule/schedule.ts'
import { hashToken, mintToken } from '../../../src/seal/tokens.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { urlOf } from './urls.ts'

export interface SeedInput {
  readonly dataDir: string
  readonly orgId: string
  readonly templateId: string
  /** How many monitors there are afterwards, the template included. */
  readonly count: number
  /** What comes before the number of each checked monitor in its URL; absent or '': all have the same one. */
  readonly urlPrefix?: string
  /** The file that gets the tokens of push monitors, one to a line. */
  readonly tokensFile?: string
  /** How many status pages there are afterwards: copies of the only one, with a number each. */
  readonly pages?: number
}

export interface Seeded {
  /** The place of each monitor within its interval, by its number. */
  readonly slotsMs: readonly number[]
}

const perTransaction = 1_000

function fail(error: unknown): never {
  throw error
}

async function seed(input: SeedInput): Promise<Seeded> {
  const clock = startClock()
  const store = openStore({
    dir: input.dataDir,
    clock,
    commitDelayMs: 0,
    onFatal: fail,
    onError: fail,
  })
  try {
    const template = store.monitors.get(input.orgId as OrgId, input.templateId as MonitorId)
    if (!template) throw new Error('there is no monitor to copy')
    const { monitors, tokens } = copies(template, input, clock.nowMs())
    for (let from = 0; from < monitors.length; from += perTransaction) {
      await writeSome(store, monitors.slice(from, from + perTransaction), clock.nowMs())
    }
    await copyPage(store, template.orgId, input.pages ?? 1, clock.nowMs())
    if (input.tokensFile) writeFileSync(input.tokensFile, tokens.join('\n'))
    const all = [template, ...monitors]
    return { slotsMs: all.map(({ id, intervalSeconds }) => slotOf(id, intervalSeconds * 1_000)) }
  } finally {
    await store.close()
    clock.stop()
  }
}

function copies(template: Monitor, input: SeedInput, nowMs: number) {
  const tokens: string[] = []
  const monitors: Monitor[] = []
  for (let number = 1; number < input.count; number += 1) {
    const name = `${template.name} ${number}`
    const url = template.url && input.urlPrefix ? urlOf(input.urlPrefix, number) : template.url
    const token = template.checkType === 'push' ? mintToken('spp') : null
    if (token) tokens.push(token)
    const pushTokenHash = token && hashToken(token)
    monitors.push({ ...template, id: newId('monitor', nowMs), name, url, pushTokenHash })
  }
  return { monitors, tokens }
}

async function copyPage(store: Store, orgId: OrgId, count: number, nowMs: number): Promise<void> {
  const [page] = store.pages.list(orgId, 1)
  if (!page) return
  await store.write((tx) => {
    for (let number = 1; number < count; number += 1) {
      const names = { slug: `${page.slug}-${number}`, title: `${page.title} ${number}` }
      store.pages.put(tx, { ...page, ...names, id: newId('page', nowMs), isDefault: false }, nowMs)
    }
  })
}

async function writeSome(store: Store, monitors: readonly Monitor[], nowMs: number): Promise<void> {
  await store.write((tx) => {
    for (const monitor of monitors) {
      store.monitors.put(tx, monitor)
      store.monitorStates.put(tx, monitor.orgId, monitor.id, initialMonitorState(nowMs))
    }
  })
}

process.once('disconnect', () => process.exit())
const seeded = await seed(JSON.parse(process.argv[2] ?? '{}') as SeedInput)
process.send?.(seeded, () => process.exit())
