// The page on which readers of a status page subscribe to it: a form for each way to be told.

import { limits } from '../../domain/limits/limits.ts'
import type { SubscriberKind } from '../../domain/subscribers/subscriber.ts'
import type { Language } from '../../texts/languages.ts'
import { type AreaTexts, textsOf } from '../../texts/texts.ts'
import { warningOf } from '../action-page.ts'
import { frame } from '../frame.ts'
import { type Html, html } from '../html.ts'
import { sectionBoxes } from './section-boxes.ts'

export interface SubscribePage {
  readonly language: Language
  readonly page: {
    readonly title: string
    /** A path of this host. */
    readonly path: string
    readonly sections: readonly string[]
  }
  /** In the order shown; none if the page takes no subscribers. */
  readonly kinds: readonly SubscriberKind[]
  /** A path of this host. */
  readonly action: string
  /** What the reader sent, if it could not be used. */
  readonly refused?: RefusedRequest | undefined
}

interface RefusedRequest {
  /** Undefined if the page takes no subscribers of this kind. */
  readonly kind: SubscriberKind | undefined
  readonly address: string
  readonly why: 'invalid' | 'stranger' | 'too_many'
}

/** Nobody who sees the page fills in this field: programs that fill in everything do. */
export const trapField = 'website'

export function subscribePage(plan: SubscribePage): Html {
  const { language, page, kinds, refused } = plan
  const { subscribe } = textsOf('status-page', language)
  const [first, ...others] = kinds
  const openOther = others.find((kind) => kind === refused?.kind)
  return frame({
    title: `${subscribe.heading} · ${page.title}`,
    language,
    isIndexed: false,
    body: html`<main class="task card">
<p dir="auto"><a href="${page.path}">${page.title}</a></p>
<h1>${subscribe.heading}</h1>
<p>${subscribe.about}</p>
${refused && warningOf(warningText(subscribe, refused))}\
${first && formOf(first, plan)}\
${others.map((kind) => otherWay(kind, plan, kind === openOther))}\
<p class="soft"><small>${subscribe.privacy}</small></p>
</main>`,
  })
}

function warningText(
  {
    invalidEmail,
    invalidUrl,
    membersOnly,
    unknownKind,
    tooMany,
  }: AreaTexts<'status-page'>['subscribe'],
  { kind, why }: RefusedRequest,
): string {
  if (kind === undefined) return unknownKind
  if (why === 'too_many') return tooMany
  if (why === 'stranger') return membersOnly
  return kind === 'email' ? invalidEmail : invalidUrl
}

function otherWay(kind: SubscriberKind, plan: SubscribePage, isOpen: boolean): Html {
  const label = textsOf('status-page', plan.language).subscribe[kind]
  const form = formOf(kind, plan)
  return isOpen
    ? html`<details open><summary>${label}</summary>\n${form}</details>\n`
    : html`<details><summary>${label}</summary>\n${form}</details>\n`
}

function formOf(kind: SubscriberKind, plan: SubscribePage): Html {
  const { language, page, action, refused } = plan
  const { subscribe } = textsOf('status-page', language)
  const { noneForAll } = textsOf('subscribers', language)
  const value = refused?.kind === kind ? refused.address : ''
  return html`<form method="post" action="${action}">
<input type="hidden" name="kind" value="${kind}">
<label>${subscribe[kind]}
${kind === 'email' ? emailInput(value) : urlInput(value)}</label>
${
  page.sections.length > 0 &&
  sectionBoxes({
    sections: page.sections,
    chosen: [],
    legend: subscribe.onlySections,
    hint: noneForAll,
  })
}\
<div class="trap" aria-hidden="true"><input type="text" name="${trapField}" tabindex="-1" \
autocomplete="off" value=""></div>
<button type="submit">${subscribe.button}</button>
</form>
`
}

const emailInput = (value: string) =>
  html`<input type="email" name="address" autocomplete="email" maxlength="${limits.emailCharsMax}" \
value="${value}" autocapitalize="none" spellcheck="false" required>`

const urlInput = (value: string) =>
  html`<input type="url" name="address" autocomplete="off" maxlength="${limits.urlCharsMax}" \
value="${value}" autocapitalize="none" spellcheck="false" placeholder="https://" dir="ltr" required>`

export interface AskedPage {
  readonly language: Language
  readonly page: SubscribePage['page']
  readonly kind: SubscriberKind
}

/** The page after the form was sent, the same for known and unknown addresses. */
export function askedPage({ language, page, kind }: AskedPage): Html {
  const { subscribe } = textsOf('status-page', language)
  const { checkMessage, goTo } = textsOf('subscribers', language)
  return frame({
    title: `${subscribe.heading} · ${page.title}`,
    language,
    isIndexed: false,
    body: html`<main class="task card">
<h1>${subscribe.confirmHeading}</h1>
<p>${kind === 'email' ? subscribe.checkMail : checkMessage}</p>
<p class="links"><a href="${page.path}">${goTo}</a></p>
</main>`,
  })
}
