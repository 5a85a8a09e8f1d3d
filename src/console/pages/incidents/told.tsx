// Who was told of an incident: a line for each channel, with what failed and the next try.

import { BellOff } from 'lucide'
import type { Data } from '../../api/client.ts'
import { Empty } from '../../parts/page/empty.tsx'
import { Said } from '../../parts/text/said.tsx'
import { now, Time } from '../../parts/text/time.tsx'
import { mayAs } from '../../stores/session.ts'
import { punctuation, words } from '../../words/words.ts'

type ToldChannel = Data<'incidents.explain'>['channels'][number]
type Telling = ToldChannel['events'][number]

const tones = {
  sent: 'is-up',
  waiting: 'is-pending',
  merged: 'is-up',
  folded: 'is-up',
  given_up: 'is-down',
  not_sent: 'is-none',
} as const

/** What went wrong comes first, then what arrived. */
const foremostKinds = ['given_up', 'waiting', 'sent', 'merged', 'folded', 'not_sent'] as const

/** What a person should know first of what became of the news for one channel: the newest of it. */
function foremostOf(events: readonly Telling[]): Telling | undefined {
  const kind = foremostKinds.find((one) => events.some(({ outcome }) => outcome === one))
  return events.findLast(({ outcome }) => outcome === kind)
}

const isFailing = ({ outcome, error }: Telling) => outcome === 'waiting' && error !== null

export interface ToldProps {
  readonly channels: readonly ToldChannel[]
}

export function Told({ channels }: ToldProps) {
  const texts = words.value.incidents
  const rows = channels.flatMap((channel) => {
    const foremost = foremostOf(channel.events)
    return foremost ? [{ channel, foremost }] : []
  })
  const told = rows
    .filter(({ foremost }) => foremost.outcome !== 'not_sent')
    .toSorted((a, b) => rankOf(a.foremost) - rankOf(b.foremost))
  const others = rows.filter(({ foremost }) => foremost.outcome === 'not_sent')
  return (
    <section class="card told-card">
      <h2>{texts.told}</h2>
      {channels.length === 0 && (
        <Empty icon={BellOff} about={texts.nobody}>
          {mayAs('admin') && (
            <a class="button" href="/app/channels/new">
              {words.value.channels.add}
            </a>
          )}
        </Empty>
      )}
      {told.map(({ channel, foremost }) => (
        <ToldRow key={channel.channelId} channel={channel} foremost={foremost} />
      ))}
      {others.length > 0 && (
        <details class="told-others" open={told.length === 0 || others.length <= 3}>
          <summary>{texts.notToldCount({ count: others.length })}</summary>
          {others.map(({ channel, foremost }) => (
            <ToldRow key={channel.channelId} channel={channel} foremost={foremost} />
          ))}
        </details>
      )}
    </section>
  )
}

/** What failed stands above what waits on purpose. */
function rankOf(telling: Telling): number {
  return isFailing(telling) ? 0.5 : foremostKinds.indexOf(telling.outcome)
}

interface ToldRowProps {
  readonly channel: ToldChannel
  readonly foremost: Telling
}

function ToldRow({ channel: { channelId, name, events, now }, foremost }: ToldRowProps) {
  const { incidents: texts, channels, monitor } = words.value
  const { gap, stop, colon } = punctuation.value
  const { gets, reason } = now
  return (
    <details class="told">
      <summary>
        <span class="told-name">{name}</span> <Outcome telling={foremost} />
        <Reason telling={foremost} />
      </summary>
      <ul>
        {events.map((telling) => (
          <li key={`${telling.event} ${telling.at}`}>
            {channels.events[telling.event]} <Outcome telling={telling} />
            <Reason telling={telling} />
          </li>
        ))}
        <li class="faint">
          {texts.wereItNow + colon + monitor.alerts.gets[gets] + stop + gap}
          {reason !== null && monitor.alerts.reasons[reason] + gap}
          <a href={`/app/channels/${channelId}`}>{texts.toChannel}</a>
        </li>
      </ul>
    </details>
  )
}

/** Whether it was told, and when, or when that is tried next. */
function Outcome({ telling }: { readonly telling: Telling }) {
  const texts = words.value.incidents
  const { outcome, at, deliveredAt, waitsUntil } = telling
  if (!isFailing(telling)) {
    return (
      <>
        <span class={`state ${tones[outcome]}`}>{texts.outcomes[outcome]}</span>{' '}
        {outcome === 'waiting' && <Later at={waitsUntil} />}
        {outcome !== 'waiting' && outcome !== 'not_sent' && (
          <Time at={deliveredAt ?? at} form="clock" />
        )}
      </>
    )
  }
  return (
    <>
      <span class="state is-degraded">{texts.outcomes.not_sent}</span>{' '}
      <span>
        {texts.nextTry} <Later at={waitsUntil} />
      </span>
    </>
  )
}

function Later({ at }: { readonly at: string | null }) {
  if (at === null) return null
  return Date.parse(at) <= now.value ? (
    <span>{words.value.incidents.soon}</span>
  ) : (
    <Time at={at} form="clock" />
  )
}

/** The receiver's answer, or why nothing was sent to it. */
function Reason({ telling: { outcome, error, reason } }: { readonly telling: Telling }) {
  const { incidents, monitor } = words.value
  if (error !== null) {
    return (
      <span class="told-reason wrong">
        <Said text={error} />
      </span>
    )
  }
  if (reason === null || (outcome !== 'waiting' && outcome !== 'not_sent')) return null
  const texts: Readonly<Record<NonNullable<Telling['reason']>, string>> = {
    ...monitor.alerts.reasons,
    ...incidents.reasons,
  }
  return <span class="told-reason">{texts[reason]}</span>
}
