// The results of a monitor, newest first, page by page.

import { useSignal } from '@preact/signals'
import { ListChecks } from 'lucide'
import { ask, type Data } from '../../api/client.ts'
import { LogTable } from '../../parts/list/log-table.tsx'
import { More, useNewest, usePages } from '../../parts/list/more.tsx'
import { Said } from '../../parts/text/said.tsx'
import { StateMark } from '../../parts/text/state-mark.tsx'
import { milliseconds, Time } from '../../parts/text/time.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { PlaceChoice, usePlaces } from './history/place-choice.tsx'
import { placeName } from './history/seen-place.ts'

const outcomes = ['down', 'degraded', 'up', 'unknown'] as const
type CheckOutcome = (typeof outcomes)[number]

export interface CheckLogProps {
  readonly monitor: Pick<Data<'monitors.get'>, 'id' | 'locations'>
  /** Changes when there are new results. */
  readonly version: string
}

export function CheckLog({ monitor, version }: CheckLogProps) {
  const { id: monitorId } = monitor
  const texts = words.value.monitor
  const outcome = useSignal<CheckOutcome | undefined>(undefined)
  const place = useSignal('')
  const places = usePlaces(monitor)
  const from = new Map(places.map((one) => [one.location, placeName(one)]))
  const path = { orgId: orgId(), monitorId }
  const filter = {
    limit: 20,
    ...(outcome.value === undefined ? {} : { outcome: outcome.value }),
    ...(place.value === '' ? {} : { location: place.value }),
  }
  const pages = usePages<'monitors.checks'>(
    ({ from, call }) => ask('monitors.checks', { path, query: { ...filter, ...from }, ...call }),
    [monitorId],
    [outcome.value, place.value],
  )
  const { entries } = pages
  useNewest(pages, version)
  return (
    <section class="card">
      <header class="card-head">
        <h2>{texts.log}</h2>
        <PlaceChoice places={places} chosen={place} />
        <select
          aria-label={texts.outcome}
          value={outcome.value ?? ''}
          onChange={({ currentTarget }) =>
            (outcome.value = outcomes.find((one) => one === currentTarget.value))
          }
        >
          <option value="">{texts.anyOutcome}</option>
          {outcomes.map((one) => (
            <option key={one} value={one}>
              {words.value.common.states[one]}
            </option>
          ))}
        </select>
      </header>
      <LogTable
        of={entries}
        none={{ icon: ListChecks, about: texts.noChecks }}
        heads={[texts.time, texts.outcome, texts.responseTime, texts.reason]}
        isInside
      >
        {({ at, location, outcome, responseTimeMs, error, message, status }) => (
          <tr key={`${at} ${location}`}>
            <td>
              <Time at={at} form="exact" />
            </td>
            <td>
              <StateMark state={outcome} />
              {location !== null && (
                <div class="faint">
                  <bdi>{from.get(location)}</bdi>
                </div>
              )}
            </td>
            <td class="figure">{milliseconds(responseTimeMs)}</td>
            <td>
              {status} {error && <Said text={error.message} />}
              {message !== null && <Said text={message} />}
            </td>
          </tr>
        )}
      </LogTable>
      <More pages={pages} />
    </section>
  )
}
