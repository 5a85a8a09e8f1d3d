// Makes checks one after the other in a process of its own, and tells how much memory each took.
import { readFileSync, writeFileSync } from 'node:fs'
import { startClock } from '../../src/base/clock.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import { createProbes } from '../../src/probes/registry.ts'
import { resolverTo } from './fake-resolver.ts'
import { makeTarget, type TargetFields } from './make-target.ts'

export interface PeakInput {
  /** Checked many times before, and not counted: code is loaded, the heap has its usual size. */
  readonly honest: TargetFields
  readonly targets: readonly TargetFields[]
}

export interface PeakReport {
  /** What each check said, and by how many kilobytes the process was larger while it was made. */
  readonly checks: readonly { readonly end: string; readonly grownKb: number }[]
}

const warmup = 300
const { honest, targets } = JSON.parse(process.argv[2] ?? '{}') as PeakInput
const clock = startClock()
const { probe } = createProbes({
  guard: createGuard({ targets: 'any' }),
  clock,
  resolver: resolverTo('127.0.0.1'),
})

function kilobytes(name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync('/proc/self/status', 'latin1')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1])
}

async function check(fields: TargetFields): Promise<PeakReport['checks'][number]> {
  globalThis.gc?.()
  await new Promise((resolve) => setTimeout(resolve, 20))
  globalThis.gc?.()
  // Begins to count the highest mark anew (Linux, proc(5)).
  writeFileSync('/proc/self/clear_refs', '5')
  const beforeKb = kilobytes('VmRSS')
  const { result, error } = await probe(makeTarget(fields), { clock })
  const grownKb = kilobytes('VmHWM') - beforeKb
  return { end: error === undefined ? result : `${result} ${error.kind}`, grownKb }
}

const checks: PeakReport['checks'][number][] = []
for (let left = warmup; left > 0; left--) await probe(makeTarget(honest), { clock })
for (const fields of targets) checks.push(await check(fields))
process.send?.({ checks } satisfies PeakReport)
clock.stop()
process.disconnect()
