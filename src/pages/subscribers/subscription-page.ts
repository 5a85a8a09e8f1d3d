// The pages that the links in letters to subscribers open: confirm, change and end a subscription.
// Opening one changes nothing, because mail scanners open links too.

import type { SubscriberState } from '../../domain/subscribers/subscriber.ts'
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { actionPage } from '../action-page.ts'
import { frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { sectionBoxes } from './section-boxes.ts'

export interface ShownSubscription {
  readonly language: Language
  readonly page: {
    readonly title: string
    readonly url: string
    readonly sections: readonly string[]
  }
  readonly maskedAddress: string
  readonly state: SubscriberState
  /** The page is for members now, and the address is of none. */
  readonly isSilent: boolean
  readonly sectionNames: readonly string[]
  /** How it agreed elsewhere; null: here. */
  readonly moved: string | null
  readonly secret: string | null
}

/** `action`: the path of this page. `isSaved`: the reader has just changed something. */
export function subscriptionPage(
  subscription: ShownSubscription,
  action: string,
  isSaved: boolean,
): Html {
  const { language, page, maskedAddress, state, isSilent, sectionNames, moved, secret } =
    subscription
  const { subscribe } = textsOf('status-page', language)
  const own = textsOf('subscribers', language)
  const isActive = state === 'active'
  const title = isActive ? own.already.subject({ page: page.title }) : subscribe.confirmHeading
  const boxes =
    page.sections.length > 0 &&
    sectionBoxes({
      sections: page.sections,
      chosen: sectionNames,
      legend: subscribe.onlySections,
      hint: own.noneForAll,
    })
  return frame({
    title,
    language,
    isIndexed: false,
    body: html`<main class="task card">
<h1 dir="auto">${title}</h1>
<p dir="auto">${isSilent ? own.silent : isActive ? subscribe.confirmed : own.confirm.about({ page: page.title })}</p>
<p dir="auto"><b>${maskedAddress}</b></p>
${moved !== null && isActive && html`<p dir="auto">${moved}</p>\n`}\
${isSaved && !isSilent && html`<p class="note is-up" role="status">${own.saved}</p>\n`}\
${secret !== null && html`<p>${own.secret}:</p>\n<p dir="ltr"><code>${secret}</code></p>\n`}\
${
  !isSilent &&
  (boxes || !isActive) &&
  html`<form method="post" action="${action}">
${boxes}<button type="submit">${isActive ? own.save : subscribe.confirmButton}</button>
</form>
`
}<p class="links"><a href="${`${action}/unsubscribe`}">${subscribe.unsubscribeButton}</a>
${link(page.url, own.goTo)}</p>
</main>`,
  })
}

/** A page served by plain http has no link here: it would be dropped. */
function link(url: string, label: string): Html {
  return html`<a href="${url}">${label}</a>`
}

export function endSubscriptionPage(
  { language, page, maskedAddress }: ShownSubscription,
  action: string,
): Html {
  const { subscribe } = textsOf('status-page', language)
  return actionPage({
    language,
    title: subscribe.unsubscribeHeading,
    sentences: [page.title, maskedAddress],
    form: { action, hidden: {}, button: subscribe.unsubscribeButton },
  })
}

export function endedSubscriptionPage(language: Language): Html {
  const { subscribe } = textsOf('status-page', language)
  return actionPage({ language, title: subscribe.unsubscribed, sentences: [] })
}

export function noSubscriptionPage(language: Language): Html {
  const { subscribe } = textsOf('status-page', language)
  return actionPage({ language, title: subscribe.linkExpired, sentences: [] })
}
