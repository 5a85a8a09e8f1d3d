// Letters that tell the administrators that monitoring was interrupted by the local network.
import type { Capability } from '../../domain/checks/observer.ts'
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { utcTimeText } from '../../texts/times.ts'
import { type Letter, type LetterPlan, letterOf } from '../letter.ts'

export interface Interruption {
  /** The address of the instance. */
  readonly baseUrl: string
  readonly fromMs: number
  /** Null while it lasts. */
  readonly toMs: number | null
  /** What failed: at least one. */
  readonly lost: readonly Capability[]
  readonly heldMonitors: number
  /** The number of earlier interruptions without a letter of their own, to limit the letters. */
  readonly untold: number
}

export function observerLetter(interruption: Interruption, language: Language): Letter {
  const { why } = textsOf('letters', language)
  return letterOf({
    ...observerNews(interruption, language),
    language,
    footer: [why.administer],
  })
}

/** What the letter says. */
export function observerNews(
  interruption: Interruption,
  language: Language,
): Pick<LetterPlan, 'subject' | 'paragraphs'> {
  const { baseUrl: service, fromMs, toMs, heldMonitors: count, untold } = interruption
  const { pair, ended, lasting, ...texts } = textsOf('letters', language).observer
  const names = interruption.lost.map((capability) => texts.lost[capability])
  const lost = names.reduce((before, after) => pair({ before, after }))
  const from = utcTimeText(fromMs, language)
  if (toMs === null) {
    return {
      subject: lasting.subject,
      paragraphs: [lasting.since({ time: from, service, lost, count }), lasting.wrong],
    }
  }
  return {
    subject: ended.subject,
    paragraphs: [
      ended.span({ service, from, to: utcTimeText(toMs, language), lost }),
      count === 0 ? ended.none : ended.held({ count }),
      ...(untold > 0 ? [ended.untold({ count: untold })] : []),
    ],
  }
}
