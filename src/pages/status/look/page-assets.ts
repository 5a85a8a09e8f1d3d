// The style sheet and the script of status pages: each under its own hash; and
// a small sheet for each accent.
import { createHash } from 'node:crypto'
import { readTextAsset } from '../../../base/assets.ts'
import { colorsOfLook, dark, light, type Palette, palettesOfLook } from '../../../base/colors.ts'
import { perObject } from '../../../base/per-object.ts'
import { inkOn, readableAccent } from '../../../domain/pages/accent.ts'
import { type PageLook, type PageTheme, pageLooks } from '../../../domain/pages/page.ts'
import { inBothModes } from '../../color-modes.ts'
import { typefaces } from '../../fonts.ts'
import { tightCss } from '../../style-sheet.ts'
import { icons } from './icons.ts'

export interface PageAsset {
  /** Changes with the bytes, so copies may be cached forever. */
  readonly path: string
  readonly contentType: string
  readonly bytes: Buffer
}

const cssType = 'text/css; charset=utf-8'

const fileText = (name: string) => readTextAsset(`pages/status/look/${name}`)

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

function assetOf(ending: 'css' | 'js', contentType: string, text: string): PageAsset {
  const path = `/assets/page.${hashOf(text)}.${ending}`
  return { path, contentType, bytes: Buffer.from(text) }
}

/** No text in the script has such a sign between spaces. */
const tightScript = (script: string) =>
  script
    .replace(/^\s*(?:\/\/.*)?\n?/gm, '')
    .replace(/ ?(=>|[!=]==|>=|\|\||&&|[=?:,+*<-]) /g, '$1')
    .replace(/ ?([([{]) ?/g, '$1')
    .replace(/ \}/g, '}')

export const pageStyle = assetOf(
  'css',
  cssType,
  tightCss(
    typefaces() +
      inBothModes({ ...light, ...icons }, dark) +
      fileText('bounds.css') +
      readTextAsset('pages/ground.css') +
      fileText('status-page.css'),
  ),
)

export const pageScript = assetOf(
  'js',
  'text/javascript; charset=utf-8',
  tightScript(fileText('status-page.js')),
)

/** The sheet of each look, after that of all pages; the plain one has none. */
export const lookStyles: readonly LookAsset[] = pageLooks
  .filter((look) => look !== 'plain')
  .map(lookStyleOf)

interface LookAsset extends PageAsset {
  readonly look: PageLook
}

function lookStyleOf(look: PageLook): LookAsset {
  const colors = colorsOfLook(look)
  const css = inBothModes(colors.light, colors.dark) + fileText(`looks/${look}.css`)
  const asset = assetOf('css', cssType, tightCss(css))
  return { ...asset, look, path: asset.path.replace('/page.', `/${look}.`) }
}

/** The organization's own style sheet, which is below its page. */
export function ownStyle(css: string): PageAsset {
  return { path: `/styles/${hashOf(css)}.css`, contentType: cssType, bytes: Buffer.from(css) }
}

/** The style sheets of a page that are at every host. That of an accent takes a while, so each theme keeps its own. */
export function stylesOf(theme: PageTheme, look: PageLook): readonly PageAsset[] {
  const ofLook = lookStyles.find((style) => style.look === look)
  const ofAccent = accentsOf(theme)(look)
  return [pageStyle, ...(ofLook ? [ofLook] : []), ...(ofAccent ? [ofAccent] : [])]
}

const accentsOf = perObject(({ accent }: PageTheme) => {
  const made: Partial<Record<PageLook, PageAsset>> = {}
  return (look: PageLook): PageAsset | undefined => {
    if (accent !== null) made[look] ??= accentStyle(accent, look)
    return made[look]
  }
})

function accentCss(accent: string, look: PageLook): string {
  const own = palettesOfLook(look)
  const readable = ({ paper, card }: Palette) => readableAccent(accent, [paper, card])
  const [inLight, inDark] = [readable(own.light), readable(own.dark)]
  return tightCss(
    `${inBothModes(
      { accent: inLight, 'on-accent': inkOn(inLight) },
      { accent: inDark, 'on-accent': inkOn(inDark) },
    )}html{border-top:.25rem solid ${accent}}`,
  )
}

/** The sheet of an accent, `#rrggbb`. It depends on the look and nothing else, so it needs no page. */
export function accentStyle(accent: string, look: PageLook = 'plain'): PageAsset {
  const text = accentCss(accent, look)
  const path = `/assets/accent/${accent.slice(1)}.${hashOf(text)}.css`
  return { path, contentType: cssType, bytes: Buffer.from(text) }
}

/** The accent sheet of a file name; undefined if there is none. */
export function accentStyleOf(file: string): PageAsset | undefined {
  const [, digits] = /^([0-9a-f]{6})\.[0-9a-f]{16}\.css$/.exec(file) ?? []
  if (digits === undefined) return undefined
  return pageLooks
    .map((look) => accentStyle(`#${digits}`, look))
    .find(({ path }) => path.endsWith(`/${file}`))
}
