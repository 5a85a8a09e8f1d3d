// The style sheet and the script of status pages: each under its own hash; and
// a small sheet for each accent.
import { createHash } from 'node:crypto'
import { readTextAsset } from '../../../base/assets.ts'
import { dark, light } from '../../../base/colors.ts'
import { inkOn, readableAccent } from '../../../domain/pages/accent.ts'
import { inBothModes } from '../../color-modes.ts'
import { fontFaces } from '../../fonts.ts'
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

/** The style sheet without comments and line breaks, which are there for us. */
const tightCss = (css: string) =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\n\s*/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{}:;,>]) /g, '$1')
    .replace(/;\}/g, '}')

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
  tightCss(fontFaces() + inBothModes({ ...light, ...icons }, dark) + fileText('status-page.css')),
)

export const pageScript = assetOf(
  'js',
  'text/javascript; charset=utf-8',
  tightScript(fileText('status-page.js')),
)

function accentCss(accent: string): string {
  const inLight = readableAccent(accent, [light.paper, light.card])
  const inDark = readableAccent(accent, [dark.paper, dark.card])
  return tightCss(
    `${inBothModes(
      { accent: inLight, 'on-accent': inkOn(inLight) },
      { accent: inDark, 'on-accent': inkOn(inDark) },
    )}html{border-top:.25rem solid ${accent}}`,
  )
}

/** The sheet of an accent, `#rrggbb`. It depends on nothing else, so it needs no page. */
export function accentStyle(accent: string): PageAsset {
  const text = accentCss(accent)
  const path = `/assets/accent/${accent.slice(1)}.${hashOf(text)}.css`
  return { path, contentType: cssType, bytes: Buffer.from(text) }
}

/** The accent sheet of a file name; undefined if there is none. */
export function accentStyleOf(file: string): PageAsset | undefined {
  const [, digits] = /^([0-9a-f]{6})\.[0-9a-f]{16}\.css$/.exec(file) ?? []
  if (digits === undefined) return undefined
  const style = accentStyle(`#${digits}`)
  return style.path.endsWith(`/${file}`) ? style : undefined
}
