// The steps that a form has: how they begin, the order in which they run, and what one may name.
import type { Body, Data } from '../../../../api/client.ts'
import { jsonPathOf } from '../trial/json-path.ts'
import type { MonitorBody } from '../trial/monitor-body.ts'

export type FormStep = NonNullable<MonitorBody['steps']>[number]
export type Capture = NonNullable<FormStep['captures']>[number]
export type TriedStep = NonNullable<Data<'monitors.test'>['steps']>[number]
type Variables = NonNullable<Body<'monitors.create'>['variables']>

/** As many as the API takes. */
export const stepsMax = 20

/** What holds of a step that says nothing else. */
const usualStep = { method: 'GET', followRedirects: true, isCleanUp: false } as const

/** A step with all that its card shows. Fields of it that are null have their default. */
export function wholeStep(step: FormStep): FormStep {
  const given = Object.entries(step).filter(([, value]) => value !== null)
  return { ...usualStep, ...Object.fromEntries(given) } as FormStep
}

export const newStep = (name: string): FormStep => wholeStep({ name, url: '' })

/** The places of the steps in the order in which they run: those that clean up are the last. */
export function runOrder(steps: readonly FormStep[]): readonly number[] {
  const places = [...steps.keys()]
  const isCleanUp = (place: number) => steps[place]?.isCleanUp === true
  return [...places.filter((place) => !isCleanUp(place)), ...places.filter(isCleanUp)]
}

/** Whether running the steps changes nothing at their servers, as far as their methods say. */
export function isHarmless(steps: readonly FormStep[]): boolean {
  return steps.every(({ method }) => method == null || method === 'GET' || method === 'HEAD')
}

/** Names that a step may use, each with where its value comes from. */
export interface KnownName {
  readonly name: string
  /** The name of the step that captures it; absent: it is a variable. */
  readonly from?: string
}

/** The variables, and what the steps capture that run before the one at `place`. */
export function namesFor(
  place: number,
  steps: readonly FormStep[],
  variables: Variables = {},
): readonly KnownName[] {
  const order = runOrder(steps)
  const before = order.slice(0, order.indexOf(place))
  const captured = before.flatMap((place) => {
    const { name: from = '', captures = [] } = steps[place] ?? {}
    return (captures ?? []).map(({ name }) => ({ name, from }))
  })
  const all = [...Object.keys(variables).map((name) => ({ name })), ...captured]
  return all.filter(({ name }, at) => {
    return name !== '' && all.findIndex((one) => one.name === name) === at
  })
}

/** Values that are made anew for each check. */
export const madeNames = ['$uuid', '$timestamp', '$isoTimestamp', '$randomInt'] as const

const nameCharsMax = 64

/** A name for a value, made of what it is called in an answer; other than those that are taken. */
export function freeName(words: string, taken: readonly string[]): string {
  const plain = words
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(?=\d)/, '_')
    .slice(0, nameCharsMax - 3)
  const name = plain === '' ? 'value' : plain
  for (let number = 1; ; number += 1) {
    const numbered = number === 1 ? name : `${name}_${number}`
    if (!taken.includes(numbered)) return numbered
  }
}

/** Takes a value of a JSON answer: by its key, or that of the object or list around it. */
export function captureFor(keys: readonly (string | number)[], taken: readonly string[]): Capture {
  const key = keys.findLast((one) => typeof one === 'string') ?? 'value'
  return { name: freeName(String(key), taken), source: 'json', path: jsonPathOf(keys) }
}

/** Takes the value of a header of an answer. */
export function headerCapture(name: string, taken: readonly string[]): Capture {
  return { name: freeName(name, taken), source: 'header', path: name }
}

const placeholder = /\{\{[^{}]{0,100}\}\}/g

/** Whether a body is JSON once it has its values; undefined if it does not look like JSON. */
export function jsonState(body: string): 'valid' | 'broken' | undefined {
  const filled = body.replace(placeholder, '1')
  if (!/^\s*[[{]/.test(filled)) return undefined
  try {
    JSON.parse(filled)
    return 'valid'
  } catch {
    return 'broken'
  }
}

/** The servers to which steps go by an address of their own, without placeholders. */
function serverOf(url: string): string | undefined {
  const [authority] = /^https?:\/\/[^/?#\\{}\s]+(?=[/?#]|$)/i.exec(url) ?? []
  return URL.parse(authority ?? '')?.origin
}

export interface Addresses {
  readonly url?: string | null | undefined
  readonly steps?: readonly Pick<FormStep, 'url'>[] | null | undefined
}

/** Whether the steps lead to a server that those of the stored monitor do not name: the service judges alike. */
export function leadsElsewhere(stored: Addresses, now: Addresses): boolean {
  const serversOf = ({ url, steps }: Addresses) =>
    [url ?? '', ...(steps ?? []).map((step) => step.url)].flatMap((one) => serverOf(one) ?? [])
  const known = new Set(serversOf(stored))
  return serversOf(now).some((server) => !known.has(server))
}
