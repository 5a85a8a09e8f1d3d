// Languages and time zones: how an organization reads what is written for people.
import type { Language } from '../texts/languages.ts'
import { readerLanguage } from '../texts/reader-language.ts'

export interface Locale {
  readonly language: Language
  /** A name of the IANA time zone database, such as `Europe/Berlin`. */
  readonly timezone: string
}

/** What is required of the name of a time zone, for people. */
export const timezoneRule = 'must be an IANA time zone such as Europe/Berlin'

export const defaultLocale: Locale = { language: 'en', timezone: 'UTC' }

/** What somebody reads whose browser sends this Accept-Language: the default if it names none of ours. */
export function languageFor(acceptLanguage: string): Language {
  return readerLanguage(acceptLanguage) ?? defaultLocale.language
}

/** The locale of an organization: what it has not chosen is the default. */
export function localeOf({ language, timezone }: Partial<Locale> = {}): Locale {
  return {
    language: language ?? defaultLocale.language,
    timezone: timezone ?? defaultLocale.timezone,
  }
}

/**
 * Whether it is a time zone that this system knows. Offsets such as +01:00 are none: they know no
 * summer time.
 */
export function isTimezone(name: string): boolean {
  return timezoneKey(name) !== null
}

/** The name of a time zone in small letters, since its case means nothing; null if there is no such zone. */
export const timezoneKey = createTimezoneKeys()

/** Asking the system is slow. There are a few hundred names, so all that were asked for are kept. */
function createTimezoneKeys() {
  const known = new Set<string>()
  return (name: string): string | null => {
    if (!/^[A-Za-z][\w/+-]*$/.test(name)) return null
    const key = name.toLowerCase()
    if (known.has(key)) return key
    try {
      new Intl.DateTimeFormat('en', { timeZone: name })
    } catch {
      return null
    }
    known.add(key)
    return key
  }
}
