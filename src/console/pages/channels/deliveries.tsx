// What was sent to a channel, newest first; what was given up can be sent again.
import { Send } from 'lucide'
import { useEffect } from 'preact/hooks'
import { ask, fetchData, type Item } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { LogTable } from '../../parts/list/log-table.tsx'
import { More, useNewest, usePages } from '../../parts/list/more.tsx'
import { Said } from '../../parts/text/said.tsx'
import { Time } from '../../parts/text/time.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

type Delivery = Item<'alert-channels.deliveries'>

export interface DeliveriesProps {
  readonly channelId: string
  /** Changes when something was sent. */
  readonly version: number
  /** Reads the channel and its deliveries again. */
  readonly onChanged: () => void
}

/** No event tells that a delivery is over, so it is asked for while one waits. */
const whileWaitingMs = 3_000

const tones = { delivered: 'is-up', pending: 'is-pending', dead: 'is-down' } as const

export function Deliveries({ channelId, version, onChanged }: DeliveriesProps) {
  const texts = words.value.channels
  const path = { orgId: orgId(), channelId }
  const pages = usePages<'alert-channels.deliveries'>(
    ({ from, call }) =>
      ask('alert-channels.deliveries', { path, query: { limit: 20, ...from }, ...call }),
    [channelId],
  )
  useNewest(pages, String(version))
  const deliveries = pages.entries
  const isWaiting = deliveries.value.value?.some(({ state }) => state === 'pending') ?? false
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !deliveries.isLoading.peek()) onChanged()
    }, whileWaitingMs)
    return () => clearInterval(timer)
  }, [isWaiting, deliveries])
  const again = (deliveryId: string) =>
    act(async () => {
      await fetchData('alert-channels.redeliver', { path: { ...path, deliveryId } })
      onChanged()
    }, texts.sentAgain)
  return (
    <section class="card">
      <h2>{texts.deliveries}</h2>
      <LogTable of={deliveries} none={{ icon: Send, about: texts.nothingSent }} isInside>
        {(delivery) => {
          const { id, event, state, attempts, lastError, createdAt, incidentId } = delivery
          // What was merged was not sent by itself: the later message may yet fail.
          const isMerged = delivery.mergedIntoId !== null
          const all = deliveries.value.value ?? []
          // It stands with the message that carries it, where that is shown.
          const carrier = all.find((one) => one.id === delivery.mergedIntoId)
          if (carrier?.mergedIntoId === null) return null
          const carried = all.filter(({ mergedIntoId }) => mergedIntoId === id)
          const isTest = event === 'channel.test'
          return (
            <tr key={id}>
              <td>
                <Time at={createdAt} form="local" />
              </td>
              <td>
                {incidentId === null ? (
                  texts.events[event]
                ) : (
                  <a href={`/app/incidents/${incidentId}`}>{texts.events[event]}</a>
                )}
                {carried.length > 0 && <Carried deliveries={carried} />}
              </td>
              <td>
                <span
                  class={`state ${isMerged ? 'is-none' : isTest && state === 'dead' ? 'is-degraded' : tones[state]}`}
                >
                  {isMerged
                    ? words.value.incidents.outcomes.merged
                    : isTest && state === 'dead'
                      ? texts.health.test_failed
                      : texts.deliveryStates[state]}
                </span>{' '}
                {attempts > 1 && texts.attempts({ count: attempts })}
              </td>
              <td class="wrong">
                {state !== 'delivered' && lastError !== null && <Said text={lastError} />}
              </td>
              <td class="actions">
                {state !== 'pending' && !isMerged && !isTest && mayAs('admin') && (
                  <button
                    type="button"
                    class={state === 'delivered' ? 'quiet' : undefined}
                    onClick={() => void again(id)}
                  >
                    {texts.redeliver}
                  </button>
                )}
              </td>
            </tr>
          )
        }}
      </LogTable>
      <More pages={pages} />
    </section>
  )
}

/** What one message tells of besides its own news. */
function Carried({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const texts = words.value.channels
  return (
    <details>
      <summary>{texts.carried({ count: deliveries.length })}</summary>
      <ul>
        {deliveries.map(({ id, event, createdAt, incidentId }) => (
          <li key={id}>
            <Time at={createdAt} form="local" />{' '}
            {incidentId === null ? (
              texts.events[event]
            ) : (
              <a href={`/app/incidents/${incidentId}`}>{texts.events[event]}</a>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
