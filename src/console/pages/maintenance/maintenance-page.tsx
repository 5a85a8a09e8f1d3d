// Planned work: what is on, what comes, and what was.
import { useSignal } from '@preact/signals'
import { CalendarClock } from 'lucide'
import { useEffect } from 'preact/hooks'
import { everyPage, fetchData, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { knownZone, ownZone } from '../../base/zone.ts'
import { act } from '../../parts/dialog/act.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { RemovalMenu } from '../../parts/dialog/removal-menu.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { RowsPage } from '../../parts/page/rows-page.tsx'
import { scheduleText } from '../../parts/text/schedule.tsx'
import { now, rangeText, timeTitle, useTurnAt } from '../../parts/text/time.tsx'
import { monitors } from '../../stores/monitors.ts'
import { mayAs, orgId } from '../../stores/session.ts'
import { listed, words } from '../../words/words.ts'
import { MaintenanceCalendar } from './maintenance-calendar.tsx'
import { MaintenanceForm } from './maintenance-form.tsx'
import { type MaintenanceWindow, nextOf, nextTurnMs, stateAt } from './maintenance-window.ts'

export function MaintenancePage() {
  const texts = words.value.maintenance
  const edited = useSignal<MaintenanceWindow | 'new' | undefined>(undefined)
  const windows = useResource(
    (signal) =>
      wholeList(
        everyPage('maintenance-windows.list', {
          path: { orgId: orgId() },
          query: { limit: 200 },
          signal,
        }),
      ),
    [],
  )
  function close(): void {
    edited.value = undefined
  }
  function done(): void {
    close()
    void windows.reload()
  }
  const add = mayAs('member') && (
    <button type="button" class="primary" onClick={() => (edited.value = 'new')}>
      {texts.add}
    </button>
  )
  return (
    <>
      <RowsPage
        title={texts.title}
        of={windows}
        add={add}
        empty={{ icon: CalendarClock, ...texts.empty }}
      >
        {(all) => (
          <>
            <MaintenanceCalendar windows={all} />
            <Windows
              all={all}
              onEdit={(window) => (edited.value = window)}
              onChange={() => void windows.reload()}
            />
          </>
        )}
      </RowsPage>
      {edited.value && (
        <Dialog title={edited.value === 'new' ? texts.add : texts.change} isWide onClose={close}>
          <WindowForm edited={edited.value} onDone={done} />
        </Dialog>
      )}
    </>
  )
}

interface WindowFormProps {
  readonly edited: MaintenanceWindow | 'new'
  readonly onDone: () => void
}

/** What is edited is read again, so that a change that somebody else made meanwhile is noticed. */
function WindowForm({ edited, onDone }: WindowFormProps) {
  const maintenanceId = edited === 'new' ? undefined : edited.id
  const stored = useResource(
    async (signal) => {
      if (maintenanceId === undefined) return undefined
      const path = { orgId: orgId(), maintenanceId }
      return fetchData('maintenance-windows.get', { path, signal })
    },
    [maintenanceId],
  )
  if (maintenanceId === undefined) return <MaintenanceForm stored={undefined} onDone={onDone} />
  return (
    <Loaded of={stored}>{(window) => <MaintenanceForm stored={window} onDone={onDone} />}</Loaded>
  )
}

const order = { active: 0, scheduled: 1, ended: 2 } as const

/** Its rows; the state of each turns when its time comes, while somebody looks. */
function Windows({ all, onEdit, onChange }: WindowsProps) {
  const nowMs = now.value
  useTurnAt(nextTurnMs(all, nowMs))
  const startMsOf = ({ window }: { readonly window: MaintenanceWindow }) =>
    Date.parse(nextOf(window, nowMs)?.startsAt ?? '') || 0
  const shown = all
    .map((window) => ({ window, state: stateAt(window, nowMs) }))
    .toSorted((a, b) => order[a.state] - order[b.state] || startMsOf(a) - startMsOf(b))
  // What turned has other next times, which the service knows.
  const hasTurned = shown.some(({ window, state }) => window.state !== state)
  useEffect(() => {
    if (hasTurned) onChange()
  }, [hasTurned])
  return (
    <ul class="window-rows card">
      {shown.map(({ window, state }) => (
        <WindowRow
          key={window.id}
          window={window}
          state={state}
          onEdit={() => onEdit(window)}
          onChange={onChange}
        />
      ))}
    </ul>
  )
}

interface WindowsProps {
  readonly all: readonly MaintenanceWindow[]
  readonly onEdit: (window: MaintenanceWindow) => void
  readonly onChange: () => void
}

const tones = { active: 'is-maintenance', scheduled: 'is-pending', ended: 'is-none' } as const

interface WindowRowProps {
  readonly window: MaintenanceWindow
  readonly state: MaintenanceWindow['state']
  readonly onEdit: () => void
  readonly onChange: () => void
}

function WindowRow({ window, state, onEdit, onChange }: WindowRowProps) {
  const texts = words.value.maintenance
  const { name, monitorIds, tags, isPublic, description } = window
  return (
    <li class="window-row">
      <span class={`state ${tones[state]}`}>{texts.states[state]}</span>
      <div>
        <h2>
          {name} {isPublic && <span class="tag">{texts.public}</span>}
        </h2>
        <p class="faint">
          {monitorIds.length === 0 && tags.length === 0
            ? texts.everything
            : listed(monitorIds.map((one) => monitors.value.get(one)?.name ?? one))}
          {tags.map((tag) => (
            <span key={tag} class="tag">
              {tag}
            </span>
          ))}
        </p>
        {description !== null && (
          <p class="faint lines">
            <bdi>{description}</bdi>
          </p>
        )}
      </div>
      <When window={window} />
      {mayAs('member') && (
        <WindowActions window={window} state={state} onEdit={onEdit} onChange={onChange} />
      )}
    </li>
  )
}

function When({ window }: { readonly window: MaintenanceWindow }) {
  const next = nextOf(window, now.value)
  const { cron, timezone } = window
  const [from, to] = [next?.startsAt ?? window.startsAt, next?.endsAt ?? window.endsAt]
  return (
    <div>
      {from !== null && to !== null && (
        <p class="figure" title={`${timeTitle(from)}\n${timeTitle(to)}`}>
          {rangeText(from, to)}
        </p>
      )}
      {cron !== null && <Schedule cron={cron} zone={timezone} />}
    </div>
  )
}

function Schedule({ cron, zone }: { readonly cron: string; readonly zone: string | null }) {
  const schedule = scheduleText(cron) ?? cron
  return (
    <p class="faint" title={`${cron} ${zone ?? ''}`}>
      {zone === null || knownZone(zone) === ownZone()
        ? schedule
        : words.value.maintenance.scheduleIn({ schedule, zone })}
    </p>
  )
}

function WindowActions({ window, state, onEdit, onChange }: WindowRowProps) {
  const { maintenance: texts, common } = words.value
  const { id, name, cron } = window
  const path = { orgId: orgId(), maintenanceId: id }
  const next = nextOf(window, now.value)
  const change = (work: () => Promise<unknown>, done: string) =>
    act(async () => {
      await work()
      onChange()
    }, done)
  const end = () => change(() => fetchData('maintenance-windows.end', { path }), texts.endedNow)
  const extend = () =>
    change(
      () => fetchData('maintenance-windows.extend', { path, body: { minutes: 30 } }),
      texts.extended,
    )
  const skip = (startsAt: string) =>
    change(
      () => fetchData('maintenance-windows.cancel', { path, body: { startsAt } }),
      texts.cancelled,
    )
  return (
    <div class="actions">
      {state === 'active' && (
        <button type="button" onClick={() => void end()}>
          {texts.end}
        </button>
      )}
      {state !== 'ended' && (
        <button type="button" onClick={onEdit}>
          {common.actions.edit}
        </button>
      )}
      <RemovalMenu
        items={[
          ...(state === 'active' ? [{ text: texts.extend, onSelect: () => void extend() }] : []),
          ...(state === 'scheduled' && next && cron !== null
            ? [{ text: texts.cancelNext, onSelect: () => void skip(next.startsAt) }]
            : []),
        ]}
        title={texts.deleteTitle({ name })}
        about={texts.deleteAbout}
        onConfirm={() =>
          change(() => fetchData('maintenance-windows.remove', { path }), texts.deleted({ name }))
        }
      />
    </div>
  )
}
