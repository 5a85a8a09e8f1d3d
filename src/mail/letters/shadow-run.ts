// The letter about monitors that are still silent beside the system that they come from.
import type { ImportId } from '../../base/ids.ts'
import type { ShadowLineKind } from '../../domain/imports/shadow-report.ts'
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { utcTimeText } from '../../texts/times.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface ShadowRunNews {
  readonly baseUrl: string
  readonly organization: string
  readonly importId: ImportId
  /** How many monitors are silent. */
  readonly monitors: number
  readonly sinceMs: number
  readonly counts: Readonly<Record<ShadowLineKind, number>>
  /** Whether anything is known of what the old system told. */
  readonly isHeard: boolean
  readonly language: Language
}

export function shadowLetter(news: ShadowRunNews): Letter {
  const { baseUrl, organization, importId, monitors: count, sinceMs, language } = news
  const { both, onlyTheirs: theirs, onlyOurs: ours } = news.counts
  const texts = textsOf('letters', language).shadow
  return letterOf({
    language,
    subject: texts.subject({ organization, count }),
    paragraphs: [
      texts.since({ count, time: utcTimeText(sinceMs, language) }),
      ...(news.isHeard ? [texts.compared({ both, theirs, ours })] : [texts.unheard]),
      texts.next,
    ],
    button: { label: texts.button, url: `${baseUrl}/app/imports/${importId}` },
    footer: [texts.why({ organization, service: baseUrl })],
  })
}
