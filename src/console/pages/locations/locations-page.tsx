// Locations: the places that monitors are checked from besides this one, with the probes that stand there. Those
// of the organization are a page, those that the operator shares with all a part of another.

import schema from 'schema:locations.create'
import { useSignal } from '@preact/signals'
import { MapPin } from 'lucide'
import { type Body, everyPage, fetchData, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { changeOf } from '../../base/merge.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { Empty } from '../../parts/page/empty.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { usePoll } from '../../parts/page/poll.ts'
import { RowsPage } from '../../parts/page/rows-page.tsx'
import { words } from '../../words/words.ts'
import type { LocationEntry } from './location.ts'
import { LocationCard } from './location-card.tsx'
import { LocationOwnerContext, sharedLocations, useLocationOwner } from './location-owner.ts'

/** With more, the probes of each are shown when somebody asks for them. */
const openMax = 10
const lookMs = 10_000

export function LocationsPage() {
  const { title, empty } = words.value.locations
  const { locations, add, rows, dialog } = useLocations()
  return (
    <>
      <RowsPage title={title} of={locations} add={add} empty={{ icon: MapPin, ...empty }}>
        {rows}
      </RowsPage>
      {dialog}
    </>
  )
}

/** For the operator. */
export const SharedLocations = () => (
  <LocationOwnerContext.Provider value={sharedLocations}>
    <SharedList />
  </LocationOwnerContext.Provider>
)

function SharedList() {
  const { about, none } = words.value.locations.ofOperator
  const { locations, add, rows, dialog } = useLocations()
  return (
    <div class="page-part">
      <div class="actions">{add}</div>
      <p class="faint">{about}</p>
      <Loaded of={locations}>
        {(all) => (all.length === 0 ? <Empty icon={MapPin} about={none} /> : rows(all))}
      </Loaded>
      {dialog}
    </div>
  )
}

function useLocations() {
  const texts = words.value.locations
  const owner = useLocationOwner()
  const edited = useSignal<LocationEntry | 'new' | undefined>(undefined)
  const looks = useSignal(0)
  const locations = useResource(
    (signal) =>
      wholeList(
        everyPage(owner.operation('list'), { path: owner.path, query: { limit: 200 }, signal }),
      ),
    [],
  )
  async function reload(): Promise<void> {
    await locations.reload()
    looks.value += 1
  }
  usePoll(true, reload, lookMs)
  function close(): void {
    edited.value = undefined
  }
  const add = owner.mayChange() && (
    <button type="button" class="primary" onClick={() => (edited.value = 'new')}>
      {texts.add}
    </button>
  )
  const rows = (all: readonly LocationEntry[]) =>
    all.map((location) => (
      <LocationCard
        key={location.id}
        location={location}
        looks={looks.value}
        isOpen={all.length <= openMax}
        onEdit={() => (edited.value = location)}
        onChange={() => void reload()}
      />
    ))
  const dialog = edited.value && (
    <LocationDialog
      stored={edited.value === 'new' ? undefined : edited.value}
      onClose={close}
      onDone={() => {
        close()
        void reload()
      }}
    />
  )
  return { locations, add, rows, dialog }
}

interface LocationDialogProps {
  readonly stored: LocationEntry | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

type LocationBody = Body<'locations.create'>

const bodyOf = ({ name, description }: LocationEntry): LocationBody => ({ name, description })

function LocationDialog({ stored, onClose, onDone }: LocationDialogProps) {
  const { locations: texts, common } = words.value
  const owner = useLocationOwner()
  const { path } = owner
  const form = useForm<LocationBody>(
    () => ({
      schema,
      draft: `location ${stored?.id ?? (owner.isShared ? 'shared' : 'new')}`,
      initial: stored ? bodyOf(stored) : { name: '' },
      stored: stored && {
        record: stored,
        read: () => fetchData(owner.operation('get'), { path: { ...path, locationId: stored.id } }),
        shownOf: bodyOf,
      },
      submit: async (body, revision, before) => {
        if (!stored) return void (await fetchData(owner.operation('create'), { path, body }))
        await fetchData(owner.operation('change'), {
          path: { ...path, locationId: stored.id },
          body: changeOf(before, body),
          revision,
        })
      },
    }),
    [],
  )
  return (
    <Dialog title={stored ? texts.change : texts.add} onClose={onClose}>
      <FormFrame
        form={form}
        submitText={stored ? common.actions.save : texts.add}
        onDone={onDone}
        more={
          <button type="button" onClick={onClose}>
            {common.actions.cancel}
          </button>
        }
      >
        <TextField
          pointer="/name"
          label={texts.name}
          placeholder="Frankfurt"
          isRequired
          shouldFocus
        />
        <TextField pointer="/description" label={texts.description} rows={2} emptyAs={null} />
      </FormFrame>
    </Dialog>
  )
}
