// An organization: the tenant that owns monitors, channels, pages and keys.
import type { FieldProblem } from '../../base/fault.ts'
import type { OrgId } from '../../base/ids.ts'
import type { QuotaNoun } from '../../base/nouns.ts'
import type { Language } from '../../texts/languages.ts'
import { isTimezone, type Locale, timezoneRule } from '../language.ts'
import type { TagColor } from './tag-colors.ts'

/** The maximum numbers of objects of an organization. */
export type Quotas = Readonly<Record<QuotaNoun, number>>

export interface Organization {
  readonly id: OrgId
  readonly name: string
  /** How its people read messages; absent: the default. */
  readonly language?: Language
  readonly timezone?: string
  /** How the console shows tags; absent: all alike. */
  readonly tagColors?: readonly TagColor[]
  /** The operator's values, which replace the default quotas. */
  readonly quotas?: Partial<Quotas>
  /** Switched off by the operator: nobody can access it, and nothing in it is checked. */
  readonly isDisabled?: boolean
  /** When it was switched off; since then its monitors received no reports. */
  readonly disabledAtMs?: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}

/** A choice of the organization: null returns to the default, undefined changes nothing. */
export interface LocaleChoice {
  readonly language?: Language | null | undefined
  readonly timezone?: string | null | undefined
}

/** The record with the choice. What is the default is not stored. */
export function withLocale<Org extends object>(
  { language, timezone, ...org }: Org & Partial<Locale>,
  choice: LocaleChoice,
) {
  const chosen = {
    language: choice.language === undefined ? language : choice.language,
    timezone: choice.timezone === undefined ? timezone : choice.timezone,
  }
  return {
    ...org,
    ...(chosen.language ? { language: chosen.language } : {}),
    ...(chosen.timezone ? { timezone: chosen.timezone } : {}),
  }
}

/** What is wrong with the choice of a language and a time zone that its schema cannot express. */
export function localeProblems({ timezone }: LocaleChoice): FieldProblem[] {
  if (timezone === undefined || timezone === null || isTimezone(timezone)) return []
  return [{ pointer: '/timezone', keyword: 'format', message: timezoneRule }]
}
