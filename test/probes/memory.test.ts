// What one check of a hostile body takes of the memory: whatever the target sends, little.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type Behaviour, behaviours, urlOf } from '../support/bad-behaviours.ts'
import { startBadServer } from '../support/bad-server.ts'
import type { PeakInput, PeakReport } from '../support/peak-process.ts'

const peakProcess = join(import.meta.dirname, '../support/peak-process.ts')
const grownKbMax = 20 * 1024
const hostile = [
  'drips its body',
  'drips a body without an end',
  'sends a body without an end',
  'promises 9 exabytes',
  'has chunks of one byte without an end',
  'packs 200 MB with gzip',
  'packs 64 MB with deflate',
  'packs 200 MB with br',
  'packs 200 MB with zstd',
  'names a thousand codings',
] as const

async function started(name: string) {
  const behaviour: Behaviour | undefined = behaviours[name]
  if (behaviour === undefined) throw new Error(`no target ${name}`)
  const server = await startBadServer(behaviour.serve)
  const expect = { ...behaviour.fields?.expect, bodyContains: 'no such needle' }
  const fields = { timeoutMs: 5_000, ...behaviour.fields, expect }
  return { server, fields: { ...fields, url: urlOf(behaviour, server.port) } }
}

const skip = existsSync('/proc/self/clear_refs') ? false : 'this system does not tell'

t.test('one check of a hostile body takes less than 20 MB', { skip }, async (t) => {
  const honest = await started('answers as it should')
  const targets = await Promise.all(hostile.map(started))
  const input: PeakInput = { honest: honest.fields, targets: targets.map(({ fields }) => fields) }
  const execArgv = ['--max-semi-space-size=8', '--heap-growing-percent=50', '--expose-gc']
  const child = fork(peakProcess, [JSON.stringify(input)], { execArgv })
  const exit = once(child, 'exit')
  // Comes after all messages, and also where the process dies.
  const end = once(child, 'disconnect')
  const [report]: PeakReport[] = await Promise.race([once(child, 'message'), end])
  const [code, signal] = await exit
  t.ok(report, `it ended with ${signal ?? code}`)
  for (const [index, name] of hostile.entries()) {
    const { end, grownKb = Number.NaN } = report?.checks[index] ?? {}
    t.ok(grownKb < grownKbMax, `${name}: ${(grownKb / 1024).toFixed(1)} MB, ${end}`)
  }
  for (const { server } of [honest, ...targets]) await server.close()
})
