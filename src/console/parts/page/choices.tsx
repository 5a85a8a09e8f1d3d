// A button for each of a few choices; that of the choice that holds is pressed.
import type { IconNode } from 'lucide'
import { Icon } from '../text/icon.tsx'

interface ChoicesOf<Name extends string | number> {
  readonly label: string
  readonly all: readonly Name[]
  readonly chosen: Name
  readonly textOf: (name: Name) => string
  /** Shown in the place of the texts, which then name them. */
  readonly icons?: Readonly<Record<Name, IconNode>>
  readonly onChoose: (name: Name) => void
}

export function Choices<Name extends string | number>(props: ChoicesOf<Name>) {
  const { label, all, chosen, textOf, icons, onChoose } = props
  return (
    <fieldset class={icons ? 'theme' : 'chips'} aria-label={label}>
      {all.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === chosen}
          aria-label={icons && textOf(name)}
          title={icons && textOf(name)}
          onClick={() => onChoose(name)}
        >
          {icons ? <Icon of={icons[name]} /> : textOf(name)}
        </button>
      ))}
    </fieldset>
  )
}
