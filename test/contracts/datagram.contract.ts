// What a check promises that asks by UDP: whatever comes back, it ends in time with a reading that says why.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Test } from 'tap'
import type { Clock } from '../../src/base/clock.ts'
import { errorKinds } from '../../src/domain/checks/reading.ts'
import type { Probe } from '../../src/probes/run/probe-run.ts'
import { patient } from '../support/depth.ts'
import { makeTarget, type TargetFields } from '../support/make-target.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { starvedMs } from '../support/starvation.ts'

export interface DatagramCase {
  readonly probe: Probe
  readonly clock: Clock
  /** Where the server is that answers well. */
  readonly port: number
  /** A monitor of it, at the port that is given; what comes back is protected against changes. */
  readonly target: (port: number) => TargetFields
}

const timeoutMs = 1_000
const slackMs = patient(400)
const variants = 12

/** What a proxy makes of each answer; undefined: nothing comes. */
type Bend = (answer: Buffer) => Buffer | undefined

export async function datagramContract(
  t: Test,
  { probe, clock, port, target }: DatagramCase,
): Promise<void> {
  const random = seededRandom(port)
  const below = (max: number) => Math.floor(random() * max)
  const changed: Bend = (answer) => {
    const bent = Buffer.from(answer)
    for (let n = 0; n <= below(4); n += 1) {
      const at = below(bent.length)
      bent[at] = (bent[at] ?? 0) ^ (1 + below(255))
    }
    return bent
  }
  const bends: Readonly<Record<string, Bend>> = {
    lost: () => undefined,
    empty: () => Buffer.alloc(0),
    long: (answer) => Buffer.concat([answer.subarray(0, 10), Buffer.alloc(50_000, 0x30)]),
    ...Object.fromEntries(
      Array.from({ length: variants }, (_, i) => [
        [`cut ${i}`, (answer: Buffer) => answer.subarray(0, below(answer.length))],
        [`changed ${i}`, changed],
      ]).flat(),
    ),
  }
  const good = await probe(makeTarget({ ...target(port), timeoutMs: 8_000 }), { clock })
  t.equal(good.result, 'good', `it is good by itself: ${good.error?.message}`)
  await Promise.all(
    Object.entries(bends).map(async ([name, bend]) => {
      const front = createSocket('udp4').bind(0, '127.0.0.1')
      await once(front, 'listening')
      const back = createSocket('udp4')
      t.teardown(() => [front.close(), back.close()])
      let asker = 0
      front.on('message', (bytes, from) => {
        asker = from.port
        back.send(bytes, port, '127.0.0.1')
      })
      back.on('message', (bytes) => {
        const bent = bend(bytes)
        if (bent !== undefined) front.send(bent, asker, '127.0.0.1')
      })
      const [startedMs, starvedBeforeMs] = [clock.monoMs(), starvedMs()]
      const where = target(front.address().port)
      const reading = await probe(makeTarget({ ...where, timeoutMs }), { clock })
      const tookMs = clock.monoMs() - startedMs - (starvedMs() - starvedBeforeMs)
      t.equal(reading.result, 'failed', `${name}: ${reading.error?.message}`)
      t.ok(tookMs <= timeoutMs + slackMs, `${name}: in time, not ${Math.round(tookMs)} ms`)
      t.ok(errorKinds.includes(reading.error?.kind ?? 'dns'))
      t.notMatch(JSON.stringify(reading), /s3cret|pr1vate/, `${name}: without a password`)
    }),
  )
}
