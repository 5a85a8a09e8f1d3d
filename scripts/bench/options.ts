// The bench's command line: which cases, how large, how long.
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'

/** Every number that can be set, with its bounds: nothing runs without an end. */
const bounds = {
  monitors: [1, 100_000],
  interval: [10, 3_600],
  seconds: [1, 600],
  warmup: [0, 600],
  connections: [1, 20_000],
} as const

type Name = keyof typeof bounds

export interface Options {
  /** The cases asked for; none means all. */
  readonly names: readonly string[]
  /** Where the temporary data lies: the disk that is measured. */
  readonly dir: string
  /** For the Node of the measured daemon, such as --cpu-prof. */
  readonly nodeArgs: readonly string[]
  /** What was set, else the fallback of the case. */
  number(name: Name, fallback: number): number
  has(name: Name): boolean
}

const text = { type: 'string' } as const

/** Throws where something is unknown or out of bounds. */
export function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      monitors: text,
      interval: text,
      seconds: text,
      warmup: text,
      connections: text,
      dir: { type: 'string', default: tmpdir() },
      'node-args': { type: 'string', default: '' },
    },
  })
  const numbers = new Map<Name, number>()
  for (const name of Object.keys(bounds) as Name[]) {
    const given = values[name]
    if (given !== undefined) numbers.set(name, bounded(name, given))
  }
  return {
    names: positionals,
    dir: values.dir,
    nodeArgs: values['node-args'].split(' ').filter(Boolean),
    number: (name, fallback) => numbers.get(name) ?? fallback,
    has: (name) => numbers.has(name),
  }
}

function bounded(name: Name, given: string): number {
  const [least, most] = bounds[name]
  const value = Number(given)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(`--${name} is a whole number from ${least} to ${most}, not ${given}`)
}
