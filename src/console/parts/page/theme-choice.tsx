// Light, dark, or as the system is set: three buttons of which one is pressed.
import { Monitor, Moon, Sun } from 'lucide'
import { chooseTheme, theme, themes } from '../../stores/theme.ts'
import { words } from '../../words/words.ts'
import { Icon } from '../text/icon.tsx'

const icons = { auto: Monitor, light: Sun, dark: Moon }

export function ThemeChoice() {
  const texts = words.value.shell.theme
  return (
    <fieldset class="theme" aria-label={texts.label}>
      {themes.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={theme.value === one}
          aria-label={texts[one]}
          title={texts[one]}
          onClick={() => chooseTheme(one)}
        >
          <Icon of={icons[one]} />
        </button>
      ))}
    </fieldset>
  )
}
