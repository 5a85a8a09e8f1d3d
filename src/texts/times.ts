// Points in time within sentences, in UTC: for readers whose time zone is not known.
import { timeText as englishTimeText } from '../base/time-text.ts'
import { type Language, localeTag } from './languages.ts'
import { utcTimeIn } from './time-words.ts'

/** The time to the minute: '29 November 2026, 11:36 UTC', '29. November 2026 um 11:36 UTC'. */
export function utcTimeText(atMs: number, language: Language): string {
  if (language === 'en') return englishTimeText(atMs)
  return utcTimeIn(localeTag(language), atMs)
}
