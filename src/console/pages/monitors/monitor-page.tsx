// One monitor: how it is and since when, why, its history, and what can be done.
import { useSignal } from '@preact/signals'
import { useLocation, useRoute } from 'preact-iso'
import { type Data, fetchData } from '../../api/client.ts'
import { waitsForReports } from '../../api/kinds.ts'
import { useResource } from '../../api/resource.ts'
import { useShortcuts } from '../../base/shortcuts.ts'
import { act } from '../../parts/dialog/act.ts'
import { later } from '../../parts/page/later.tsx'
import { useLiveReload } from '../../parts/page/live-reload.ts'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Page } from '../../parts/page/page.tsx'
import { ConfirmingChip, StateMark } from '../../parts/text/state-mark.tsx'
import { duration, percent, Time } from '../../parts/text/time.tsx'
import { shownConfirming } from '../../stores/confirming.ts'
import { loadMonitors } from '../../stores/monitors.ts'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { CheckLog } from './check-log.tsx'
import { DeleteMonitor } from './delete-monitor.tsx'
import { Evidence } from './evidence.tsx'
import { History } from './history/history.tsx'
import { LastReport } from './last-report.tsx'
import { MonitorIncidents } from './monitor-incidents.tsx'
import { PushAddress } from './push-address.tsx'
import { ReportLinks } from './report-links.tsx'
import { Silence, silence } from './silence.tsx'

type ShownMonitor = Data<'monitors.get'>

// What few visits need is loaded when it is asked for.
const PushRuns = later(() => import('./push-runs.tsx').then((m) => m.PushRuns))
const Simulate = later(() => import('./simulate/simulate.tsx').then((m) => m.Simulate))
const TestAlert = later(() => import('./test-alert.tsx').then((m) => m.TestAlert))

export function MonitorPage() {
  const { monitorId = '' } = useRoute().params
  const path = { orgId: orgId(), monitorId }
  const monitor = useResource((signal) => fetchData('monitors.get', { path, signal }), [monitorId])
  const latest = useResource(
    (signal) => fetchData('monitors.latest', { path, signal }),
    [monitorId],
  )
  useLiveReload(
    ({ data }) => 'monitorId' in data && data.monitorId === monitorId,
    () => Promise.all([monitor.reload(), latest.reload()]),
  )
  return (
    <Loaded of={monitor} pageTitle={words.value.overview.title}>
      {(shown) => (
        <Page
          title={shown.name}
          parent={{ href: '/app', title: words.value.overview.title }}
          actions={<Actions monitor={shown} onChange={monitor.set} />}
        >
          <Head monitor={shown} />
          {waitsForReports(shown) ? (
            <>
              <Loaded of={latest}>
                {(result) => <LastReport monitor={shown} result={result} />}
              </Loaded>
              <PushAddress monitor={shown} />
              <PushRuns monitorId={monitorId} version={shown.lastCheckAt ?? ''} />
            </>
          ) : (
            <section class="card" aria-label={words.value.monitor.lastCheck}>
              <h2>
                {words.value.monitor.lastCheck}{' '}
                {shown.lastCheckAt && (
                  <span class="faint">
                    <Time at={shown.lastCheckAt} />
                  </span>
                )}
              </h2>
              <Loaded of={latest}>{(result) => <Evidence result={result} />}</Loaded>
            </section>
          )}
          <History monitorId={monitorId} version={turnOf(shown)} />
          <MonitorIncidents monitorId={monitorId} version={turnOf(shown)} />
          {hasResults(shown) && <SimulateCard monitor={shown} onChange={monitor.set} />}
          {hasResults(shown) && <ReportLinks monitor={shown} />}
          <CheckLog monitorId={monitorId} version={shown.lastCheckAt ?? ''} />
        </Page>
      )}
    </Loaded>
  )
}

/** Changes when an incident begins or ends, and with the state. */
const turnOf = ({ stateSince, openIncidentId }: ShownMonitor) => `${stateSince} ${openIncidentId}`

/** A job that never reported has nothing to simulate with, and nothing to report of. */
const hasResults = (monitor: ShownMonitor) =>
  !waitsForReports(monitor) || monitor.lastCheckAt !== null

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
          <button
            type="button"
            onClick={() => {
              isOpen.value = true
            }}
          >
            {texts.open}
          </button>
        </div>
      )}
    </section>
  )
}

function Head({ monitor }: { readonly monitor: ShownMonitor }) {
  const texts = words.value.monitor
  const { state, stateSince, url, uptime, intervalSeconds, certificate, openIncidentId } = monitor
  const confirming = shownConfirming(monitor)
  const windows = ['24h', '7d', '30d', '90d'] as const
  return (
    <>
      <p class="monitor-head">
        <StateMark state={state} confirming={confirming} /> <Time at={stateSince} />
        <ConfirmingChip confirming={confirming} />
        {state === 'maintenance' && (
          <a href="/app/maintenance">{words.value.shell.places.maintenance}</a>
        )}
        {url !== null && <code>{url}</code>}
        {openIncidentId !== null && (
          <a href={`/app/incidents/${openIncidentId}`}>{texts.openIncident}</a>
        )}
      </p>
      {monitor.description !== null && <p>{monitor.description}</p>}
      <dl class="facts">
        {windows.map((window) => (
          <div key={window}>
            <dt>{texts.uptimes[window]}</dt>
            <dd class="figure">{percent(uptime[window])}</dd>
          </div>
        ))}
        <div>
          <dt>{texts.interval}</dt>
          <dd class="figure">{duration(intervalSeconds)}</dd>
        </div>
        {monitor.nextCheckAt !== null && (
          <div>
            <dt>{waitsForReports(monitor) ? texts.push.nextBy : texts.nextCheck}</dt>
            <dd>
              <Time at={monitor.nextCheckAt} />
            </dd>
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

interface MonitorActionsProps {
  readonly monitor: ShownMonitor
  readonly onChange: (monitor: ShownMonitor) => void
}

function Actions({ monitor, onChange }: MonitorActionsProps) {
  const { route } = useLocation()
  const texts = words.value.monitor
  const isAlertsOpen = useSignal(false)
  const isRunning = useSignal(false)
  const mayEdit = mayAs('member')
  // A push monitor waits for reports: there is nothing that it could ask.
  const isChecked = monitor.isActive && !waitsForReports(monitor)
  const edit = `/app/monitors/${monitor.id}/edit`
  const clone = `/app/monitors/new?from=${monitor.id}`
  useShortcuts({
    r: () => mayEdit && isChecked && void run(),
    s: () => mayEdit && void silence(monitor),
    e: () => mayEdit && route(edit),
    c: () => mayEdit && route(clone),
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
  if (!mayEdit) return null
  return (
    <>
      {isChecked && (
        <button
          type="button"
          aria-keyshortcuts="r"
          aria-busy={isRunning.value}
          title={texts.keys}
          onClick={() => void run()}
        >
          {texts.run}
        </button>
      )}
      <button type="button" onClick={() => void (monitor.isActive ? pause() : resume())}>
        {monitor.isActive ? texts.pause : texts.resume}
      </button>
      <Silence monitor={monitor} />
      <a class="button" aria-keyshortcuts="e" href={edit}>
        {words.value.common.actions.edit}
      </a>
      <a class="button" aria-keyshortcuts="c" href={clone}>
        {texts.clone}
      </a>
      <button
        type="button"
        onClick={() => {
          isAlertsOpen.value = true
        }}
      >
        {texts.testAlert}
      </button>
      <DeleteMonitor
        monitor={monitor}
        onDone={() => {
          void loadMonitors()
          route('/app')
        }}
      />
      {isAlertsOpen.value && (
        <TestAlert
          monitorId={monitor.id}
          onClose={() => {
            isAlertsOpen.value = false
          }}
        />
      )}
    </>
  )
}
