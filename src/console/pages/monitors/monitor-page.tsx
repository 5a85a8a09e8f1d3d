// One monitor: how it is and since when, why, its history, and what can be done.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useLocation, useRoute } from 'preact-iso/router'
import { type Data, fetchData, revisionOf } from '../../api/client.ts'
import { factsOf, isChecked, waitsForReports } from '../../api/kinds.ts'
import { useData } from '../../api/resource.ts'
import { useShortcuts } from '../../base/shortcuts.ts'
import { act } from '../../parts/dialog/act.ts'
import { Menu } from '../../parts/dialog/menu.tsx'
import { later } from '../../parts/page/later.tsx'
import { useLiveReload } from '../../parts/page/live-reload.ts'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Page } from '../../parts/page/page.tsx'
import { ConfirmingChip, StateMark, toneOf } from '../../parts/text/state-mark.tsx'
import { duration, now, percent, Time, timeTitle } from '../../parts/text/time.tsx'
import { createTurnMarks } from '../../parts/text/turn-mark.ts'
import { shownConfirming } from '../../stores/confirming.ts'
import { loadMonitors } from '../../stores/monitors.ts'
import { pin, pinnedIds } from '../../stores/preferences.ts'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { acceptedChange } from './accepted-change.ts'
import { CheckLog } from './check-log.tsx'
import { DeleteMonitor } from './delete-monitor.tsx'
import { type Accept, Evidence } from './evidence/evidence.tsx'
import { History } from './history/history.tsx'
import { hasPlaces } from './history/seen-place.ts'
import { LastReport } from './last-report.tsx'
import { Members } from './members.tsx'
import { MonitorIncidents } from './monitor-incidents.tsx'
import { MonitorPlaces } from './monitor-places.tsx'
import { PushAddress } from './push-address.tsx'
import { ReportLinks } from './report-links.tsx'
import { SetState } from './set-state.tsx'
import { type Silence, SilenceButton, SilencedUntil, useSilence } from './silence.tsx'
import { Since } from './since.tsx'

type ShownMonitor = Data<'monitors.get'>

// What few visits need is loaded when it is asked for.
const PushRuns = later(() => import('./push-runs.tsx').then((m) => m.PushRuns))
const Simulate = later(() => import('./simulate/simulate.tsx').then((m) => m.Simulate))
const TestAlert = later(() => import('./test-alert.tsx').then((m) => m.TestAlert))

export function MonitorPage() {
  const { monitorId = '' } = useRoute().params
  const path = { orgId: orgId(), monitorId }
  const monitor = useData('monitors.get', { path })
  const latest = useData('monitors.latest', { path })
  useLiveReload(
    ({ data }) => 'monitorId' in data && data.monitorId === monitorId,
    () => Promise.all([monitor.reload(), latest.reload()]),
  )
  return (
    <Loaded of={monitor} pageTitle={words.value.overview.title}>
      {(shown) => (
        <Page title={shown.name} parents={[{ href: '/app', title: words.value.overview.title }]}>
          <Top monitor={shown} onChange={monitor.set} />
          <Facts monitor={shown} />
          {waitsForReports(shown) ? (
            <>
              <Loaded of={latest}>
                {(result) => <LastReport monitor={shown} result={result} />}
              </Loaded>
              <PushAddress monitor={shown} onChange={monitor.set} />
              <PushRuns monitorId={monitorId} version={shown.lastCheckAt ?? ''} />
            </>
          ) : factsOf(shown.checkType).hasMembers ? (
            <Members monitor={shown} latest={latest.value.value} />
          ) : !isChecked(shown) ? (
            <SetState monitor={shown} latest={latest.value.value} onChange={monitor.set} />
          ) : (
            <LastCheck monitor={shown}>
              <Loaded of={latest}>
                {(result) => (
                  <Evidence result={result} onAccept={acceptOf(shown, result, monitor.set)} />
                )}
              </Loaded>
            </LastCheck>
          )}
          {hasPlaces(shown) && (
            <MonitorPlaces monitorId={monitorId} version={shown.lastCheckAt ?? ''} />
          )}
          <History monitor={shown} version={turnOf(shown)} />
          <MonitorIncidents monitorId={monitorId} version={turnOf(shown)} />
          {hasResults(shown) && !hasPlaces(shown) && !isTold(shown) && (
            <SimulateCard monitor={shown} onChange={monitor.set} />
          )}
          {hasResults(shown) && <ReportLinks monitor={shown} />}
          <CheckLog monitor={shown} version={shown.lastCheckAt ?? ''} />
        </Page>
      )}
    </Loaded>
  )
}

/**
 * Accepts what a check found where nothing may change, and checks again. Undefined for who may not change
 * the monitor, and if it was changed since: its assertions may be others.
 */
function acceptOf(
  monitor: ShownMonitor,
  { failure }: Data<'monitors.latest'>,
  onChange: (monitor: ShownMonitor) => void,
): Accept | undefined {
  const { isActive, updatedAt } = monitor
  if (!mayAs('member') || !failure || failure.at < updatedAt) return undefined
  const path = { orgId: orgId(), monitorId: monitor.id }
  return async (accepted, found) => {
    const body = acceptedChange(monitor, failure, accepted, found)
    await act(async () => {
      const revision = revisionOf(monitor)
      onChange(await fetchData('monitors.change', { path, revision, body }))
      if (!isActive) return
      await fetchData('monitors.run', { path })
      onChange(await fetchData('monitors.get', { path }))
    })
  }
}

interface LastCheckProps {
  readonly monitor: ShownMonitor
  readonly children: ComponentChildren
}

const useTurnMark = createTurnMarks()

/** It is marked briefly with each check. */
function LastCheck({ monitor: { state, lastCheckAt }, children }: LastCheckProps) {
  const texts = words.value.monitor
  const card = useRef<HTMLElement>(null)
  useTurnMark(card, lastCheckAt)
  return (
    <section ref={card} class={`card ${toneOf(state, null)}`} aria-label={texts.lastCheck}>
      <h2>
        {texts.lastCheck}{' '}
        {lastCheckAt && (
          <span class="faint">
            <Time at={lastCheckAt} />
          </span>
        )}
      </h2>
      {children}
    </section>
  )
}

/** Changes when an incident begins or ends, and with the state. */
const turnOf = ({ stateSince, openIncidentId }: ShownMonitor) => `${stateSince} ${openIncidentId}`

/** A job that never reported has nothing to simulate with, and nothing to report of. */
const hasResults = (monitor: ShownMonitor) => isChecked(monitor) || monitor.lastCheckAt !== null

/** It neither looks at a target nor waits for anything: people say how it is. */
const isTold = (monitor: ShownMonitor) => !isChecked(monitor) && !waitsForReports(monitor)

/** Closed at first: each simulation costs the service some work. */
function SimulateCard(props: { monitor: ShownMonitor; onChange: (monitor: ShownMonitor) => void }) {
  const texts = words.value.simulate
  const isOpen = useSignal(false)
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p class="faint">{texts.about}</p>
      {isOpen.value ? (
        <Simulate {...props} />
      ) : (
        <div>
          <button type="button" onClick={() => (isOpen.value = true)}>
            {texts.open}
          </button>
        </div>
      )}
    </section>
  )
}

interface MonitorTopProps {
  readonly monitor: ShownMonitor
  readonly onChange: (monitor: ShownMonitor) => void
}

/** How it is, large, then what can be done. */
function Top({ monitor, onChange }: MonitorTopProps) {
  const texts = words.value.monitor
  const { state, stateSince, url, openIncidentId } = monitor
  const confirming = shownConfirming(monitor)
  const silence = useSilence(monitor)
  return (
    <div class="monitor-top">
      <div class={`monitor-head ${toneOf(state, confirming)}`}>
        <p class="monitor-state">
          <StateMark state={state} confirming={confirming} />
          <Since at={stateSince} />
          <ConfirmingChip confirming={confirming} />
        </p>
        <p class="monitor-links">
          {url !== null && <code>{url}</code>}
          {openIncidentId !== null && (
            <a href={`/app/incidents/${openIncidentId}`}>{texts.openIncident}</a>
          )}
          {state === 'maintenance' && silence.until === undefined && (
            <a href="/app/maintenance">{words.value.shell.places.maintenance}</a>
          )}
        </p>
        <SilencedUntil silence={silence} />
      </div>
      {mayAs('member') && <Actions monitor={monitor} silence={silence} onChange={onChange} />}
    </div>
  )
}

function Facts({ monitor }: { readonly monitor: ShownMonitor }) {
  const texts = words.value.monitor
  const { intervalSeconds, certificate } = monitor
  return (
    <>
      {monitor.description !== null && (
        <p>
          <bdi>{monitor.description}</bdi>
        </p>
      )}
      <dl class="facts">
        <Uptimes monitor={monitor} />
        {!isTold(monitor) && (
          <div>
            <dt>{texts.interval}</dt>
            <dd class="figure">{duration(intervalSeconds)}</dd>
          </div>
        )}
        {monitor.nextCheckAt !== null && (
          <div>
            <dt>{waitsForReports(monitor) ? texts.push.nextBy : texts.nextCheck}</dt>
            <dd class="coming">
              <Time at={monitor.nextCheckAt} form="countdown" />
            </dd>
          </div>
        )}
        {monitor.isUpsideDown === true && (
          <div>
            <dt>{texts.upsideDown}</dt>
            <dd>{texts.shouldFail}</dd>
          </div>
        )}
        {certificate !== null && (
          <div>
            <dt>{texts.certificate}</dt>
            <dd>
              <Time at={certificate.expiresAt} />
            </dd>
          </div>
        )}
        {monitor.runbookUrl !== null && (
          <div>
            <dt>{texts.runbook}</dt>
            <dd>
              <a href={monitor.runbookUrl} rel="noreferrer">
                {monitor.runbookUrl}
              </a>
            </dd>
          </div>
        )}
      </dl>
    </>
  )
}

const uptimeWindows = [
  ['24h', 86_400],
  ['7d', 7 * 86_400],
  ['30d', 30 * 86_400],
  ['90d', 90 * 86_400],
] as const

/** Below it, a percentage would say more than is known. */
const uptimeSecondsMin = 1_800

/** The uptime of a time that is longer than the life of the monitor says what it covers. */
function Uptimes({ monitor: { uptime, createdAt } }: { readonly monitor: ShownMonitor }) {
  const texts = words.value.monitor
  const lived = Math.max(0, (now.value - Date.parse(createdAt)) / 1_000)
  if (lived < uptimeSecondsMin) {
    return (
      <div>
        <dt>{texts.uptime}</dt>
        <dd class="figure" title={timeTitle(createdAt)}>
          {lived < 60 ? texts.uptimeSinceNow : texts.uptimeSince({ time: duration(lived) })}
        </dd>
      </div>
    )
  }
  const whole = uptimeWindows.findIndex(([, seconds]) => seconds > lived)
  const shown = whole < 0 ? uptimeWindows : uptimeWindows.slice(0, whole + 1)
  return (
    <>
      {shown.map(([window, seconds]) => (
        <div key={window}>
          <dt>
            {seconds > lived ? texts.uptimeOf({ time: duration(lived) }) : texts.uptimes[window]}
          </dt>
          <dd class="figure">{percent(uptime[window])}</dd>
        </div>
      ))}
    </>
  )
}

interface MonitorActionsProps extends MonitorTopProps {
  readonly silence: Silence
}

function Actions({ monitor, silence, onChange }: MonitorActionsProps) {
  const { route } = useLocation()
  const { monitor: texts, common } = words.value
  const dialog = useSignal<'alerts' | 'delete' | undefined>(undefined)
  const isRunning = useSignal(false)
  const { isActive } = monitor
  // Without a target there is nothing that it could ask.
  const isAskable = isActive && isChecked(monitor)
  const edit = `/app/monitors/${monitor.id}/edit`
  const clone = `/app/monitors/new?from=${monitor.id}`
  useShortcuts({
    r: () => isAskable && void run(),
    s: () => isActive && void silence.begin(),
    e: () => route(edit),
    c: () => route(clone),
  })
  const path = { orgId: orgId(), monitorId: monitor.id }
  const resume = () => act(async () => onChange(await fetchData('monitors.resume', { path })))
  const pause = () =>
    act(
      async () => onChange(await fetchData('monitors.pause', { path })),
      texts.paused,
      () => void resume(),
    )
  async function run(): Promise<void> {
    if (isRunning.value) return
    isRunning.value = true
    await act(async () => {
      await fetchData('monitors.run', { path })
      onChange(await fetchData('monitors.get', { path }))
    })
    isRunning.value = false
  }
  function close(): void {
    dialog.value = undefined
  }
  const isPinned = pinnedIds.value.includes(monitor.id)
  return (
    <div class="actions">
      {isAskable && (
        <button
          type="button"
          class="primary"
          aria-keyshortcuts="r"
          aria-busy={isRunning.value}
          title={texts.keys}
          onClick={() => void run()}
        >
          {texts.run}
        </button>
      )}
      {!isActive && (
        <button type="button" class="primary" onClick={() => void resume()}>
          {texts.resume}
        </button>
      )}
      {isActive && silence.until === undefined && <SilenceButton silence={silence} />}
      <a class="button" aria-keyshortcuts="e" href={edit}>
        {common.actions.edit}
      </a>
      <Menu
        items={[
          ...(isActive ? [{ text: texts.pause, onSelect: () => void pause() }] : []),
          {
            text: isPinned ? texts.unpin : texts.pin,
            onSelect: () => void act(() => pin(monitor.id, !isPinned)),
          },
          { text: texts.clone, href: clone, shortcut: 'c' },
          {
            text: texts.testAlert,
            onSelect: () => {
              dialog.value = 'alerts'
            },
          },
          {
            text: texts.deleteAsk,
            isDanger: true,
            onSelect: () => {
              dialog.value = 'delete'
            },
          },
        ]}
      >
        {common.actions.menu}
      </Menu>
      {dialog.value === 'delete' && (
        <DeleteMonitor
          monitor={monitor}
          onClose={close}
          onDone={() => {
            void loadMonitors()
            route('/app')
          }}
        />
      )}
      {dialog.value === 'alerts' && <TestAlert monitorId={monitor.id} onClose={close} />}
    </div>
  )
}
