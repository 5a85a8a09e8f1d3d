// Monitors side by side: cards with what a row has, or tiles of which hundreds are on a screen.
import { textOfKind } from '../../../base/json-schema.ts'
import { Said } from '../../../parts/text/said.tsx'
import { ConfirmingChip, FailingChip, StateMark, toneOf } from '../../../parts/text/state-mark.tsx'
import { milliseconds, percent, Time } from '../../../parts/text/time.tsx'
import { shownConfirming, shownFailing } from '../../../stores/confirming.ts'
import { recentOf } from '../../../stores/monitors.ts'
import { words } from '../../../words/words.ts'
import type { View } from './filter.ts'
import { HourBars } from './hour-bars.tsx'
import { type MonitorRowProps, PickBox, useRowLink } from './monitor-row.tsx'

/** The width that each needs, and the height of a line of them, in CSS pixels. */
export const cellSizes: Readonly<Record<Exclude<View, 'list'>, { wide: number; high: number }>> = {
  cards: { wide: 288, high: 148 },
  map: { wide: 152, high: 44 },
}

export function MonitorCard(props: MonitorRowProps) {
  const { entry, pick } = props
  const link = useRowLink(props)
  const { id, name, state, stateSince, lastError, responseTimeMs } = entry.glance.value
  const confirming = shownConfirming(entry.glance.value)
  const recent = recentOf(id).value
  const isWrong = state === 'down' || state === 'degraded' || confirming !== null
  return (
    <div class={`cell${pick?.isPicked ? ' is-picked' : ''}`} onFocusIn={link.onFocusIn}>
      {pick && <PickBox pick={pick} name={name} />}
      <a {...link.attributes} class={`monitor-card ${toneOf(state, confirming)}`}>
        <span class="cell-head">
          <StateMark state={state} confirming={confirming} isBare />
          <strong class="card-name">{name}</strong>
        </span>
        <span class="faint card-about">
          <ConfirmingChip confirming={confirming} />
          <FailingChip failingFrom={shownFailing(entry.glance.value)} />
          {isWrong && lastError !== null ? (
            <span class="reason">
              <Said text={lastError} />
            </span>
          ) : (
            <>
              {textOfKind(words.value.overview.kinds, entry.checkType) ?? entry.checkType} ·{' '}
              <Time at={stateSince} />
            </>
          )}
        </span>
        <span class="card-hours">
          <HourBars recent={recent} />
        </span>
        <span class="card-foot figure">
          <span>{recent ? percent(recent.uptime) : ''}</span>
          <span>{responseTimeMs === null ? '–' : milliseconds(responseTimeMs)}</span>
        </span>
      </a>
    </div>
  )
}

export function MonitorTile(props: MonitorRowProps) {
  const { entry, pick } = props
  const link = useRowLink(props)
  const { name, state } = entry.glance.value
  const confirming = shownConfirming(entry.glance.value)
  return (
    <div class={`cell${pick?.isPicked ? ' is-picked' : ''}`} onFocusIn={link.onFocusIn}>
      <a {...link.attributes} class={`monitor-tile ${toneOf(state, confirming)}`} title={name}>
        <StateMark state={state} confirming={confirming} isBare />
        <FailingChip failingFrom={shownFailing(entry.glance.value)} isBare />
        <span>{name}</span>
      </a>
    </div>
  )
}
