// The incidents of the organization, newest first.
import { ShieldCheck } from 'lucide'
import { useLocation } from 'preact-iso/router'
import { ask, type Item } from '../../api/client.ts'
import { More, usePages } from '../../parts/list/more.tsx'
import { Empty } from '../../parts/page/empty.tsx'
import { useLiveReload } from '../../parts/page/live-reload.ts'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Said } from '../../parts/text/said.tsx'
import { Time } from '../../parts/text/time.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { DeclareIncident } from './declare-incident.tsx'
import { incidentDuration, incidentTone } from './incident.ts'

type ListedIncident = Item<'incidents.list'>
type State = ListedIncident['state']

const states: readonly State[] = ['open', 'acknowledged', 'resolved']

export function IncidentsPage() {
  const { query, route } = useLocation()
  const texts = words.value.incidents
  const state = states.find((one) => one === query.state)
  const q = query.q ?? ''
  const path = { orgId: orgId() }
  const filter = { limit: 50, ...(state ? { state } : {}), ...(q === '' ? {} : { q }) }
  const pages = usePages<'incidents.list'>(
    ({ from, call }) => ask('incidents.list', { path, query: { ...filter, ...from }, ...call }),
    [],
    [state, q],
  )
  useLiveReload(({ type }) => type.startsWith('incident.'), pages.renew)
  const show = (changes: { state?: string | undefined; q?: string }) => {
    const next = { ...(state ? { state } : {}), ...(q === '' ? {} : { q }), ...changes }
    const given = Object.entries(next).filter(([, value]) => value)
    const search = new URLSearchParams(given as [string, string][]).toString()
    route(search === '' ? '/app/incidents' : `/app/incidents?${search}`, true)
  }
  return (
    <Page title={texts.title} actions={mayAs('member') && <DeclareIncident />}>
      <search class="filters">
        <input
          type="search"
          aria-label={texts.search}
          placeholder={texts.search}
          value={q}
          onInput={({ currentTarget: { value } }) => show({ q: value })}
        />
        <fieldset class="chips" aria-label={texts.state}>
          <button type="button" aria-pressed={!state} onClick={() => show({ state: undefined })}>
            {texts.all}
          </button>
          {states.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={state === one}
              onClick={() => show({ state: one })}
            >
              {texts.states[one]}
            </button>
          ))}
        </fieldset>
      </search>
      <Loaded of={pages.entries}>
        {(incidents) =>
          incidents.length === 0 ? (
            <Empty icon={ShieldCheck} title={texts.empty.title} about={texts.empty.about} />
          ) : (
            <ul class="rows-list">
              {incidents.map((incident) => (
                <IncidentRow key={incident.id} incident={incident} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <More pages={pages} />
    </Page>
  )
}

function IncidentRow({ incident }: { readonly incident: ListedIncident }) {
  const texts = words.value.incidents
  const { id, title, cause, state, startedAt } = incident
  const tone = incidentTone(incident)
  return (
    <li>
      <a class={`incident-row ${tone}`} href={`/app/incidents/${id}`}>
        <span class={`state ${tone}`}>{texts.states[state]}</span>
        <span class="monitor-name">
          <strong>{title}</strong>
          <span class="faint">
            <Said text={cause} />
          </span>
        </span>
        <span class="figure">{incidentDuration(incident)}</span>
        <span class="faint since">
          <Time at={startedAt} />
        </span>
      </a>
    </li>
  )
}
