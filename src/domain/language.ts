// Languages and time zones: how an organization reads what is written for people.

/** BCP 47 codes of the languages that messages are written in. */
export const languages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'ja',
  'zh',
  'tr',
  'ar',
] as const
export type Language = (typeof languages)[number]

/**
 * The variety that texts are written in, for Intl: international English and the Portuguese of
 * Portugal.
 */
export function localeTag(language: Language): string {
  if (language === 'en') return 'en-GB'
  return language === 'pt' ? 'pt-PT' : language
}

export interface Locale {
  readonly language: Language
  /** A name of the IANA time zone database, such as `Europe/Berlin`. */
  readonly timezone: string
}

/** What is required of the name of a time zone, for people. */
export const timezoneRule = 'must be an IANA time zone such as Europe/Berlin'

export const defaultLocale: Locale = { language: 'en', timezone: 'UTC' }

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
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
