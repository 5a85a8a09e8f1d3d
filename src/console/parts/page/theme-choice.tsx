// Light, dark, or as the system is set.
import { Monitor, Moon, Sun } from 'lucide'
import { chooseTheme, theme, themes } from '../../stores/theme.ts'
import { words } from '../../words/words.ts'
import { Choices } from './choices.tsx'

const icons = { auto: Monitor, light: Sun, dark: Moon }

export function ThemeChoice() {
  const texts = words.value.shell.theme
  return (
    <Choices
      label={texts.label}
      all={themes}
      chosen={theme.value}
      textOf={(one) => texts[one]}
      icons={icons}
      onChoose={chooseTheme}
    />
  )
}
