// One incident: what happened, what was done, and who was told.
import { useRoute } from 'preact-iso/router'
import { fetchData } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { useLiveReload } from '../../parts/page/live-reload.ts'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Person } from '../../parts/text/person.tsx'
import { Said } from '../../parts/text/said.tsx'
import { SeenFrom } from '../../parts/text/seen-from.tsx'
import { Time } from '../../parts/text/time.tsx'
import { monitors } from '../../stores/monitors.ts'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { Explanation } from './explanation.tsx'
import { type Incident, incidentDuration, incidentTone } from './incident.ts'
import { IncidentEvidence } from './incident-evidence.tsx'
import { Postmortem } from './postmortem.tsx'
import { ProseFrame } from './prose-frame.tsx'
import { tellIfReopens } from './reopening.ts'
import { Told } from './told.tsx'
import { UpdateForm } from './update-form.tsx'

export function IncidentPage() {
  const { incidentId = '' } = useRoute().params
  const texts = words.value.incidents
  const path = { orgId: orgId(), incidentId }
  const incident = useData('incidents.get', { path })
  const explained = useData('incidents.explain', { path })
  useLiveReload(
    ({ type, data }) =>
      type === 'channels.changed' || ('incident' in data && data.incident.id === incidentId),
    () => Promise.all([incident.reload(), explained.reload()]),
  )
  return (
    <Loaded of={incident} pageTitle={texts.title}>
      {(shown) => (
        <Page
          title={shown.title}
          parents={parentsOf(shown)}
          actions={<Actions incident={shown} onDone={() => void incident.reload()} />}
        >
          <Head incident={shown} />
          <div class="incident-columns">
            <Loaded of={explained}>{({ channels }) => <Told channels={channels} />}</Loaded>
            <section class="card timeline-card">
              <h2>{texts.timeline}</h2>
              <Timeline incident={shown} />
            </section>
            {mayAs('member') && (
              <section class="card">
                <h2>{texts.update}</h2>
                <UpdateForm incident={shown} onDone={() => void incident.reload()} />
              </section>
            )}
          </div>
          {shown.evidence && <IncidentEvidence evidence={shown.evidence} />}
          <Explanation of={explained} />
          <Postmortem incident={shown} onDone={() => void incident.reload()} />
        </Page>
      )}
    </Loaded>
  )
}

/** An incident of one monitor belongs to that, too. */
function parentsOf({ monitorIds: [id = '', ...others] }: Incident) {
  const monitor = others.length === 0 ? monitors.value.get(id) : undefined
  return [
    { href: '/app/incidents', title: words.value.incidents.title },
    ...(monitor ? [{ href: `/app/monitors/${id}`, title: monitor.name }] : []),
  ]
}

function Head({ incident }: { readonly incident: Incident }) {
  const texts = words.value.incidents
  const { state, cause, startedAt, monitorIds, isPublic } = incident
  return (
    <>
      <p class="monitor-head">
        <span class={`state ${incidentTone(incident)}`}>{texts.states[state]}</span>
        <Time at={startedAt} form="local" />
        <span class="figure">{incidentDuration(incident)}</span>
        {isPublic && <span class="tag">{texts.public}</span>}
      </p>
      {cause !== '' && (
        <p>
          <Said text={cause} />
        </p>
      )}
      {monitorIds.length > 0 && (
        <p>
          {monitorIds.map((id) => (
            <a key={id} class="tag" href={`/app/monitors/${id}`}>
              {monitors.value.get(id)?.name ?? texts.monitor}
            </a>
          ))}
        </p>
      )}
    </>
  )
}

interface IncidentActionsProps {
  readonly incident: Incident
  readonly onDone: () => void
}

function Actions({ incident, onDone }: IncidentActionsProps) {
  const texts = words.value.incidents
  if (!mayAs('member') || incident.state === 'resolved') return null
  const path = { orgId: orgId(), incidentId: incident.id }
  const change = (name: 'incidents.acknowledge' | 'incidents.resolve') =>
    act(async () => {
      tellIfReopens(await fetchData(name, { path, body: {} }))
      onDone()
    })
  return (
    <>
      {incident.state === 'open' && (
        <button type="button" class="primary" onClick={() => void change('incidents.acknowledge')}>
          {texts.acknowledge}
        </button>
      )}
      <button type="button" onClick={() => void change('incidents.resolve')}>
        {texts.resolve}
      </button>
    </>
  )
}

function Timeline({ incident }: { readonly incident: Incident }) {
  const texts = words.value.incidents
  return (
    <ol class="timeline">
      {incident.timeline
        .toReversed()
        .map(({ at, kind, message, locations, html, status, by, isPublic }) => (
          <li key={`${at} ${kind} ${message}`}>
            <p>
              <strong>{status === null ? texts.kinds[kind] : texts.statuses[status]}</strong>{' '}
              <Time at={at} form="exact" /> {by !== null && <Person id={by} />}
              {isPublic && <span class="tag">{texts.public}</span>}
            </p>
            {html === null ? (
              message !== '' && (
                <p class="lines">
                  <Said text={message} />
                </p>
              )
            ) : (
              <ProseFrame html={html} title={texts.message} />
            )}
            <SeenFrom places={locations} />
          </li>
        ))}
    </ol>
  )
}
