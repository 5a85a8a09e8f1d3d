// The typeface of everything: Inter, in parts that a browser asks for when a page has one of their characters.
// Its licence (OFL 1.1) lies beside the files.
import { createHash } from 'node:crypto'
import { readAsset, readTextAsset } from '../base/assets.ts'
import { html } from './html.ts'

/** The characters of each part, as a range of CSS. */
const ranges = {
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,' +
    'U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,' +
    'U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF',
  cyrillic: 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116',
  greek: 'U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF',
  vietnamese: 'U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0323,U+1EA0-1EF9,U+20AB',
}

export interface FontFile {
  /** The characters that are in it. */
  readonly part: string
  /** Changes with the bytes, so copies may be cached forever. */
  readonly path: string
  readonly range: string
  readonly contentType: string
  /** Read anew each time: it is rarely asked for, because browsers keep it. */
  readonly bytes: Buffer
}

export const fontFiles: readonly FontFile[] = Object.entries(ranges).map(([part, range]) => {
  const read = () => readAsset(`pages/fonts/inter-${part}.woff2`)
  const hash = createHash('sha256').update(read()).digest('hex').slice(0, 16)
  return {
    part,
    path: `/assets/inter-${part}.${hash}.woff2`,
    range,
    contentType: 'font/woff2',
    get bytes() {
      return read()
    },
  }
})

/**
 * The rules of CSS that name the files, by default for a style sheet that lies beside them, and `--text`, the
 * typefaces of each language. Until the files are there, text is shown in a typeface of the system.
 */
export function typefaces(urlOf = (path: string) => path.slice('/assets/'.length)): string {
  const faces = fontFiles.map(
    ({ path, range }) =>
      `@font-face{font-family:"Inter";font-style:normal;font-weight:100 900;font-display:swap;` +
      `src:url("${urlOf(path)}") format("woff2");unicode-range:${range}}\n`,
  )
  return faces.join('') + readTextAsset('pages/typefaces.css')
}

/** Asks for the part that every page needs before the style sheet is read. */
export const fontPreload = html`<link rel="preload" href="${fontFiles[0]?.path ?? ''}" as="font" \
type="font/woff2" crossorigin>`
