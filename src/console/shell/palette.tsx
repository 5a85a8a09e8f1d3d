// The command palette: finds everything that has a name, and does what can be done at once.
import { signal, useComputed, useSignal } from '@preact/signals'
import type { IconNode } from 'lucide'
import { useLocation } from 'preact-iso/router'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { Icon } from '../parts/text/icon.tsx'
import { words } from '../words/words.ts'
import { commands, type Findable, foundMonitors, useGuide, useNamed } from './findable.ts'

/** Whether it is open. */
export const palette = signal(false)

const shownMax = 14

/** Each of the words that were typed, anywhere in the text. */
const fits = (text: string, wanted: readonly string[]) => {
  const lower = text.toLocaleLowerCase()
  return wanted.every((word) => lower.includes(word))
}

export function Palette() {
  const { route } = useLocation()
  const typed = useSignal('')
  const chosen = useSignal(0)
  const named = useNamed(route)
  const guide = useGuide()
  const texts = words.value.shell.palette
  function close(): void {
    palette.value = false
  }
  const found = useComputed<readonly Findable[]>(() => {
    const wanted = typed.value.toLocaleLowerCase().split(/\s+/).filter(Boolean)
    const isWanted = ({ text, also = '' }: Findable) => fits(`${text} ${also}`, wanted)
    const fitting = commands(route).filter(isWanted)
    if (wanted.length === 0) return fitting
    const monitors = foundMonitors((name) => fits(name, wanted), route)
    const others = [...named.value, ...guide.value].filter(isWanted)
    return [...monitors, ...fitting, ...others].slice(0, shownMax)
  })
  function press(event: KeyboardEvent): void {
    const last = found.value.length - 1
    if (event.key === 'ArrowDown') chosen.value = Math.min(chosen.value + 1, last)
    else if (event.key === 'ArrowUp') chosen.value = Math.max(chosen.value - 1, 0)
    else if (event.key === 'Enter') choose(found.value[chosen.value])
    else return
    event.preventDefault()
  }
  function choose(one: Findable | undefined): void {
    if (!one) return
    close()
    one.run()
  }
  const active = found.value[chosen.value]
  return (
    <Dialog title={texts.title} onClose={close}>
      <input
        // The types of Preact know no combobox that shows its list itself.
        {...({ type: 'text', role: 'combobox', 'aria-expanded': true } as object)}
        autoFocus
        aria-label={texts.hint}
        aria-controls="palette-list"
        aria-activedescendant={active && `palette-${active.id}`}
        placeholder={texts.hint}
        value={typed.value}
        onInput={({ currentTarget: { value } }) => {
          typed.value = value
          chosen.value = 0
        }}
        onKeyDown={press}
      />
      <div class="palette" id="palette-list" role="listbox" aria-label={texts.title}>
        {found.value.map((one, index) => (
          <div
            key={one.id}
            id={`palette-${one.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen.value}
            onMouseDown={() => choose(one)}
          >
            <FoundIcon of={one.icon} />
            <span class="side-text">{one.text}</span>
            {one.kind && <span class="faint">{one.kind}</span>}
          </div>
        ))}
        {found.value.length === 0 && <p class="faint">{texts.nothing}</p>}
      </div>
    </Dialog>
  )
}

/** A state has a mark in place of an icon. */
function FoundIcon({ of }: { readonly of: IconNode | string }) {
  return typeof of === 'string' ? <span class={`state ${of}`} /> : <Icon of={of} />
}
