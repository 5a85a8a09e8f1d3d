// What the pages below a status page have in common: a title of their own, and the way back.
import { type Html, html } from '../html.ts'
import type { DocumentContext } from '../view/public-page.ts'
import { pageFrame } from './page-frame.ts'
import { type PageText, pageTextOf } from './page-text.ts'

export interface SubPage {
  readonly title: string
  /** As plain text. */
  readonly description?: string
  /** Below the title. */
  readonly lead?: Html | null
  readonly main: Html
}

export function subPage(context: DocumentContext, makeContent: (text: PageText) => SubPage): Html {
  const { view, language } = context
  const { title, description = '', lead, main } = makeContent(pageTextOf(view, language))
  return pageFrame(context, {
    title: `${title} – ${view.title}`,
    description,
    heading: html`<h1 dir="auto">${title}</h1>
${lead}`,
    body: main,
  })
}
