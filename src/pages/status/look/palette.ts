// The colours of status pages, in light and in dark.

/** A colour of each name; `ink` is for text, `wash` for the ground of it, `pale` for bars. */
export type Palette = Readonly<Record<ColorName, string>>

const tones = ['up', 'slow', 'down', 'calm'] as const
type ColorName =
  | 'paper'
  | 'card'
  | 'ink'
  | 'soft'
  | 'line'
  | 'bare'
  | 'none'
  | 'none-ink'
  | 'none-wash'
  | (typeof tones)[number]
  | `${(typeof tones)[number]}-${'ink' | 'wash' | 'pale'}`

export const light: Palette = {
  paper: '#f6f7f9',
  card: '#ffffff',
  ink: '#16202c',
  soft: '#556170',
  line: '#e1e5ea',
  bare: '#d3dae2',
  up: '#1f9d61',
  'up-ink': '#0f6b40',
  'up-wash': '#e6f5ed',
  'up-pale': '#a5d8bf',
  slow: '#d99412',
  'slow-ink': '#7f5200',
  'slow-wash': '#fdf3dc',
  'slow-pale': '#f3d393',
  down: '#d5383f',
  'down-ink': '#a81f28',
  'down-wash': '#fdebec',
  'down-pale': '#f3aeb2',
  calm: '#4a78c4',
  'calm-ink': '#2a5494',
  'calm-wash': '#e9f0fb',
  'calm-pale': '#b5cbee',
  none: '#8a96a4',
  'none-ink': '#556170',
  'none-wash': '#eceff3',
}

export const dark: Palette = {
  paper: '#10151b',
  card: '#181f27',
  ink: '#e8edf3',
  soft: '#9dabb9',
  line: '#29323d',
  bare: '#333e4a',
  up: '#35b877',
  'up-ink': '#6fd7a1',
  'up-wash': '#13291f',
  'up-pale': '#1f5a3e',
  slow: '#e0a531',
  'slow-ink': '#efc063',
  'slow-wash': '#2c2413',
  'slow-pale': '#6a5120',
  down: '#ec5a60',
  'down-ink': '#ff9296',
  'down-wash': '#331a1d',
  'down-pale': '#7a3438',
  calm: '#6c98e0',
  'calm-ink': '#9dbdf2',
  'calm-wash': '#182438',
  'calm-pale': '#2f4a75',
  none: '#7c8998',
  'none-ink': '#a7b3c0',
  'none-wash': '#222a33',
}

const variablesOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/**
 * Rules that give custom properties their values: as the reader's system is set, unless the page has
 * chosen light or dark, which is a class of its root.
 */
export function inBothModes(
  inLight: Readonly<Record<string, string>>,
  inDark: Readonly<Record<string, string>>,
): string {
  const darkValues = variablesOf(inDark)
  return `:root{${variablesOf(inLight)}}
@media(prefers-color-scheme:dark){:root:not(.light){${darkValues}}}
@media not print{:root.dark{${darkValues}}}`
}

/** A shape with a glyph cut out of it, as the image of a mask. */
function icon(shape: string, glyph: string): string {
  const svg =
    `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><mask id='m'>` +
    `<path fill='#fff' d='M0 0h16v16H0z'/><path fill='none' stroke='#000' stroke-width='1.75' ` +
    `stroke-linecap='round' stroke-linejoin='round' d='${glyph}'/></mask>` +
    `<path mask='url(#m)' d='${shape}'/></svg>`
  return `url("data:image/svg+xml,${svg.replaceAll('#', '%23').replaceAll('<', '%3C').replaceAll('>', '%3E')}")`
}

const disc = 'M8 0a8 8 0 1 1 0 16A8 8 0 1 1 8 0z'

/** The icons of the tones, told apart by their shapes too. */
export const icons = {
  'up-icon': icon(disc, 'M4.5 8.2l2.4 2.4 4.6-5'),
  'slow-icon': icon('M8 .6 15.8 15H.2z', 'M8 6v4M8 12.6v.1'),
  'down-icon': icon(
    'M4.7 0h6.6L16 4.7v6.6L11.3 16H4.7L0 11.3V4.7z',
    'M5.3 5.3l5.4 5.4M10.7 5.3l-5.4 5.4',
  ),
  'calm-icon': icon(disc, 'M8 3.8V8l2.8 1.8'),
  'none-icon': icon(disc, 'M4.7 8h6.6'),
  'paused-icon': icon(disc, 'M6.2 5v6M9.8 5v6'),
  'pending-icon': icon(disc, 'M4.7 8v.1M8 8v.1M11.3 8v.1'),
}
