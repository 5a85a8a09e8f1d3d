// A page with a few sentences and at most one form: the target of links in letters.
import type { Language } from '../texts/languages.ts'
import { textsOf } from '../texts/texts.ts'
import { frame } from './frame.ts'
import { type Html, html } from './html.ts'
import { brandBar } from './mark.ts'

export interface ActionInput {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'password' | 'email' | 'checkbox'
  /** The browser's autofill hint: `one-time-code`, `new-password`. */
  readonly autocomplete: string
  readonly charsMax: number
  readonly charsMin?: number
  readonly isOptional?: boolean
  /** What the field contains at first. */
  readonly value?: string | undefined
  /** A short rule under the field. */
  readonly hint?: string
}

export interface PageLink {
  readonly label: string
  /** A path of this service. */
  readonly href: string
}

export interface ActionForm {
  /** A path of this service. */
  readonly action: string
  /** Hidden values of the form, by name. */
  readonly hidden: Readonly<Record<string, string>>
  readonly inputs?: readonly ActionInput[]
  readonly button: string
  /** A second answer: the same form with one more value. */
  readonly otherButton?: { readonly label: string; readonly name: string; readonly value: string }
}

export interface ActionPage {
  /** It is about the service, whose mark stands above it, and not about a status page of somebody. */
  readonly isOfService?: boolean
  readonly title: string
  readonly language: Language
  readonly sentences: readonly string[]
  /** Shown prominently before everything else. */
  readonly warning?: string | undefined
  readonly form?: ActionForm | undefined
  /** An alternative form, with the sentence before it. */
  readonly otherWay?: { readonly sentence: string; readonly form: ActionForm } | undefined
  /** Where the reader may go next. */
  readonly links?: readonly PageLink[] | undefined
}

/**
 * Headers of a page with a form: no scripts, no framing, no caching. The referrer is the origin: the
 * address may contain a secret, but without any referrer a browser that came by plain http would hide
 * where the form is. `hasScript`: our own, in a file, which asks us alone. `leadsTo` lists the origins that the form's response may redirect to, because
 * browsers apply form-action to redirects too.
 */
export function actionPageHeaders(
  leadsTo: readonly string[] = [],
  hasScript = false,
): readonly (readonly [name: string, value: string])[] {
  const formAction = ["'self'", ...leadsTo].join(' ')
  return [
    [
      'Content-Security-Policy',
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src data:; " +
        (hasScript ? "script-src 'self'; connect-src 'self'; " : '') +
        `form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
    ],
    ['Referrer-Policy', 'strict-origin'],
    ['Cache-Control', 'no-store'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
  ]
}

/** Renders the page. All arguments are text; the form posts to a path of this service. */
export function actionPage(page: ActionPage): Html {
  const { title, language, sentences, warning, form, otherWay, links = [], isOfService } = page
  return frame({
    title,
    language,
    isIndexed: false,
    body: html`${isOfService && brandBar()}<main class="task card">
<h1>${title}</h1>
${warning !== undefined && warningOf(warning)}\
${sentences.map((sentence) => html`<p dir="auto">${sentence}</p>\n`)}\
${form && formOf(form)}${otherWay && otherWayOf(otherWay)}${linksOf(links)}</main>`,
  })
}

/** Why the page is shown again, or what the reader should know first. */
export function warningOf(warning: string): Html {
  return html`<p class="note is-degraded" role="alert">${warning}</p>\n`
}

/** The usual ways on from a page that has nothing more to do. */
export function signInLink(language: Language): PageLink {
  return { label: textsOf('entrance', language).links.signIn, href: '/sign-in' }
}

export function startLink(language: Language): PageLink {
  return { label: textsOf('entrance', language).links.start, href: '/' }
}

/** Where the reader may go next; nothing for an empty list. */
export function linksOf(links: readonly PageLink[]): Html | false {
  if (links.length === 0) return false
  const items = links.map(({ label, href }) => html`<a href="${href}">${label}</a>\n`)
  return html`<p class="links">${items}</p>\n`
}

function otherWayOf({ sentence, form }: NonNullable<ActionPage['otherWay']>): Html {
  return html`<p dir="auto">${sentence}</p>
${formOf(form)}`
}

/** A form that posts to a path of this service. */
export function formOf({ action, hidden, inputs = [], button, otherButton }: ActionForm): Html {
  return html`<form method="post" action="${action}">
${Object.entries(hidden).map(
  ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
)}${inputs.map(fieldOf)}<button type="submit">${button}</button>
${otherButton && otherButtonOf(otherButton)}</form>
`
}

function otherButtonOf({ label, name, value }: NonNullable<ActionForm['otherButton']>): Html {
  return html`<button type="submit" name="${name}" value="${value}">${label}</button>\n`
}

function fieldOf(input: ActionInput): Html {
  const { label, hint, name, type } = input
  if (type === 'checkbox') {
    return html`<label class="choice"><input type="checkbox" name="${name}" value="true">
${label}</label>
`
  }
  return html`<label>${label}
${inputOf(input)}
${hint !== undefined && html`<small>${hint}</small>\n`}</label>
`
}

function inputOf(input: ActionInput): Html {
  const { name, type, autocomplete, charsMax, charsMin = 0, isOptional, value = '' } = input
  if (isOptional) {
    return html`<input type="${type}" name="${name}" autocomplete="${autocomplete}" \
maxlength="${charsMax}" value="${value}" autocapitalize="none" spellcheck="false">`
  }
  return html`<input type="${type}" name="${name}" autocomplete="${autocomplete}" \
maxlength="${charsMax}" minlength="${charsMin}" value="${value}" autocapitalize="none" \
spellcheck="false" required>`
}
