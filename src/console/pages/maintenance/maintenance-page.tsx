// Planned work: what is on, what comes, and what was.
import { useSignal } from '@preact/signals'
import { fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskButton } from '../../parts/dialog/ask-button.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Empty } from '../../parts/page/empty.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Page } from '../../parts/page/page.tsx'
import { localTime, Time } from '../../parts/text/time.tsx'
import { monitors } from '../../stores/monitors.ts'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { MaintenanceCalendar } from './maintenance-calendar.tsx'
import { MaintenanceForm } from './maintenance-form.tsx'
import type { MaintenanceWindow } from './maintenance-window.ts'

export function MaintenancePage() {
  const texts = words.value.maintenance
  const edited = useSignal<MaintenanceWindow | 'new' | undefined>(undefined)
  const windows = useResource(
    (signal) =>
      fetchData('maintenance-windows.list', {
        path: { orgId: orgId() },
        query: { limit: 200 },
        signal,
      }),
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
    <button
      type="button"
      class="primary"
      onClick={() => {
        edited.value = 'new'
      }}
    >
      {texts.add}
    </button>
  )
  return (
    <Page title={texts.title} actions={add}>
      <Loaded of={windows}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={texts.empty.title} about={texts.empty.about}>
              {add}
            </Empty>
          ) : (
            <>
              <MaintenanceCalendar windows={all} />
              <ul class="page-part">
                {all.toSorted(byState).map((window) => (
                  <WindowCard
                    key={window.id}
                    window={window}
                    onEdit={() => {
                      edited.value = window
                    }}
                    onChange={() => void windows.reload()}
                  />
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      {edited.value && (
        <Dialog title={edited.value === 'new' ? texts.add : texts.change} isWide onClose={close}>
          <WindowForm edited={edited.value} onDone={done} />
        </Dialog>
      )}
    </Page>
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

const byState = (a: MaintenanceWindow, b: MaintenanceWindow) => order[a.state] - order[b.state]

interface WindowCardProps {
  readonly window: MaintenanceWindow
  readonly onEdit: () => void
  readonly onChange: () => void
}

const tones = { active: 'is-maintenance', scheduled: 'is-pending', ended: 'is-none' } as const

function WindowCard({ window, onEdit, onChange }: WindowCardProps) {
  const { maintenance: texts, common } = words.value
  const { id, name, state, cron, monitorIds, tags, occurrences, isPublic, description } = window
  const path = { orgId: orgId(), maintenanceId: id }
  const change = (work: () => Promise<unknown>, done: string) =>
    act(async () => {
      await work()
      onChange()
    }, done)
  const [next] = occurrences
  return (
    <li class="card">
      <header class="card-head">
        <h2>{name}</h2>
        <span class={`state ${tones[state]}`}>{texts.states[state]}</span>
      </header>
      {description !== null && <p class="lines">{description}</p>}
      <p>
        {next ? (
          <>
            <Time at={next.startsAt} form="local" /> – <Time at={next.endsAt} form="local" />
          </>
        ) : (
          window.startsAt !== null &&
          `${localTime(window.startsAt)} – ${window.endsAt === null ? '' : localTime(window.endsAt)}`
        )}{' '}
        {cron !== null && (
          <code>
            {cron} {window.timezone}
          </code>
        )}
        {isPublic && <span class="tag">{texts.public}</span>}
      </p>
      <p class="faint">
        {monitorIds.length === 0 && tags.length === 0
          ? texts.everything
          : [...monitorIds.map((one) => monitors.value.get(one)?.name ?? one), ...tags].join(', ')}
      </p>
      {mayAs('member') && (
        <div class="actions">
          {state === 'active' && (
            <>
              <button
                type="button"
                onClick={() =>
                  void change(() => fetchData('maintenance-windows.end', { path }), texts.endedNow)
                }
              >
                {texts.end}
              </button>
              <button
                type="button"
                onClick={() =>
                  void change(
                    () => fetchData('maintenance-windows.extend', { path, body: { minutes: 30 } }),
                    texts.extended,
                  )
                }
              >
                {texts.extend}
              </button>
            </>
          )}
          {state === 'scheduled' && next && cron !== null && (
            <button
              type="button"
              onClick={() =>
                void change(
                  () =>
                    fetchData('maintenance-windows.cancel', {
                      path,
                      body: { startsAt: next.startsAt },
                    }),
                  texts.cancelled,
                )
              }
            >
              {texts.cancelNext}
            </button>
          )}
          {state !== 'ended' && (
            <button type="button" onClick={onEdit}>
              {common.actions.edit}
            </button>
          )}
          <AskButton
            text={common.actions.remove}
            title={texts.deleteTitle({ name })}
            about={texts.deleteAbout}
            onConfirm={() =>
              change(
                () => fetchData('maintenance-windows.remove', { path }),
                texts.deleted({ name }),
              )
            }
          />
        </div>
      )}
    </li>
  )
}
