// The letters that subscribers get.

import type { NewsKind } from '../../domain/subscribers/news.ts'
import { type Letter, letterOf } from '../../mail/letter.ts'
import { alertLetter } from '../../mail/letters/alert.ts'
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
}

export function noticeLetter({ news, content, page, language, urls }: NoticeLetter) {
  const { why, change } = textsOf('subscribers', language)
  const text = noticeText(news, content, page, language)
  const letter = alertLetter({
    ...text,
    subject: `${text.title} · ${page.title}`,
    links: [text.link],
    language,
    footer: [why({ page: page.title }), `${change}: ${urls.manage}`],
    unsubscribe: {
      label: textsOf('status-page', language).subscribe.unsubscribeButton,
      url: urls.unsubscribe,
    },
  })
  return { letter, matterId: text.matterId }
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
