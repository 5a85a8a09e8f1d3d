// Subscribers who confirmed elsewhere, as a document or a list gives them: what is read of one, and what is wrong.
import type { FieldProblem } from '../../base/fault.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { type Language, languages } from '../../texts/languages.ts'
import { limits } from '../limits/limits.ts'
import { type SubscriberConsent, type SubscriberKind, subscriberKinds } from './subscriber.ts'

/** One that comes along without being asked again. */
export interface ConsentedSubscriber {
  readonly kind: SubscriberKind
  /** As it is stored. */
  readonly address: string
  readonly sectionNames: readonly string[]
  /** Null: that of the page. */
  readonly language: Language | null
  readonly consent: Pick<SubscriberConsent, 'source' | 'confirmedAtMs'>
}

export interface ReadingConsented {
  readonly nowMs: number
  /** The names of the sections of the page. */
  readonly sections: ReadonlySet<string>
  /** The address as it is stored; null if nothing can be sent to it. */
  readonly normalized: (kind: SubscriberKind, text: string) => string | null
}

export interface SubscribersImported {
  /** Who came along, confirmed. */
  readonly added: number
  /** Who was there already. */
  readonly known: number
  /** Whose subscription ended here after they had confirmed elsewhere. */
  readonly ended: number
  /** Who had not confirmed, or has a field that breaks a rule. */
  readonly leftOut: number
}

/** What became of those that an import carried. `problems`: why some were left out, the first ones. */
export type SubscribersOfImport = SubscribersImported & {
  readonly problems: readonly Pick<FieldProblem, 'pointer' | 'message'>[]
}

export const noSubscribers: SubscribersOfImport = {
  ...{ added: 0, known: 0, ended: 0, leftOut: 0 },
  problems: [],
}

export const consentSourceCharsMax = 200

/** RFC 3339, or a day alone, which means its beginning in UTC. */
const timePattern =
  /^(?:19[7-9]\d|2[01]\d\d)-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/
const timeRule = 'must be a time such as 2026-03-29T02:30:00Z'

const known: ReadonlySet<string> = new Set([
  ...['kind', 'address', 'sectionNames', 'language', 'consent'],
])

/** Returns the subscriber, or what is wrong with it: field and rule, with pointers relative to it. */
export function readConsented(
  value: unknown,
  reading: ReadingConsented,
): ConsentedSubscriber | readonly FieldProblem[] {
  const problems: FieldProblem[] = []
  const wrong = (pointer: string, keyword: string, message: string) => {
    problems.push({ pointer, keyword, message })
    return null
  }
  if (!isRecord(value)) {
    wrong('', 'type', 'must be an object')
    return problems
  }
  for (const name of Object.keys(value)) {
    if (!known.has(name)) wrong(`/${name}`, 'additionalProperties', 'is not a known field')
  }
  const kind =
    kindOf(value.kind) ?? wrong('/kind', 'enum', `must be ${subscriberKinds.join(' or ')}`)
  const { address: text } = value
  const address = kind && typeof text === 'string' ? reading.normalized(kind, text) : null
  if (kind && address === null) {
    const rule = kind === 'email' ? 'an e-mail address' : 'a URL to which messages may be sent'
    wrong('/address', 'format', `must be ${rule}`)
  }
  const consent = consentOf(value.consent, reading.nowMs, wrong)
  const { language = null } = value
  const isSpoken = language === null || languages.some((one) => one === language)
  if (!isSpoken) wrong('/language', 'enum', `must be one of ${languages.join(', ')}`)
  const sectionNames = sectionsOf(value.sectionNames, reading.sections, wrong)
  if (problems.length > 0 || !kind || address === null || !consent || !sectionNames) return problems
  return { kind, address, sectionNames, language: language as Language | null, consent }
}

type Wrong = (pointer: string, keyword: string, message: string) => null

function kindOf(kind: unknown): SubscriberKind | undefined {
  return kind === undefined ? 'email' : subscriberKinds.find((one) => one === kind)
}

function consentOf(
  value: unknown,
  nowMs: number,
  wrong: Wrong,
): ConsentedSubscriber['consent'] | null {
  if (!isRecord(value)) {
    return wrong('/consent', 'required', 'must say where and when the address confirmed')
  }
  const { source, confirmedAt } = value
  const where = typeof source === 'string' ? source.trim() : ''
  if (where === '') wrong('/consent/source', 'required', 'must say where the address confirmed')
  if (where.length > consentSourceCharsMax) {
    wrong('/consent/source', 'maxLength', `must have at most ${consentSourceCharsMax} characters`)
  }
  const confirmedAtMs =
    typeof confirmedAt === 'string' && timePattern.test(confirmedAt)
      ? Date.parse(confirmedAt)
      : Number.NaN
  if (Number.isNaN(confirmedAtMs)) return wrong('/consent/confirmedAt', 'format', timeRule)
  if (confirmedAtMs > nowMs) {
    return wrong('/consent/confirmedAt', 'maximum', 'must not be in the future')
  }
  return { source: where.replace(/\p{Cc}+/gu, ' '), confirmedAtMs }
}

function sectionsOf(
  value: unknown,
  sections: ReadonlySet<string>,
  wrong: Wrong,
): readonly string[] | null {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > limits.pageSectionsMax) {
    return wrong('/sectionNames', 'type', `must be a list of at most ${limits.pageSectionsMax}`)
  }
  const names = value.flatMap((name: unknown, at) => {
    if (typeof name === 'string' && sections.has(name)) return [name]
    wrong(`/sectionNames/${at}`, 'reference', 'must be a section of the page')
    return []
  })
  return [...new Set(names)]
}
