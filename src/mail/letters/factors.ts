// Letters about the second factor: it was turned on or off, or a recovery code was used.
import type { Language } from '../../texts/languages.ts'
import { marksOf } from '../../texts/marks.ts'
import { textsOf } from '../../texts/texts.ts'
import { utcTimeText } from '../../texts/times.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface FactorNotice {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly atMs: number
  readonly language: Language
}

/** Announces that sign-ins require a code from now on. */
export function factorOnLetter(notice: FactorNotice): Letter {
  const { language } = notice
  const { subject, turned, from } = textsOf('letters', language).factor.on
  const paragraphs = [turned(placeOf(notice)), from]
  return letterOf({ language, subject, paragraphs, footer: footer(notice) })
}

/** Announces that sign-ins no longer require a code. */
export function factorOffLetter(
  notice: FactorNotice & { readonly by: 'you' | 'operator' },
): Letter {
  const { language, by } = notice
  const { subject, turned, byOperator, from } = textsOf('letters', language).factor.off
  const what = by === 'you' ? turned : byOperator
  const paragraphs = [what(placeOf(notice)), from]
  return letterOf({ language, subject, paragraphs, footer: footer(notice) })
}

/** From so few on, the letter says how to get new ones. */
const fewCodes = 2

/** A recovery code was used; `left` remain. */
export function recoveryUsedLetter(notice: FactorNotice & { readonly left: number }): Letter {
  const { language, left } = notice
  const { subject, used, advice, ...texts } = textsOf('letters', language).factor.used
  const rest = texts.left({ count: left })
  return letterOf({
    language,
    subject,
    paragraphs: [
      used(placeOf(notice)),
      left <= fewCodes ? rest + marksOf(language).gap + advice : rest,
    ],
    footer: footer(notice),
  })
}

function placeOf({ baseUrl, atMs, language }: FactorNotice) {
  return { time: utcTimeText(atMs, language), service: baseUrl }
}

function footer({ baseUrl, language }: FactorNotice): string[] {
  const { why, factor } = textsOf('letters', language)
  return [why.account({ service: baseUrl }), factor.otherwise]
}
