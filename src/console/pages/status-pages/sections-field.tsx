// Which monitors a page shows, and the sections that they stand in.

import { everyPage, fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { TextField } from '../../parts/form/fields.tsx'
import type { Form } from '../../parts/form/form.ts'
import { Sortable } from '../../parts/list/sortable.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { AddressWarning } from '../../parts/text/address-warning.tsx'
import { orgId } from '../../stores/session.ts'
import { punctuation, words } from '../../words/words.ts'
import type { PageBody, Section } from './page-body.ts'
import { isNameAnAddress, type NamedMonitor, PublicName, shownNameOf } from './public-name.tsx'

async function loadMonitors(signal: AbortSignal): Promise<readonly NamedMonitor[]> {
  const all: NamedMonitor[] = []
  const call = { path: { orgId: orgId() }, query: { limit: 200 }, signal }
  for await (const some of everyPage('monitors.list', call)) {
    const named = some.map(({ id, name, publicName, checkType, isPublic }) => {
      return { id, name, publicName, checkType, isPublic }
    })
    all.push(...named)
  }
  return all.toSorted((a, b) => a.name.localeCompare(b.name))
}

export function SectionsField({ form }: { readonly form: Form<PageBody> }) {
  const known = useResource(loadMonitors, [])
  const { monitors: texts } = words.value.statusPages
  const publish = (monitor: NamedMonitor, change: PublicChange) => {
    const { id, name, isPublic } = monitor
    const shown = shownNameOf({ ...monitor, ...change })
    return act(
      async () => {
        const path = { orgId: orgId(), monitorId: id }
        await fetchData('monitors.change', { path, body: { ...change, isPublic: true } })
        await known.reload()
        // The preview is drawn again.
        form.values.value = { ...form.values.value }
      },
      isPublic ? texts.nameSaved({ name: shown }) : texts.madePublic({ name }),
    )
  }
  return (
    <Loaded of={known}>
      {(all) => (
        <>
          <Chosen form={form} all={all} onPublish={(...chosen) => void publish(...chosen)} />
          <Sections form={form} all={all.filter(({ isPublic }) => isPublic)} />
        </>
      )}
    </Loaded>
  )
}

interface ChosenProps {
  readonly form: Form<PageBody>
  readonly all: readonly NamedMonitor[]
  readonly onPublish: (monitor: NamedMonitor, change: PublicChange) => void
}

interface PublicChange {
  readonly publicName?: string | null
}

function Chosen({ form, all, onPublish }: ChosenProps) {
  const { monitors: texts } = words.value.statusPages
  const { publicMonitorIds: ids = null, sections } = form.values.value
  const inSections = new Set((sections ?? []).flatMap(({ monitorIds }) => monitorIds))
  const choose = (chosen: readonly string[] | null) => form.set('/publicMonitorIds', chosen)
  const hasPublic = all.some(({ isPublic }) => isPublic)
  const isShown = ({ id, isPublic }: NamedMonitor) =>
    isPublic && (ids === null || ids.includes(id) || inSections.has(id))
  return (
    <fieldset class="field">
      <legend>{texts.which}</legend>
      <label class="inline">
        <input type="radio" name="which" checked={ids === null} onChange={() => choose(null)} />
        {texts.all}
      </label>
      <label class="inline">
        <input
          type="radio"
          name="which"
          checked={ids !== null}
          onChange={() => choose([...inSections])}
        />
        {texts.chosen}
      </label>
      {all.length === 0 && <p class="faint">{texts.none}</p>}
      {all.length > 0 && !hasPublic && <p class="note is-degraded">{texts.nonePublic}</p>}
      {(ids !== null || !hasPublic) && (
        <div class="pick-list">
          {all.map((monitor) => {
            const { id, name, publicName, isPublic } = monitor
            if (!isPublic && isNameAnAddress(monitor)) {
              return (
                <PublicName
                  key={id}
                  monitor={monitor}
                  submitText={texts.makePublic}
                  onSave={(publicName) => onPublish(monitor, { publicName })}
                />
              )
            }
            if (!isPublic) {
              return (
                <span key={id} class="inline">
                  {name} <span class="tag">{texts.private}</span>
                  <button type="button" class="link" onClick={() => onPublish(monitor, {})}>
                    {texts.makePublic}
                    <span class="hidden"> {name}</span>
                  </button>
                </span>
              )
            }
            return (
              <label key={id} class="inline">
                <input
                  type="checkbox"
                  checked={ids === null || ids.includes(id) || inSections.has(id)}
                  disabled={ids === null || inSections.has(id)}
                  onChange={({ currentTarget: { checked } }) =>
                    choose(checked ? [...(ids ?? []), id] : (ids ?? []).filter((one) => one !== id))
                  }
                />
                <bdi>{name}</bdi>
                {publicName !== null && (
                  <span class="faint"> {texts.shownAs({ name: publicName })}</span>
                )}
              </label>
            )
          })}
        </div>
      )}
      {all
        .filter((monitor) => isShown(monitor) && isNameAnAddress(monitor))
        .map((monitor) => (
          <div key={monitor.id}>
            <AddressWarning name={shownNameOf(monitor)} />
            <PublicName
              monitor={monitor}
              submitText={texts.saveName}
              onSave={(publicName) => onPublish(monitor, { publicName })}
            />
          </div>
        ))}
    </fieldset>
  )
}

interface SectionsProps {
  readonly form: Form<PageBody>
  readonly all: readonly NamedMonitor[]
}

function Sections({ form, all }: SectionsProps) {
  const { sections: texts, monitors } = words.value.statusPages
  const sections = form.values.value.sections ?? []
  const names = new Map(all.map(({ id, name }) => [id, name]))
  const taken = new Set(sections.flatMap(({ monitorIds }) => monitorIds))
  const free = all.filter(({ id }) => !taken.has(id))
  const nameOf = ({ name }: Section, index: number) =>
    name.trim() === '' ? texts.nameless({ place: index + 1 }) : name
  const setMonitors = (index: number, ids: readonly string[]) =>
    form.set(`/sections/${index}/monitorIds`, ids)
  return (
    <fieldset class="field">
      <legend>{texts.title}</legend>
      <Sortable
        items={sections}
        label={texts.title}
        nameOf={nameOf}
        onChange={(next) => form.set('/sections', next)}
      >
        {(section, index) => (
          <>
            <TextField pointer={`/sections/${index}/name`} label={texts.name} isRequired />
            {section.monitorIds.length === 0 && <p class="faint">{texts.empty}</p>}
            <Sortable
              items={section.monitorIds}
              label={nameOf(section, index)}
              nameOf={(id) => names.get(id) ?? id}
              onChange={(next) => setMonitors(index, next)}
            >
              {(id) => names.get(id) ?? id}
            </Sortable>
            {free.length > 0 && (
              <select
                aria-label={monitors.addMonitor + punctuation.value.colon + nameOf(section, index)}
                value=""
                onChange={({ currentTarget }) => {
                  const { value } = currentTarget
                  if (value !== '') setMonitors(index, [...section.monitorIds, value])
                  currentTarget.value = ''
                }}
              >
                <option value="">{monitors.addMonitor}…</option>
                {free.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </>
        )}
      </Sortable>
      <button
        type="button"
        class="add-section"
        onClick={() => form.set('/sections', [...sections, { name: '', monitorIds: [] }])}
      >
        {texts.add}
      </button>
      {sections.length > 0 && <p class="help">{monitors.rest}</p>}
    </fieldset>
  )
}
