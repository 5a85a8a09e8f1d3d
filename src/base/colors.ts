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

type Mode = 'light' | 'dark'

const sheet = readTextAsset('console/look/tokens.css')
const looks = readTextAsset('pages/status/look/look-colors.css')

function colorIn(css: string, name: ColorName, mode: Mode): string | undefined {
  const declared = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`)
  const [, light, dark] = declared.exec(css) ?? []
  return mode === 'light' ? light : dark
}

function paletteOf(mode: Mode): Palette {
  const values = colorNames.map((name) => {
    const value = colorIn(sheet, name, mode)
    assert(value !== undefined, `tokens.css has no colour ${name}`)
    return [name, value] as const
  })
  return Object.fromEntries(values) as Palette
}

export const light = paletteOf('light')
export const dark = paletteOf('dark')

/** The colours of a look of status pages, where they are not those of everything else. */
export function colorsOfLook(look: string): Readonly<Record<Mode, Partial<Palette>>> {
  const [, block = ''] = new RegExp(`\\[data-look="${look}"\\] \\{([^}]*)\\}`).exec(looks) ?? []
  const own = (mode: Mode) =>
    Object.fromEntries(
      colorNames.flatMap((name) => {
        const value = colorIn(block, name, mode)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  return { light: own('light'), dark: own('dark') }
}

/** Every colour of a look: its own, else those of everything. */
export function palettesOfLook(look: string): Readonly<Record<Mode, Palette>> {
  const own = colorsOfLook(look)
  return { light: { ...light, ...own.light }, dark: { ...dark, ...own.dark } }
}
