// One monitor in the overview: state, name, the newest 24 hours, response time.
import { useEffect, useRef } from 'preact/hooks'
import { textOfKind } from '../../base/json-schema.ts'
import { Said } from '../../parts/text/said.tsx'
import { ConfirmingChip, StateMark, toneOf } from '../../parts/text/state-mark.tsx'
import { milliseconds, percent, Time } from '../../parts/text/time.tsx'
import { shownConfirming } from '../../stores/confirming.ts'
import { type MonitorEntry, recentOf } from '../../stores/monitors.ts'
import { words } from '../../words/words.ts'
import { HourBars } from './hour-bars.tsx'

/** CSS pixels; the style sheet has the same. */
export const rowHeight = 56

export interface MonitorRowProps {
  readonly entry: MonitorEntry
  readonly isChosen: boolean
}

export function MonitorRow({ entry, isChosen }: MonitorRowProps) {
  const { id, name, state, tags, stateSince, lastError, responseTimeMs } = entry.glance.value
  const confirming = shownConfirming(entry.glance.value)
  const recent = recentOf(id).value
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    // A row that comes back into view takes nothing from somebody who types.
    const isTyping = document.activeElement?.matches('input, select, textarea')
    if (isChosen && !isTyping) link.current?.focus({ preventScroll: true })
  }, [isChosen])
  const isWrong = state === 'down' || state === 'degraded' || confirming !== null
  const { kinds } = words.value.overview
  return (
    <a
      ref={link}
      class={`monitor-row ${toneOf(state, confirming)}`}
      href={`/app/monitors/${id}`}
      aria-current={isChosen}
    >
      <StateMark state={state} confirming={confirming} isBare />
      <span class="monitor-name">
        <strong>{name}</strong>
        <span class="faint">
          <ConfirmingChip confirming={confirming} />
          {isWrong && lastError !== null ? (
            <span class="reason">
              <Said text={lastError} />
            </span>
          ) : (
            <>
              {textOfKind(kinds, entry.checkType) ?? entry.checkType}
              {tags.map((tag) => (
                <span key={tag} class="tag">
                  {tag}
                </span>
              ))}
            </>
          )}
        </span>
      </span>
      <span class="since faint">
        <Time at={stateSince} />
      </span>
      <HourBars recent={recent} />
      <span class="figure uptime">{recent ? percent(recent.uptime) : ''}</span>
      <span class="figure">{responseTimeMs === null ? '–' : milliseconds(responseTimeMs)}</span>
    </a>
  )
}
