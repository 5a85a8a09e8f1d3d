// Points in time within sentences, in UTC: for readers whose time zone is not known.
import { timeText as englishTimeText } from '../base/time-text.ts'
import { type Language, localeTag } from './languages.ts'

/** The time to the minute: '29 November 2026, 11:36 UTC', '29. November 2026 um 11:36 UTC'. */
export function utcTimeText(atMs: number, language: Language): string {
  if (language === 'en') return englishTimeText(atMs)
  // The same digits and hours in every language: numbers in texts have them, too.
  return new Intl.DateTimeFormat(`${localeTag(language)}-u-nu-latn`, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
    timeZoneName: 'short',
  }).format(atMs)
}
