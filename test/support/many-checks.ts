// A process that makes many checks at once, of one target after the other, and prints how they ended; a
// test gives it few files.
import { startClock } from '../../src/base/clock.ts'
import { createResolver } from '../../src/net/dns/resolver.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import { createProbes } from '../../src/probes/registry.ts'
import { testCa } from './certificates.ts'
import { makeTarget, type TargetFields } from './make-target.ts'

export interface ManyChecks {
  readonly targets: readonly TargetFields[]
  readonly count: number
  /** As `address:port`. */
  readonly nameServer: string
}

export interface ManyEnds {
  /** How many, by outcome and kind, such as `unknown connect`. */
  readonly atOnce: Readonly<Record<string, number>>
  /** The same of one check after all of them. */
  readonly after: string
  /** One message of each. */
  readonly messages: Readonly<Record<string, string>>
}

const { targets, count, nameServer } = JSON.parse(process.argv[2] ?? '{}') as ManyChecks
const clock = startClock()
const { probe } = createProbes({
  guard: createGuard({ targets: 'any' }),
  clock,
  ca: [testCa],
  resolver: createResolver({ clock, servers: [nameServer] }),
})

async function endsOf(fields: TargetFields): Promise<ManyEnds> {
  const messages: Record<string, string> = {}
  const look = async (): Promise<string> => {
    const { result, error } = await probe(makeTarget(fields), { clock })
    if (error === undefined) return result
    const end = `${result} ${error.kind}`
    messages[end] = error.message
    return end
  }
  const atOnce: Record<string, number> = {}
  for (const end of await Promise.all(Array.from({ length: count }, look))) {
    atOnce[end] = (atOnce[end] ?? 0) + 1
  }
  return { atOnce, after: await look(), messages }
}

const ends: ManyEnds[] = []
for (const fields of targets) ends.push(await endsOf(fields))
clock.stop()
console.log(JSON.stringify(ends))
