// The name of a monitor that readers of status pages see: asked for where the own name is an address.
import { useSignal } from '@preact/signals'
import type { Data, Item } from '../../api/client.ts'
import { addressIn } from '../../base/address-in.ts'
import { textOfKind } from '../../base/json-schema.ts'
import { AddressWarning } from '../../parts/text/address-warning.tsx'
import { words } from '../../words/words.ts'

export type NamedMonitor = Pick<
  Item<'monitors.list'> | Data<'monitors.get'>,
  'id' | 'name' | 'publicName' | 'checkType' | 'isPublic'
>

/** What readers see, or would see. */
export const shownNameOf = ({ name, publicName }: NamedMonitor) => publicName ?? name

/** Whether a public name must be asked for before others see it. */
export const isNameAnAddress = (monitor: NamedMonitor) =>
  addressIn(shownNameOf(monitor)) !== undefined

/** What the field of a public name begins with: the name, or a neutral word if it holds an address. */
export function suggestedName(monitor: NamedMonitor): string {
  if (!isNameAnAddress(monitor)) return shownNameOf(monitor)
  const { neutralNames } = words.value.statusPages.monitors
  return textOfKind(neutralNames, monitor.checkType) ?? neutralNames.tcp
}

/** The field of a change that gives the name to readers: none if it is the monitor's own. */
export function publicNameOf({ name }: NamedMonitor, chosen: string): string | null {
  const text = chosen.trim()
  return text === '' || text === name ? null : text
}

interface PublicNameProps {
  readonly monitor: NamedMonitor
  readonly submitText: string
  readonly onSave: (publicName: string | null) => void
}

/** Asks for the public name of one monitor. */
export function PublicName({ monitor, submitText, onSave }: PublicNameProps) {
  const { monitors: texts } = words.value.statusPages
  const typed = useSignal(suggestedName(monitor))
  const id = `public-name-${monitor.id}`
  const save = () => onSave(publicNameOf(monitor, typed.value))
  return (
    <div class="field">
      <label for={id}>{texts.publicNameOf({ name: monitor.name })}</label>
      <span class="public-name">
        <input
          id={id}
          type="text"
          autoComplete="off"
          value={typed.value}
          onInput={({ currentTarget: { value } }) => (typed.value = value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            save()
          }}
        />
        <button type="button" onClick={save}>
          {submitText}
          <span class="hidden"> {monitor.name}</span>
        </button>
      </span>
      <AddressWarning name={typed.value.trim() === '' ? monitor.name : typed.value} />
    </div>
  )
}
