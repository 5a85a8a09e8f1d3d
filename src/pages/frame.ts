// The frame of every public page: document, head and style sheet, and its headers.

import { clip } from '../base/clip.ts'
import { defaultLocale } from '../domain/language.ts'
import { limits } from '../domain/limits/limits.ts'
import type { ColorMode } from '../domain/pages/page.ts'
import type { Language } from '../texts/languages.ts'
import { textsOf } from '../texts/texts.ts'
import { fontPreload } from './fonts.ts'
import { type Html, html } from './html.ts'
import { discUrl, iconLink, markUrl } from './mark.ts'
import { styleSheet } from './style-sheet.ts'

export const htmlType = 'text/html; charset=utf-8'

/**
 * A public page runs and asks nothing but what this service serves, embeds nothing and cannot be
 * framed. Only logos load from elsewhere.
 */
export const pageHeaders: readonly (readonly [name: string, value: string])[] = [
  [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
      "img-src 'self' https: data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
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
  /** The icon is a disc of this colour, `#rrggbb`; by default it is the mark of the service. */
  readonly iconColor?: string
  /** The path of a picture in place of that. */
  readonly iconPath?: string
  /** `auto`, by default: as the reader's system is set. */
  readonly colorMode?: ColorMode
  /** Paths of style sheets. Default: that of the pages of the service. */
  readonly styles?: readonly string[]
  /** More for the head, after the style sheets. */
  readonly head?: Html
  readonly body: Html
}

export function frame(page: PageFrame): Html {
  const { title, description = '', isIndexed, iconColor, iconPath, head, body } = page
  const { language = defaultLocale.language, colorMode = 'auto', styles = [styleSheet.path] } = page
  const scheme = colorMode === 'auto' ? 'light dark' : colorMode
  const about = clip(description, limits.pageMetaCharsMax)
  const icon =
    iconPath === undefined
      ? iconLink(iconColor === undefined ? markUrl('up') : discUrl(iconColor))
      : html`<link rel="icon" href="${iconPath}">`
  return html`<!doctype html>
${rootOf(language, colorMode)}
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme}">
${!isIndexed && html`<meta name="robots" content="noindex">\n`}<title>${title}</title>
${about !== '' && html`<meta name="description" content="${about}">\n`}\
${icon}
${fontPreload}
${styles.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}\
${head && html`${head}\n`}\
</head>
<body>
${body}
</body>
</html>
`
}

/** The style sheet takes the colours of the reader's system unless a class says otherwise. */
function rootOf(language: Language, colorMode: ColorMode): Html {
  if (colorMode === 'auto') {
    return language === 'ar' ? html`<html lang="ar" dir="rtl">` : html`<html lang="${language}">`
  }
  return language === 'ar'
    ? html`<html lang="ar" dir="rtl" class="${colorMode}">`
    : html`<html lang="${language}" class="${colorMode}">`
}

/** The response for addresses without a page; it does not reveal disabled pages. */
export function notFoundPage(language: Language = defaultLocale.language): Html {
  const { title, heading, about } = textsOf('status-page', language).notFound
  return frame({
    title,
    language,
    isIndexed: false,
    body: html`<main class="lost">
<h1>${heading}</h1>
<p class="about">${about}</p>
</main>`,
  })
}
