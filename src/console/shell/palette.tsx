// The command palette: places, actions and monitors by name.
import { signal, useComputed, useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso'
import { act } from '../parts/dialog/act.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { monitors } from '../stores/monitors.ts'
import { mayAs, signOut } from '../stores/session.ts'
import { words } from '../words/words.ts'
import { openPlaces } from './places.ts'

/** Whether it is open. */
export const palette = signal(false)

interface Command {
  readonly id: string
  readonly text: string
  readonly run: () => void
}

const shownMax = 12

export function Palette() {
  const { route } = useLocation()
  const typed = useSignal('')
  const chosen = useSignal(0)
  const texts = words.value.shell.palette
  function close(): void {
    palette.value = false
  }
  const found = useComputed<readonly Command[]>(() => {
    const { places, signOut: signOutText, apiReference } = words.value.shell
    const commands: Command[] = [
      ...(mayAs('member')
        ? [{ id: 'new', text: texts.newMonitor, run: () => route('/app/monitors/new') }]
        : []),
      ...(mayAs('admin')
        ? [{ id: 'import', text: words.value.moving.title, run: () => route('/app/import') }]
        : []),
      ...openPlaces().map(({ name, href }) => ({
        id: href,
        text: texts.goTo({ place: places[name] }),
        run: () => route(href),
      })),
      { id: 'docs', text: apiReference, run: () => location.assign('/docs') },
      { id: 'sign-out', text: signOutText, run: () => void act(signOut) },
    ]
    const wanted = typed.value.trim().toLocaleLowerCase()
    const fits = (text: string) => text.toLocaleLowerCase().includes(wanted)
    const fitting = commands.filter(({ text }) => fits(text))
    if (wanted === '') return fitting
    const named: Command[] = []
    for (const { id, name } of monitors.value.values()) {
      if (named.length >= shownMax) break
      if (fits(name)) named.push({ id, text: name, run: () => route(`/app/monitors/${id}`) })
    }
    return [...fitting, ...named].slice(0, shownMax)
  })
  function press(event: KeyboardEvent): void {
    const last = found.value.length - 1
    if (event.key === 'ArrowDown') chosen.value = Math.min(chosen.value + 1, last)
    else if (event.key === 'ArrowUp') chosen.value = Math.max(chosen.value - 1, 0)
    else if (event.key === 'Enter') choose(found.value[chosen.value])
    else return
    event.preventDefault()
  }
  function choose(command: Command | undefined): void {
    if (!command) return
    close()
    command.run()
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
        {found.value.map((command, index) => (
          <div
            key={command.id}
            id={`palette-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen.value}
            onMouseDown={() => choose(command)}
          >
            {command.text}
          </div>
        ))}
        {found.value.length === 0 && <p class="faint">{texts.nothing}</p>}
      </div>
    </Dialog>
  )
}
