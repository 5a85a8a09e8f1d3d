// Suites of Gatus: endpoints in a row that share a context. They become monitors with steps.
import { isSecretHeader } from '../../checks/header-rules.ts'
import { limits } from '../../limits/limits.ts'
import { stepsMax } from '../../steps/step.ts'
import {
  type ForeignFields,
  type ForeignMonitor,
  fieldsOf,
  listOf,
  type Note,
  nameOf,
  tagsOf,
  textOf,
  within,
} from '../foreign.ts'
import { jsonPathOf } from './conditions.ts'
import { endpointFields, noteUi } from './endpoints.ts'
import { type GatusItem, noteOthers } from './parts.ts'
import { expectationOf, requestOf, secondsOf } from './request.ts'

const usualIntervalSeconds = 600
const usualTimeoutSeconds = 300

const suiteFields = ['enabled', 'name', 'group', 'interval', 'timeout', 'context', 'endpoints']

/** None if an endpoint of the suite is no request of HTTP. */
export function suiteOf({ item, name, note, alerted }: GatusItem): readonly ForeignMonitor[] {
  noteOthers(item, suiteFields, note)
  const endpoints = listOf(item.endpoints).map(fieldsOf)
  const first = URL.parse(textOf(endpoints[0]?.url))
  const other = endpoints.find(({ url }) => !/^https?:\/\//i.test(textOf(url)))
  if (other !== undefined || first === null || endpoints.length > stepsMax) {
    const why = other
      ? `${textOf(other.url)} is no request of HTTP`
      : `it must have 1 to ${stepsMax} endpoints`
    note(`the suite was left out: ${why}`)
    return []
  }
  const context = new Context(fieldsOf(item.context))
  const steps = endpoints.map((one, index) => stepOf(one, index, context, note))
  const wanted = secondsOf(item.interval) ?? usualIntervalSeconds
  const intervalSeconds = within(wanted, limits.intervalSecondsMin, limits.intervalSecondsMax)
  const timeoutMs = (secondsOf(item.timeout) ?? usualTimeoutSeconds) * 1_000
  const timeoutMost = Math.min(limits.timeoutMsMax, intervalSeconds * 1_000)
  return [
    {
      name,
      checkType: 'steps',
      url: `${first.origin}/`,
      isActive: item.enabled !== false,
      tags: tagsOf([item.group]),
      intervalSeconds,
      timeoutMs: within(timeoutMs, limits.timeoutMsMin, timeoutMost),
      degradedThresholdMs: null,
      ...alerted,
      variables: context.variables(),
      steps,
    },
  ]
}

/** Gatus asks all endpoints of a suite at the interval of the suite, and as part of its group. */
const stepFields = endpointFields.filter((field) => field !== 'dns' && field !== 'ssh')

function stepOf(item: ForeignFields, index: number, context: Context, note: Note): ForeignFields {
  const name = nameOf(item.name, `Step ${index + 1}`)
  const noteStep: Note = (text) => note(`"${name}": ${text}`)
  noteOthers(item, stepFields, noteStep)
  noteUi(item, noteStep)
  const { headers, method, body } = requestOf(item, noteStep)
  const conditions = listOf(item.conditions).map((one) => context.in(textOf(one)))
  const frame = { isDns: false, isWeb: true, implied: undefined, note: noteStep }
  const { expectation, domainDays } = expectationOf({ ...item, conditions }, frame)
  if (domainDays !== undefined) noteStep('its expiry of the domain')
  const client = fieldsOf(item.client)
  noteOthers(client, ['ignore-redirect'], noteStep, 'its client.')
  const labels = Object.keys(fieldsOf(item['extra-labels']))
  if (labels.length > 0) noteStep('its extra-labels: a suite has the tags of its group alone')
  const { isUpsideDown, bodyContains, assertions = [], ...statuses } = expectation
  if (isUpsideDown) noteStep('its condition [CONNECTED] == false')
  const contains = { source: 'body', type: 'contains', value: bodyContains }
  return {
    name,
    method,
    url: context.in(textOf(item.url)),
    headers: Object.fromEntries(
      Object.entries(fieldsOf(headers)).map(([header, value]) => [
        header,
        context.header(header, value),
      ]),
    ),
    ...(body === undefined ? {} : { body: context.in(String(body)) }),
    ...statuses,
    assertions: bodyContains === undefined ? assertions : [...assertions, contains],
    captures: capturesOf(fieldsOf(item.store), context, noteStep),
    ...(client['ignore-redirect'] === true ? { followRedirects: false } : {}),
    ...(item['always-run'] === true ? { isCleanUp: true } : {}),
  }
}

function capturesOf(store: ForeignFields, context: Context, note: Note): ForeignFields[] {
  return Object.entries(store).flatMap(([key, value]) => {
    const [, rest] = /^\[BODY\](.*)$/s.exec(textOf(value)) ?? []
    const path = rest === undefined ? undefined : jsonPathOf(rest)
    if (path === undefined) {
      note(`its store of ${key}`)
      return []
    }
    const name = context.nameOf(key)
    return [
      path === '$' ? { name, source: 'body', path: '(?s).*' } : { name, source: 'json', path },
    ]
  })
}

const contextValue = /\[CONTEXT\]\.([A-Za-z0-9_-]{1,100})/g

/** The names and values that the endpoints of a suite share. A class because secrets of headers join them. */
class Context {
  readonly #values = new Map<string, string>()

  constructor(values: ForeignFields) {
    for (const [key, value] of Object.entries(values)) {
      this.#values.set(this.nameOf(key), typeof value === 'boolean' ? `${value}` : textOf(value))
    }
  }

  variables(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#values)
  }

  /** Names of steps have no hyphen, and do not begin with a digit. */
  nameOf(key: string): string {
    return key.replaceAll('-', '_').replace(/^(?=\d)/, '_')
  }

  /** The text with our placeholders. */
  in(text: string): string {
    return text.replace(contextValue, (_, key: string) => `{{${this.nameOf(key)}}}`)
  }

  /** Steps are shown to everybody who edits the monitor: a secret becomes a variable. */
  header(name: string, value: unknown): string {
    const text = this.in(textOf(value))
    if (!isSecretHeader(name) || text.includes('{{')) return text
    const variable = this.nameOf(name.toLowerCase().replace(/[^a-z\d]/g, '_'))
    const known = this.#values.get(variable)
    const free =
      known === undefined || known === text ? variable : `${variable}_${this.#values.size}`
    this.#values.set(free, text)
    return `{{${free}}}`
  }
}
