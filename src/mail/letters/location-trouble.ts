// The letters about a location that is silent, for the people who answer for it.
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { utcTimeText } from '../../texts/times.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface LocationTrouble {
  readonly baseUrl: string
  readonly location: string
  /** Null: it is the operator's own, and the reader administers the service. */
  readonly orgName: string | null
  readonly silentSinceMs: number
  readonly isOver: boolean
}

export function locationLetter(trouble: LocationTrouble, language: Language): Letter {
  const { baseUrl: service, orgName: organization, isOver } = trouble
  const { location: texts, why } = textsOf('letters', language)
  const own = isOver ? texts.back : texts.silent
  return letterOf({
    ...locationNews(trouble, language),
    language,
    footer: [organization === null ? why.administer : own.why({ organization, service })],
  })
}

/** What the letter says. */
export function locationNews(trouble: LocationTrouble, language: Language) {
  const { baseUrl: service, location, silentSinceMs, isOver } = trouble
  const { silent, back } = textsOf('letters', language).location
  const time = utcTimeText(silentSinceMs, language)
  if (isOver) {
    return { subject: back.subject({ location }), paragraphs: [back.heard({ location, time })] }
  }
  return {
    subject: silent.subject({ location }),
    paragraphs: [silent.since({ location, time }), silent.look({ service })],
  }
}
