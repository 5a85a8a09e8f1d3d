// The places that check a monitor, and how many of them must see it down.

import schema from 'schema:monitors.create'
import { type DownWhen, home, neededOf } from '../../../../domain/locations/choice.ts'
import { everyPage, wholeList } from '../../../api/client.ts'
import { useResource } from '../../../api/resource.ts'
import { MoreInGuide, SelectField } from '../../../parts/form/fields.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { Loaded } from '../../../parts/page/loaded.tsx'
import { orgId } from '../../../stores/session.ts'
import { punctuation, words } from '../../../words/words.ts'
import type { MonitorBody } from './trial/monitor-body.ts'

const placesMax = schema.properties?.locations?.maxItems

interface PlaceChoice {
  readonly id: string
  readonly name: string
  readonly about?: string
}

/** In the order in which they were chosen; none means the service alone. */
const chosenIn = (form: Form<MonitorBody>) => (form.get('/locations') ?? []) as readonly string[]

/** This service alone has no vote. */
export const storedPlaces = (chosen: readonly string[]) =>
  chosen.length === 1 && chosen[0] === home ? [] : chosen

export function PlacesField({ form }: { readonly form: Form<MonitorBody> }) {
  const stored = chosenIn(form)
  const chosen = stored.length === 0 ? [home] : stored
  return (
    <>
      <PlacesChoice
        chosen={chosen}
        onChoose={(next) => form.set('/locations', storedPlaces(next))}
      />
      {chosen.length > 1 && <DownWhenField form={form} all={chosen.length} />}
    </>
  )
}

interface PlacesChoiceProps {
  readonly chosen: readonly string[]
  readonly onChoose: (next: readonly string[]) => void
}

/** What was chosen last stays: each monitor is checked from somewhere. */
export function PlacesChoice({ chosen, onChoose }: PlacesChoiceProps) {
  const { editor, locations: shown, shell } = words.value
  const texts = editor.places
  const locations = useResource(
    (signal) =>
      wholeList(
        everyPage('locations.list', { path: { orgId: orgId() }, query: { limit: 200 }, signal }),
      ),
    [],
  )
  return (
    <fieldset class="field">
      <legend class="hidden">{editor.sections.places}</legend>
      <Loaded of={locations}>
        {(all) => {
          const known = all.map(({ id, name, state }) =>
            state === 'live' ? { id, name } : { id, name, about: shown.states[state] },
          )
          const gone = chosen.filter((id) => id !== home && !all.some((one) => one.id === id))
          const places: readonly PlaceChoice[] = [
            { id: home, name: texts.home },
            ...known,
            ...gone.map((id) => ({ id, name: id })),
          ]
          return places.map(({ id, name, about }) => {
            const isChosen = chosen.includes(id)
            const isLast = isChosen && chosen.length === 1
            return (
              <label key={id} class="inline">
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={isLast || (!isChosen && chosen.length >= (placesMax ?? 0))}
                  onChange={({ currentTarget: { checked } }) =>
                    onChoose(checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                  }
                />
                <bdi>{name}</bdi>
                {about !== undefined && <span class="faint">{about}</span>}
              </label>
            )
          })
        }}
      </Loaded>
      <p class="help">
        {locations.value.value?.length === 0 && (
          <>
            {texts.none + punctuation.value.gap}
            <a href="/app/locations">{shell.places.locations}</a>
            {punctuation.value.stop + punctuation.value.gap}
          </>
        )}
        {texts.help}
        <MoreInGuide pointer="/locations" />
      </p>
    </fieldset>
  )
}

interface DownWhenFieldProps {
  readonly form: Form<MonitorBody>
  readonly all: number
}

const named = ['majority', 'any', 'all'] as const

function DownWhenField({ form, all }: DownWhenFieldProps) {
  const texts = words.value.editor.places
  const value = String(form.get('/downWhen') ?? 'majority')
  // "1" and all of them have names, unless they were stored as numbers.
  const counts = Array.from({ length: Math.max(0, all - 2) }, (_, at) => String(at + 2))
  const isKnown = [...named, ...counts].some((one) => one === value)
  const numbers = isKnown ? counts : [...counts, value].sort((a, b) => Number(a) - Number(b))
  return (
    <SelectField
      pointer="/downWhen"
      label={texts.downWhen}
      choices={[
        ...named.map((name) => ({ value: name, text: texts[name] })),
        ...numbers.map((count) => ({ value: count, text: texts.some({ count: Number(count) }) })),
      ]}
      help={texts.means({ needed: neededOf(value as DownWhen, all), all })}
    />
  )
}
