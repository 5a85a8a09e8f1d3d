// The colours of everything that people see, in light and in dark, as the style sheet of the console has
// them: status pages, the pages of the service, letters and badges take theirs from here.
import { assert } from './assert.ts'
import { readTextAsset } from './assets.ts'

const tones = ['up', 'slow', 'down', 'calm'] as const

/** `ink` is for text, `wash` for the ground below it, `pale` for bars. */
const colorNames = [
  ...(['paper', 'card', 'raised', 'ink', 'soft', 'line', 'bare'] as const),
  ...(['accent', 'on-accent', 'none', 'none-ink', 'none-wash'] as const),
  ...tones,
  ...tones.flatMap((tone) => [`${tone}-ink`, `${tone}-wash`, `${tone}-pale`] as const),
]

type ColorName = (typeof colorNames)[number]

/** Each as `#rrggbb`. */
export type Palette = Readonly<Record<ColorName, string>>

const sheet = readTextAsset('console/look/tokens.css')

function paletteOf(mode: 'light' | 'dark'): Palette {
  const values = colorNames.map((name) => {
    const [, light, dark] =
      new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(sheet) ?? []
    const value = mode === 'light' ? light : dark
    assert(value !== undefined, `tokens.css has no colour ${name}`)
    return [name, value] as const
  })
  return Object.fromEntries(values) as Palette
}

export const light = paletteOf('light')
export const dark = paletteOf('dark')
