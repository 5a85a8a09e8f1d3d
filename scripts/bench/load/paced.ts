// What plays Prometheus before blackbox_exporter: asks it for each target, at the target's slot.
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { urlOf } from '../world/urls.ts'

export interface PacedInput {
  /** Where blackbox_exporter listens. */
  readonly port: number
  readonly module: string
  readonly urlPrefix: string
  readonly intervalMs: number
}

/** What the parent sends once; then anything, to be told how many failed. */
type PacedSlots = readonly number[]

export interface PacedReport {
  readonly failures: number
}

const { port, module, urlPrefix, intervalMs }: PacedInput = JSON.parse(process.argv[2] ?? '{}')
const agent = new Agent({ connections: 1_000, pipelining: 1 })
// Wall clock with a fraction: slots are on its grid, as in the daemon.
const nowMs = () => performance.timeOrigin + performance.now()
let failures = 0

async function ask(target: string): Promise<void> {
  const url = `http://127.0.0.1:${port}/probe?${new URLSearchParams({ module, target })}`
  try {
    const { body } = await request(url, { dispatcher: agent })
    if (!/^probe_success 1$/m.test(await body.text())) failures += 1
  } catch {
    failures += 1
  }
}

async function run(slotsMs: PacedSlots): Promise<void> {
  const inOrder = slotsMs
    .map((slotMs, number) => ({ slotMs, url: urlOf(urlPrefix, number) }))
    .sort((one, other) => one.slotMs - other.slotMs)
  let startMs = Math.ceil(nowMs() / intervalMs) * intervalMs
  for (;;) {
    for (const { slotMs, url } of inOrder) {
      while (nowMs() < startMs + slotMs) await sleep(1)
      void ask(url)
    }
    startMs += intervalMs
  }
}

process.once('disconnect', () => process.exit())
process.once('message', (slotsMs: PacedSlots) => {
  process.on('message', () => {
    const report: PacedReport = { failures }
    process.send?.(report)
  })
  void run(slotsMs)
})
