// The letters that subscribers get.

import type { NewsKind } from '../../domain/subscribers/news.ts'
import { type Letter, letterOf } from '../../mail/letter.ts'
import { alertLetter } from '../../mail/letters/alert.ts'
import { pageWords } from '../../pages/status/words/catalog.ts'
import { subscriberWords } from '../../pages/subscribers/words/catalog.ts'
import type { Language } from '../../texts/languages.ts'
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
  const { why, openInstead, change } = subscriberWords(language)
  const text = noticeText(news, content, page, language)
  const letter = alertLetter({
    ...text,
    subject: `${text.title} · ${page.title}`,
    links: [text.link],
    language,
    openInstead,
    footer: [why(page.title), `${change}: ${urls.manage}`],
    unsubscribe: {
      label: pageWords(language).subscribe.unsubscribeButton,
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
  const { confirm, openInstead } = subscriberWords(language)
  return letterOf({
    language,
    openInstead,
    subject: confirm.subject(pageTitle),
    paragraphs: [confirm.about(pageTitle)],
    button: { label: confirm.button, url: manageUrl },
    footer: [confirm.footer],
  })
}

/** The letter to an address that is subscribed already: the way back to its subscription. */
export function alreadyLetter({ pageTitle, language, manageUrl }: SubscriptionLetter): Letter {
  const { already, openInstead, change, why } = subscriberWords(language)
  return letterOf({
    language,
    openInstead,
    subject: already.subject(pageTitle),
    paragraphs: [already.about(pageTitle)],
    button: { label: change, url: manageUrl },
    footer: [why(pageTitle)],
  })
}
