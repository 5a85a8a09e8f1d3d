// The letters that subscribers get.

import type { NewsKind } from '../../domain/subscribers/news.ts'
import type { SubscriberConsent } from '../../domain/subscribers/subscriber.ts'
import { type Letter, letterOf } from '../../mail/letter.ts'
import { alertLetter } from '../../mail/letters/alert.ts'
import { pageFormats } from '../../pages/page-formats.ts'
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import type { NoticeContent } from './notice-content.ts'
import { type NoticePage, noticeText } from './notice-text.ts'

/** Where a subscriber changes and ends the subscription. */
export interface SubscriptionUrls {
  readonly manage: string
  readonly unsubscribe: string
}

export interface NoticeLetter {
  readonly news: NewsKind
  readonly content: NoticeContent
  readonly page: NoticePage
  readonly language: Language
  readonly urls: SubscriptionUrls
  /** How it agreed elsewhere; null: here. */
  readonly consent: SubscriberConsent | null
}

export function noticeLetter({ news, content, page, language, urls, consent }: NoticeLetter) {
  const { why, change } = textsOf('subscribers', language)
  const reason = consent
    ? movedText(consent, { page: page.title, language, timezone: page.timezone })
    : why({ page: page.title })
  const text = noticeText(news, content, page, language)
  const letter = alertLetter({
    ...text,
    subject: `${text.title} · ${page.title}`,
    links: [text.link],
    language,
    footer: [reason, `${change}: ${urls.manage}`],
    unsubscribe: {
      label: textsOf('status-page', language).subscribe.unsubscribeButton,
      url: urls.unsubscribe,
    },
  })
  return { letter, matterId: text.matterId }
}

interface MovedSubscription {
  readonly page: string
  readonly language: Language
  readonly timezone: string
}

/** Says why somebody is subscribed who was not asked here: where and when it confirmed. */
export function movedText(
  { source, confirmedAtMs }: Pick<SubscriberConsent, 'source' | 'confirmedAtMs'>,
  { page, language, timezone }: MovedSubscription,
): string {
  const { date } = pageFormats(language, timezone)
  return textsOf('subscribers', language).moved({ page, source, date: date(confirmedAtMs) })
}

interface SubscriptionLetter {
  readonly pageTitle: string
  readonly language: Language
  readonly manageUrl: string
}

/** Asks whether the address wants to subscribe. Its link is the only way to agree. */
export function confirmLetter({ pageTitle, language, manageUrl }: SubscriptionLetter): Letter {
  const { confirm } = textsOf('subscribers', language)
  return letterOf({
    language,
    subject: confirm.subject({ page: pageTitle }),
    paragraphs: [confirm.about({ page: pageTitle })],
    button: { label: confirm.button, url: manageUrl },
    footer: [confirm.footer],
  })
}

/** The letter to an address that is subscribed already: the way back to its subscription. */
export function alreadyLetter({ pageTitle, language, manageUrl }: SubscriptionLetter): Letter {
  const { already, change, why } = textsOf('subscribers', language)
  return letterOf({
    language,
    subject: already.subject({ page: pageTitle }),
    paragraphs: [already.about({ page: pageTitle })],
    button: { label: change, url: manageUrl },
    footer: [why({ page: pageTitle })],
  })
}
