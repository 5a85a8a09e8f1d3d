// A small document that other sites embed in a frame: the state of the page, and a link to it.
import { createHash } from 'node:crypto'
import { light, type Palette, palettesOfLook } from '../../base/colors.ts'
import type { PageLook } from '../../domain/pages/page.ts'
import { html, inlineStyle, toText } from '../html.ts'
import { pageTextOf } from '../status/page-text.ts'
import type { DocumentContext, PageDocument, PublicPage } from '../view/public-page.ts'

export const widgetThemes = ['auto', 'light', 'dark'] as const
export type WidgetTheme = (typeof widgetThemes)[number]

const colorsIn = ({ ink, soft, card, line }: Palette) =>
  `--ink:${ink};--soft:${soft};--paper:${card};--line:${line}`

const usual = { font: 'system-ui,-apple-system,"Segoe UI",Roboto,sans-serif', corner: '.6em' }

/** Letters and corners, as the style sheets of the looks have them. */
const shapes: Readonly<Record<PageLook, typeof usual>> = {
  plain: usual,
  slate: usual,
  paper: { font: 'Georgia,serif', corner: '0' },
  terminal: { font: 'ui-monospace,"Cascadia Mono",Menlo,Consolas,monospace', corner: '0' },
  bold: { ...usual, corner: '0' },
  lilac: { ...usual, corner: '1.25em' },
}

/** The style sheet, in the document itself and allowed by its hash, so that the widget takes one request. */
function cssOf({ look, theme: { accent } }: Pick<PublicPage, 'look' | 'theme'>): string {
  const own = palettesOfLook(look)
  const { font, corner } = shapes[look]
  const stripe = accent === null ? '' : `\na{border-inline-start:4px solid ${accent}}`
  return `
:root{${colorsIn(own.light)}}
.dark{color-scheme:dark;${colorsIn(own.dark)}}
.light{color-scheme:light}
.auto{color-scheme:light dark}
@media(prefers-color-scheme:dark){
.auto{${colorsIn(own.dark)}}}
body{margin:0;font:14px/1.4 ${font}}
a{display:flex;align-items:center;gap:.6em;box-sizing:border-box;height:100vh;max-height:4em;
padding:0 .9em;color:var(--ink);background:var(--paper);border:1px solid var(--line);
border-radius:${corner};text-decoration:none;overflow:hidden}
a:hover b{text-decoration:underline}
a:focus-visible{outline:2px solid ${light.calm};outline-offset:-3px}
i{flex:none;width:.75em;height:.75em;border-radius:50%;background:${light.none}}
.is-up i{background:${light.up}}
.is-degraded i{background:${light.slow};border-radius:0}
.is-down i{background:${light.down};border-radius:0;transform:rotate(45deg)}
.is-maintenance i{background:${light.calm}}
span{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
b{font-weight:600}
small{display:block;color:var(--soft);overflow:hidden;text-overflow:ellipsis}${stripe}
@media(forced-colors:active){i{background:CanvasText;forced-color-adjust:none}}
`
}

function headersFor(css: string) {
  const hash = createHash('sha256').update(css).digest('base64')
  return [
    [
      'Content-Security-Policy',
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; ` +
        'frame-ancestors *',
    ],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ] as const
}

/** `auto`: as the page is, which often is as the reader's system. */
export function widgetDocument(
  { view, language, root }: DocumentContext,
  theme: WidgetTheme,
): PageDocument {
  const { words } = pageTextOf(view, language)
  const css = cssOf(view)
  const sentence = words.overall[view.overall.kind]
  const body = html`<!doctype html>
${language === 'ar' ? html`<html lang="ar" dir="rtl">` : html`<html lang="${language}">`}
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${view.title}</title>
${inlineStyle(css)}
</head>
<body class="${theme === 'auto' ? view.theme.mode : theme}">
<a class="is-${view.overall.level}" href="${root || '/'}" target="_blank" rel="noopener">\
<i aria-hidden="true"></i><span><b>${sentence}</b><small dir="auto">${view.title}</small></span></a>
</body>
</html>
`
  return { contentType: 'text/html; charset=utf-8', body: toText(body), headers: headersFor(css) }
}
