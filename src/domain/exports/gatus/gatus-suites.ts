// Monitors with steps as suites of Gatus: endpoints in a row that share a context.
import { type ForeignFields, fieldsOf, listOf, numberOf, textOf } from '../../imports/foreign.ts'
import { noteUnsaid, type OutgoingMonitor } from '../outgoing.ts'
import { statusesOf } from '../targets.ts'
import { assertionText, bodyPathOf, conditionOf, statusConditions } from './gatus-conditions.ts'
import type { GatusCommon } from './gatus-endpoints.ts'
import type { GatusVariables } from './gatus-variables.ts'

/** `freeName`: one that no other endpoint of the group has. */
interface GatusSuite extends GatusCommon {
  readonly freeName: (group: string | undefined, wanted: string) => string
}

export function suiteOf(
  monitor: OutgoingMonitor,
  { head, tail, freeName }: GatusSuite,
  secrets: GatusVariables,
): ForeignFields | undefined {
  const base = monitor.text('url')
  const steps = monitor.list('steps')
  const { 'maintenance-windows': windows, 'extra-labels': labels, ...more } = { ...head, ...tail }
  const { name, group, ...alerted } = more
  const lost: string[] = []
  if (windows !== undefined) lost.push('its maintenance windows')
  if (labels !== undefined) lost.push(`the tags ${textOf(fieldsOf(labels).tags)}`)
  const inContext = createContext(monitor, secrets, lost)
  const endpoints = steps.map((step, index) => {
    const own = textOf(step.name) || `Step ${index + 1}`
    const free = freeName(typeof group === 'string' ? group : undefined, own)
    return { name: free, ...alerted, ...requestOf(step, base, inContext, lost) }
  })
  const isWhole = inContext.isWhole()
  if (!isWhole) monitor.note('switched off: Gatus would send its placeholders otherwise')
  noteUnsaid(monitor, lost)
  return {
    ...(monitor.flag('isActive') && isWhole ? {} : { enabled: false }),
    name,
    ...(group === undefined ? {} : { group }),
    interval: `${monitor.intervalSeconds()}s`,
    timeout: `${monitor.number('timeoutMs')}ms`,
    ...inContext.values(),
    endpoints,
  }
}

type InContext = ReturnType<typeof createContext>

function requestOf(
  step: ForeignFields,
  base: string,
  inContext: InContext,
  lost: string[],
): ForeignFields {
  const filled = (value: unknown) => inContext.filled(textOf(value))
  const headers = Object.entries(fieldsOf(step.headers)).map(([name, value]) => [
    name,
    filled(value),
  ])
  const body = filled(step.body)
  const method = textOf(step.method) || 'GET'
  const accepted = listOf(step.acceptedStatuses).map(textOf)
  const conditions = [
    ...statusConditions(statusesOf(numberOf(step.expectedStatus) ?? 200, accepted)),
    ...listOf(step.assertions)
      .map(fieldsOf)
      .flatMap((assertion) => {
        const value = typeof assertion.value === 'string' ? inContext.filled(assertion.value) : null
        const condition = conditionOf({ ...assertion, value })
        if (condition === undefined) lost.push(`its assertion ${assertionText(assertion)}`)
        return condition ?? []
      }),
  ]
  const store = storeOf(listOf(step.captures).map(fieldsOf), lost)
  if (numberOf(step.degradedThresholdMs) !== undefined) lost.push('degradedThresholdMs of a step')
  return {
    url: absolute(filled(step.url), base),
    ...(method === 'GET' ? {} : { method }),
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(body === '' ? {} : { body }),
    ...(step.followRedirects === false ? { client: { 'ignore-redirect': true } } : {}),
    conditions: conditions.length > 0 ? conditions : ['[CONNECTED] == true'],
    ...(store === undefined ? {} : { store }),
    ...(step.isCleanUp === true ? { 'always-run': true } : {}),
  }
}

/** Placeholders of Gatus stay as they are, where a URL would be written otherwise. */
function absolute(url: string, base: string): string {
  if (/^https?:\/\//i.test(url) || url.startsWith('[CONTEXT]')) return url
  const origin = URL.parse(base)?.origin ?? base
  if (url.startsWith('/')) return `${origin}${url}`
  return `${base.replace(/[?#].*$/, '').replace(/[^/]*$/, '')}${url}`
}

function storeOf(captures: readonly ForeignFields[], lost: string[]): ForeignFields | undefined {
  const stored = captures.flatMap(({ name, source, path }): [string, string][] => {
    const isAll = source === 'body' && path === '(?s).*'
    const inBody = isAll ? '' : source === 'json' ? bodyPathOf(textOf(path)) : undefined
    if (inBody === undefined)
      lost.push(`its capture ${textOf(name)}: only values of JSON are stored`)
    return inBody === undefined ? [] : [[textOf(name), `[BODY]${inBody}`]]
  })
  return stored.length === 0 ? undefined : Object.fromEntries(stored)
}

/** Puts names of the context into texts, and collects its values. */
function createContext(monitor: OutgoingMonitor, secrets: GatusVariables, lost: string[]) {
  const values: Record<string, unknown> = { ...monitor.fields('variables') }
  for (const name of monitor.omittedIn('variables')) {
    values[name] = secrets.of(monitor, `variables/${name}`, name, `variable ${name}`)
  }
  let isWhole = true
  return {
    isWhole: () => isWhole,
    values: () => (Object.keys(values).length === 0 ? {} : { context: values }),
    filled: (text: string) =>
      text.replaceAll(/\{\{([^{}]{0,100})\}\}(.?)/gs, (_, inside: string, next: string) => {
        const name = inside.trim()
        const [, secret] = /^secret\.(\w+)$/.exec(name) ?? []
        if (secret !== undefined) return `${secrets.named(secret)}${next}`
        // Gatus reads a name up to the first other sign.
        if (!/^\w+$/.test(name) || /[\w.-]/.test(next)) {
          isWhole = false
          lost.push(`its placeholder {{${name}}}`)
        }
        return `[CONTEXT].${name}${next}`
      }),
  }
}
