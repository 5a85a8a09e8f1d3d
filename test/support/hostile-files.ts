// Files of other products that are small, and that take more than there is when they are read as they
// want: what to say of each.
import type { ForeignFile } from '../../src/services/orgs/foreign-files.ts'
import { amount } from './depth.ts'

export interface HostileFile extends ForeignFile {
  readonly name: string
  /** Why it is refused; null: it is converted, in no time. */
  readonly told: RegExp | null
}

const site = "{url: 'http://127.0.0.1/'}"
const many = (count: number, line: (at: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => line(at))
const healthchecks = (checks: readonly object[]) => JSON.stringify({ checks })

export const hostileFiles: readonly HostileFile[] = [
  {
    name: 'items without anything',
    product: 'kuma',
    text: `[${'{},'.repeat(690_000)}{"type":"http","url":"http://127.0.0.1/"}]`,
    told: /^text must have at most 10000 monitors, and has 690001$/,
  },
  {
    name: 'more schedules than an import takes',
    product: 'healthchecks',
    text: healthchecks(many(60_000, () => '').map(() => ({ schedule: '* * * * *' }))),
    told: /^text must have at most 10000 checks, and has 60000$/,
  },
  {
    name: 'schedules of days that no month has',
    product: 'healthchecks',
    text: healthchecks(
      many(500, () => '59 23 31 2,4,6,9,11 *').map((schedule) => ({
        schedule,
        tz: 'Europe/Prague',
      })),
    ),
    told: null,
  },
  {
    name: 'merge keys that copy a large map',
    product: 'gatus',
    text: [
      `a: &a {${many(9_000, (at) => `k${at.toString(36)}: `).join(',')}}`,
      'endpoints:',
      ...many(990, () => " - {url: 'http://127.0.0.1/', <<: *a}"),
    ].join('\n'),
    told: /^text must have at most 1000000 values, with what each alias stands for$/,
  },
  {
    name: 'headers that an alias repeats',
    product: 'gatus',
    text: [
      'h: &h',
      ...many(1_000, (at) => `  k${at}: ${'v'.repeat(50)}`),
      'endpoints:',
      ...many(900, () => ` - {url: 'http://127.0.0.1/', headers: *h}`),
    ].join('\n'),
    told: /^text must have at most \d+ (values|characters), with what each alias stands for$/,
  },
  {
    name: 'aliases that are to be counted',
    product: 'gatus',
    text: [
      'x: &x v',
      `c: &c [${'*x,'.repeat(990)}]`,
      `e: [${'1,'.repeat(30_000)}]`,
      `d: [${'*c,'.repeat(400)}]`,
      `endpoints: [${site}]`,
    ].join('\n'),
    told: /^text has aliases for \d+ values: at most \d+ are read$/,
  },
  {
    name: 'a list in a list in a list',
    product: 'gatus',
    text: '['.repeat(amount(20_000, 100_000)),
    told: /^text is nested too deeply$/,
  },
]
