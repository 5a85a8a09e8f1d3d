// Silences a monitor: planned work that begins now, and can be taken back.
import { type Signal, useSignal } from '@preact/signals'
import { everyPage, fetchData, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { Menu } from '../../parts/dialog/menu.tsx'
import { tell } from '../../parts/dialog/toast.tsx'
import { clockTime, duration, localTime, now, useTurnAt } from '../../parts/text/time.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import type { MaintenanceWindow } from '../maintenance/maintenance-window.ts'

const hourSeconds = 3_600

/** What the menu offers besides an hour. */
const otherSeconds = [900, 4 * hourSeconds, 8 * hourSeconds, 24 * hourSeconds, 168 * hourSeconds]

/** A window that is on once, and for this monitor alone. */
const silences = (monitorId: string) => (one: MaintenanceWindow) =>
  one.cron === null &&
  one.tags.length === 0 &&
  one.monitorIds.length === 1 &&
  one.monitorIds[0] === monitorId

async function silencing(monitorId: string, signal?: AbortSignal) {
  const active = await wholeList(
    everyPage('maintenance-windows.list', {
      path: { orgId: orgId() },
      query: { state: 'active', limit: 200 },
      ...(signal && { signal }),
    }),
  )
  return active.find(silences(monitorId)) ?? null
}

export interface Silence {
  /** When it ends; undefined while the monitor is not silenced. */
  readonly until: string | undefined
  readonly isBusy: Signal<boolean>
  begin(seconds?: number): Promise<void>
  end(): Promise<void>
}

interface Silenced {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly stateSince: string
}

export function useSilence(monitor: Silenced): Silence {
  const isBusy = useSignal(false)
  const window = useResource(
    (signal) => silencing(monitor.id, signal),
    [monitor.id],
    [monitor.state, monitor.stateSince],
  )
  const endsAt = window.value.value?.endsAt ?? undefined
  useTurnAt(endsAt === undefined ? undefined : Date.parse(endsAt))
  const until = endsAt !== undefined && Date.parse(endsAt) > now.value ? endsAt : undefined

  async function alone(work: () => Promise<void>): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    await act(work)
    isBusy.value = false
  }
  async function undo(id: string): Promise<void> {
    const path = { orgId: orgId(), maintenanceId: id }
    await act(async () => {
      await fetchData('maintenance-windows.remove', { path })
      window.set(null)
    }, words.value.maintenance.silence.undone)
  }
  return {
    until,
    isBusy,
    begin: (seconds = hourSeconds) =>
      alone(async () => {
        const texts = words.value.maintenance.silence
        // Somebody else may have silenced it, or another tab.
        const former = await silencing(monitor.id)
        if (former?.endsAt) {
          window.set(former)
          return tell(texts.until({ time: clockTime(former.endsAt) }))
        }
        const nowMs = Date.now()
        const made = await fetchData('maintenance-windows.create', {
          path: { orgId: orgId() },
          body: {
            name: texts.name({ monitor: monitor.name }),
            monitorIds: [monitor.id],
            startsAt: new Date(nowMs).toISOString(),
            endsAt: new Date(nowMs + seconds * 1_000).toISOString(),
          },
        })
        window.set(made)
        const done =
          seconds === hourSeconds ? texts.done : texts.until({ time: clockTime(made.endsAt ?? '') })
        tell(done, () => void undo(made.id))
      }),
    end: () =>
      alone(async () => {
        const shown = window.value.value
        if (!shown) return
        const path = { orgId: orgId(), maintenanceId: shown.id }
        await fetchData('maintenance-windows.end', { path })
        window.set(null)
        tell(words.value.maintenance.silence.undone)
      }),
  }
}

/** An hour is one click; other times are in the menu beside it. */
export function SilenceButton({ silence }: { readonly silence: Silence }) {
  const texts = words.value.maintenance.silence
  return (
    <span class="split">
      <button
        type="button"
        aria-keyshortcuts="s"
        aria-busy={silence.isBusy.value}
        title={texts.about}
        onClick={() => void silence.begin()}
      >
        {texts.button}
      </button>
      <Menu
        label={texts.other}
        items={otherSeconds.map((seconds) => ({
          text: texts.for({ time: duration(seconds) }),
          onSelect: () => void silence.begin(seconds),
        }))}
      />
    </span>
  )
}

/** Until when it is silenced, and a way to end that. */
export function SilencedUntil({ silence }: { readonly silence: Silence }) {
  const texts = words.value.maintenance.silence
  if (silence.until === undefined) return null
  return (
    <p class="silenced is-maintenance">
      <span title={localTime(silence.until)}>
        {texts.until({ time: clockTime(silence.until) })}
      </span>
      {mayAs('member') && (
        <button
          type="button"
          class="link"
          aria-busy={silence.isBusy.value}
          onClick={() => void silence.end()}
        >
          {texts.endNow}
        </button>
      )}
    </p>
  )
}
