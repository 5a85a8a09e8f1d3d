// A page with a few sentences and at most one form: the target of links in letters.
import { frame } from './frame.ts'
import { type Html, html } from './html.ts'

export interface ActionInput {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'password'
  /** The browser's autofill hint: `one-time-code`, `new-password`. */
  readonly autocomplete: string
  readonly charsMax: number
  /** A short rule under the field. */
  readonly hint?: string
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
  readonly title: string
  readonly sentences: readonly string[]
  /** Shown prominently before everything else. */
  readonly warning?: string | undefined
  readonly form?: ActionForm | undefined
  /** An alternative form, with the sentence before it. */
  readonly otherWay?: { readonly sentence: string; readonly form: ActionForm } | undefined
}

/**
 * Headers of a page with a form: no scripts, no framing, no caching, and no referrer, because the
 * address contains a secret. `leadsTo` lists the origins that the form's response may redirect to,
 * because browsers apply form-action to redirects too.
 */
export function actionPageHeaders(
  leadsTo: readonly string[] = [],
): readonly (readonly [name: string, value: string])[] {
  const formAction = ["'self'", ...leadsTo].join(' ')
  return [
    [
      'Content-Security-Policy',
      "default-src 'none'; style-src 'self'; img-src data:; " +
        `form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`,
    ],
    ['Referrer-Policy', 'no-referrer'],
    ['Cache-Control', 'no-store'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
  ]
}

/** Renders the page. All arguments are text; the form posts to a path of this service. */
export function actionPage({ title, sentences, warning, form, otherWay }: ActionPage): Html {
  return frame({
    title,
    isIndexed: false,
    body: html`<main class="task card">
<h1>${title}</h1>
${warning !== undefined && html`<p class="note is-degraded" role="alert">${warning}</p>\n`}\
${sentences.map((sentence) => html`<p dir="auto">${sentence}</p>\n`)}\
${form && formOf(form)}${otherWay && otherWayOf(otherWay)}</main>`,
  })
}

function otherWayOf({ sentence, form }: NonNullable<ActionPage['otherWay']>): Html {
  return html`<p dir="auto">${sentence}</p>
${formOf(form)}`
}

function formOf({ action, hidden, inputs = [], button, otherButton }: ActionForm): Html {
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

function fieldOf({ name, label, type, autocomplete, charsMax, hint }: ActionInput): Html {
  return html`<label>${label}
<input type="${type}" name="${name}" autocomplete="${autocomplete}" maxlength="${charsMax}" \
autocapitalize="none" spellcheck="false" required>
${hint !== undefined && html`<small>${hint}</small>\n`}</label>
`
}
