// Light or dark: as the system, unless the person chose.
import { signal } from '@preact/signals'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const themeKey = 'stillup.theme'

const isTheme = (text: string | null): text is Theme => themes.includes(text as Theme)

function stored(): Theme {
  const kept = localStorage.getItem(themeKey)
  return isTheme(kept) ? kept : 'auto'
}

export const theme = signal<Theme>(stored())

const tones = ['accent', 'up', 'slow', 'down', 'calm', 'none']
const drawn = ['card', 'ink', 'soft', 'line', ...tones, ...tones.map((tone) => `${tone}-wash`)]

// A registered colour is read as what it is at present, which canvases need: not as both of its values.
for (const name of drawn) {
  const syntax = '<color>'
  CSS.registerProperty({ name: `--${name}`, syntax, inherits: true, initialValue: 'transparent' })
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme.value
}

export function chooseTheme(chosen: Theme): void {
  localStorage.setItem(themeKey, chosen)
  theme.value = chosen
  applyTheme()
}
