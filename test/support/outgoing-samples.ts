// Documents as an export has them: a monitor of each kind, with every field that its kind may have.

import { channelDefinitions } from '../../src/channels/registry.ts'
import { isTold } from '../../src/domain/checks/check-type.ts'
import { eachStatus, placeOf, statusesOf } from '../../src/domain/exports/targets.ts'
import {
  type CheckKind,
  fieldsWithout,
  hasField,
} from '../../src/domain/monitors/monitor-fields.ts'
import { completedInput, inputProblems } from '../../src/domain/monitors/monitor-input.ts'
import { checkKinds, kindOf } from '../../src/probes/registry.ts'
import { seededRandom } from './seeded-random.ts'

export type SampleItem = Readonly<Record<string, unknown>> & { readonly name: string }

export const sampleId = (prefix: string, index: number) =>
  `${prefix}_${String(index).padStart(26, '0')}`

/** A value of each field that is not its default. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  method: ['POST', 'HEAD'],
  expectedStatus: [204],
  acceptedStatuses: [['200-299'], ['301', '302'], ['200-299', '401'], ['100-599']],
  followRedirects: [false],
  maxRedirects: [3],
  ignoreTlsErrors: [true],
  bodyContains: ['all is well'],
  bodyNotContains: ['out of order'],
  assertions: [
    [{ source: 'responseTime', path: null, type: 'lessThan', value: '800' }],
    [{ source: 'json', path: '$.list[0].state', type: 'equals', value: 'ready' }],
    [{ source: 'json', path: '$.error', type: 'notExists', value: null }],
    [{ source: 'body', path: null, type: 'regex', value: 'a+b' }],
  ],
  ipFamily: ['ipv4', 'ipv6'],
  timeoutMs: [5_000, 2_500],
  degradedThresholdMs: [500],
  failureThreshold: [1, 5],
  recoveryThreshold: [1, 4],
  retryIntervalSeconds: [10],
  reminderMinutes: [60, 4],
  isUpsideDown: [true],
  isActive: [false],
  tags: [['prod', 'eu'], ['team: shop']],
  description: ['What is done in the night'],
  runbookUrl: ['https://wiki.example.org/shop'],
  publicName: ['Shop'],
  sloPercent: [99.9],
  certificateWarnDays: [[5]],
  domainWarnDays: [[10]],
  connectTo: ['192.0.2.7'],
  graceSeconds: [600],
  schedule: ['5 4 * * *'],
  maxRunSeconds: [900],
  intervalSeconds: [60, 86_400],
  username: ['ann'],
  body: ['ping'],
  locations: [['home']],
}

/** Fields that a kind cannot do without. */
const needed: Readonly<Record<string, object>> = {
  keyword: { bodyContains: 'all is well' },
  game: { game: 'minecraft' },
  steps: {
    steps: [
      { name: 'Sign in', method: 'POST', url: '/sign-in', body: '{"name":"{{user}}"}' },
      {
        name: 'Cart',
        url: '/cart',
        assertions: [{ source: 'body', type: 'contains', value: 'Total' }],
      },
    ],
    variables: { user: '' },
  },
}

/** A monitor of the kind with some of the fields, as an export has it. Undefined if they contradict each other. */
function sampleMonitor(kind: CheckKind & { example?: string }, index: number, seed: number) {
  const random = seededRandom(seed)
  const chosen = Object.entries(values).flatMap(([field, some]) => {
    const value = some[Math.floor(random() * some.length)]
    return random() < 0.25 && hasField(kind, field) ? [[field, value] as const] : []
  })
  const own = { name: `${kind.type} ${seed}`, checkType: kind.type, url: kind.example ?? null }
  const given = {
    intervalSeconds: 300,
    ...Object.fromEntries(chosen),
    ...own,
    ...needed[kind.type],
  }
  const input = completedInput(given)
  if (inputProblems(input, kindOf(input)).length > 0) return undefined
  const without = new Set(fieldsWithout(kindOf(input)))
  const fields = Object.entries(input).filter(([field]) => !without.has(field))
  const monitor: SampleItem = {
    id: sampleId('mon', index),
    ...Object.fromEntries(fields),
    name: own.name,
    checkType: kind.type,
    intervalSeconds: input.intervalSeconds,
  }
  return { monitor, chosen: chosen.map(([field]) => field) }
}

/** Some monitors of every kind. */
export function sampleMonitors(ofEach: number) {
  const found: { readonly monitor: SampleItem; readonly chosen: readonly string[] }[] = []
  for (const [index, kind] of checkKinds.entries()) {
    let made = 0
    for (let seed = 1; made < ofEach && seed < ofEach * 20; seed += 1) {
      const one = sampleMonitor(kind, found.length, index * 1_000 + seed)
      if (!one) continue
      found.push(one)
      made += 1
    }
  }
  return found
}

/** A channel of each type; its secrets are not in it. */
export function sampleChannels() {
  const secretsOmitted: string[] = []
  const channels = channelDefinitions.map(
    ({ type, title, example, secrets }, index): SampleItem => {
      const config = Object.entries<unknown>({ ...example })
      for (const [field] of config) {
        if (secrets.includes(field)) secretsOmitted.push(`/channels/${index}/config/${field}`)
      }
      return {
        id: sampleId('chn', index),
        name: `${title} of the shop`,
        type,
        config: Object.fromEntries(config.filter(([field]) => !secrets.includes(field))),
        isActive: true,
        isDefault: false,
        events: ['incident.opened', 'incident.resolved'],
        minSeverity: 'degraded',
        delayMinutes: 0,
        tags: [],
        quietHours: null,
      }
    },
  )
  return { channels, secretsOmitted }
}

/** Runs a writing to its end. */
export function writtenBy<Result>(writing: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = writing.next()
    if (done) return value
  }
}

interface NamedNote {
  readonly name: string | null
  readonly text: string
}

/** Whether a whole monitor comes in another way, and the notes say so. */
const otherwise = /left out|only its port|only the address|became|is "|is asked/

/** What each field says, where several forms say the same. */
function meaning(monitor: SampleItem, field: string): unknown {
  const { checkType } = monitor
  const value = monitor[field]
  if (field === 'expectedStatus' || field === 'acceptedStatuses') {
    const accepted = monitor.acceptedStatuses as readonly string[]
    return eachStatus(statusesOf(Number(monitor.expectedStatus), accepted))
  }
  if (field === 'url') {
    const place = placeOf(String(value))
    return place
      ? { ...place, path: place.path.replace(/\/$/, ''), query: `${place.query}` }
      : value
  }
  if (field === 'tags') return (value as readonly string[]).toSorted()
  if (field === 'username') {
    const { Authorization = '' } = (monitor.headers ?? {}) as { Authorization?: string }
    const [, pair = ''] = /^Basic (.+)$/.exec(Authorization) ?? []
    return value ?? Buffer.from(pair, 'base64').toString().split(':')[0]
  }
  if (field === 'checkType')
    return checkType === 'keyword' || checkType === 'health' ? 'endpoint' : checkType
  return value
}

/** All that is expected of a text, where fields and assertions say the same. */
function expected(monitor: SampleItem, fields: readonly string[]): readonly string[] {
  const words = [
    ['bodyContains', 'contains'],
    ['bodyNotContains', 'notContains'],
  ].flatMap(([name = '', type]) => {
    if (!fields.includes(name) || !monitor[name]) return []
    return [{ source: 'body', path: null, type, value: monitor[name] }]
  })
  const own = fields.includes('assertions') ? (monitor.assertions as readonly object[]) : []
  return [...own, ...words].map((one) => JSON.stringify(Object.entries(one).sort()))
}

const textFields = ['bodyContains', 'bodyNotContains', 'assertions']

/** The fields that somebody set, and that neither came back nor are named in a note. */
export function lostFields(
  { monitor, chosen }: { readonly monitor: SampleItem; readonly chosen: readonly string[] },
  again: object | undefined,
  notes: readonly NamedNote[],
): string[] {
  const said = notes.filter(({ name }) => name === monitor.name).map(({ text }) => text)
  if (again === undefined) return said.some((text) => otherwise.test(text)) ? [] : ['monitor']
  const back = { ...completedInput(again as object) } as unknown as SampleItem
  return ['checkType', 'url', 'intervalSeconds', 'isActive', ...chosen].filter((field) => {
    if (field === 'intervalSeconds' && isTold({ checkType: String(back.checkType) })) return false
    if (field === 'maxRedirects' && monitor.followRedirects === false) return false
    if (field === 'tags') {
      const tags = back.tags as readonly string[]
      if ((monitor.tags as readonly string[]).every((tag) => tags.includes(tag))) return false
    }
    if (textFields.includes(field)) {
      const found = expected(back, textFields)
      if (expected(monitor, [field]).every((text) => found.includes(text))) return false
    } else if (JSON.stringify(meaning(monitor, field)) === JSON.stringify(meaning(back, field)))
      return false
    const isWhole = field === 'checkType' || field === 'url'
    const whole = isWhole
      ? otherwise
      : field === 'isActive'
        ? /switched off|resume the monitor/
        : /^$/
    return !said.some((text) => text.includes(field) || whole.test(text))
  })
}
