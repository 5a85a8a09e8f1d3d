// The frame of every public page: document, head and style sheet, and its headers.
import { clip } from '../base/clip.ts'
import { defaultLocale, type Language } from '../domain/language.ts'
import { limits } from '../domain/limits/limits.ts'
import { type Html, html } from './html.ts'
import { styleSheet } from './style-sheet.ts'

/** A public page has no scripts or embeds and cannot be framed. Only logos load from elsewhere. */
export const pageHeaders: readonly (readonly [name: string, value: string])[] = [
  ['Content-Type', 'text/html; charset=utf-8'],
  [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'self'; img-src 'self' https: data:; form-action 'none'; " +
      "base-uri 'none'; frame-ancestors 'none'",
  ],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
]

export interface PageFrame {
  readonly title: string
  /** Default: the language of the pages of the service. */
  readonly language?: Language
  readonly description?: string
  /** False keeps search engines away. */
  readonly isIndexed: boolean
  /** The icon's colour, six hexadecimal digits. */
  readonly iconColor?: string
  /** More for the head, after the style sheet. */
  readonly head?: Html
  readonly body: Html
}

export function frame(page: PageFrame): Html {
  const { title, description = '', isIndexed, iconColor, head, body } = page
  const { language = defaultLocale.language } = page
  const about = clip(description, limits.pageMetaCharsMax)
  return html`<!doctype html>
${language === 'ar' ? html`<html lang="ar" dir="rtl">` : html`<html lang="${language}">`}
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${!isIndexed && html`<meta name="robots" content="noindex">\n`}<title>${title}</title>
${about !== '' && html`<meta name="description" content="${about}">\n`}\
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' \
viewBox='0 0 16 16'\
%3E%3Ccircle cx='8' cy='8' r='7' fill='%23${iconColor ?? '8a96a4'}'/%3E%3C/svg%3E">
<link rel="stylesheet" href="${styleSheet.path}">
${head && html`${head}\n`}\
</head>
<body>
${body}
</body>
</html>
`
}

/** The response for addresses without a page; it does not reveal disabled pages. */
export function notFoundPage(): Html {
  return frame({
    title: 'Page not found',
    isIndexed: false,
    body: html`<main class="lost">
<h1>There is no status page here</h1>
<p class="about">Check the address, or ask the person who gave it to you.</p>
</main>`,
  })
}
