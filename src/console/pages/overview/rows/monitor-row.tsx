// One monitor in the overview: state, name, the newest 24 hours, response time.
import { useEffect, useRef } from 'preact/hooks'
import { textOfKind } from '../../../base/json-schema.ts'
import { isTyping } from '../../../base/shortcuts.ts'
import { Said } from '../../../parts/text/said.tsx'
import { ConfirmingChip, FailingChip, StateMark, toneOf } from '../../../parts/text/state-mark.tsx'
import { Tag } from '../../../parts/text/tag.tsx'
import { milliseconds, percent, Time } from '../../../parts/text/time.tsx'
import { createTurnMarks } from '../../../parts/text/turn-mark.ts'
import { shownConfirming, shownFailing } from '../../../stores/confirming.ts'
import { type MonitorEntry, recentOf } from '../../../stores/monitors.ts'
import { words } from '../../../words/words.ts'
import { isShown } from './columns.ts'
import { density } from './density.ts'
import { HourBars } from './hour-bars.tsx'
import { type GripProps, RowGrip } from './row-grip.tsx'

export interface MonitorRowProps {
  readonly entry: MonitorEntry
  readonly isChosen: boolean
  /** Undefined for people who cannot select it. */
  readonly pick: Pick | undefined
  /** Where the person may move it. */
  readonly grip?: GripProps | undefined
  /** The focus came to it. */
  readonly onEnter: () => void
}

interface Pick {
  readonly isPicked: boolean
  readonly onToggle: () => void
  /** With Shift: all from the row that was selected last. */
  readonly onExtend: () => void
}

const useTurnMark = createTurnMarks()

/** The link of a row: the focus follows the keyboard's choice, and Shift selects. */
export function useRowLink({ entry, isChosen, pick, onEnter }: MonitorRowProps) {
  const link = useRef<HTMLAnchorElement>(null)
  const isFollowing = useRef(false)
  useEffect(() => {
    const { activeElement } = document
    // A row that comes back into view takes nothing from somebody who types, and its box keeps the focus.
    const isInside = link.current?.parentElement?.contains(activeElement)
    if (!isChosen || isInside || isTyping(activeElement)) return
    // The keyboard may be at the next row already: this focus must not take it back.
    isFollowing.current = true
    link.current?.focus({ preventScroll: true })
    isFollowing.current = false
  }, [isChosen])
  const { state, isConfirming } = entry
  useTurnMark(link, `${state} ${isConfirming}`)
  return {
    onFocusIn: () => isFollowing.current || onEnter(),
    attributes: {
      ref: link,
      href: `/app/monitors/${entry.id}`,
      'aria-current': isChosen,
      onMouseDown: (event: MouseEvent) => pick && event.shiftKey && event.preventDefault(),
      onClick: (event: MouseEvent) => {
        if (!pick || !event.shiftKey) return
        event.preventDefault()
        pick.onExtend()
      },
    },
  }
}

export function PickBox({ pick, name }: { readonly pick: Pick; readonly name: string }) {
  return (
    <label class="row-pick">
      <input
        type="checkbox"
        aria-label={words.value.overview.bulk.select({ name })}
        checked={pick.isPicked}
        onClick={({ shiftKey }) => (shiftKey ? pick.onExtend() : pick.onToggle())}
      />
    </label>
  )
}

export function MonitorRow(props: MonitorRowProps) {
  const { entry, pick, grip } = props
  const row = useRowLink(props)
  const { id, name, state, tags, stateSince, lastError, responseTimeMs } = entry.glance.value
  const confirming = shownConfirming(entry.glance.value)
  const recent = recentOf(id).value
  const isWrong = state === 'down' || state === 'degraded' || confirming !== null
  const { kinds } = words.value.overview
  return (
    <div
      class={`row-frame is-${density.value}${pick?.isPicked ? ' is-picked' : ''}`}
      onFocusIn={row.onFocusIn}
    >
      {pick && <PickBox pick={pick} name={name} />}
      {grip && <RowGrip {...grip} id={id} name={name} />}
      <a {...row.attributes} class={`monitor-row ${toneOf(state, confirming)}`}>
        <StateMark state={state} confirming={confirming} isBare />
        <span class="monitor-name">
          <strong>{name}</strong>
          <span class="faint">
            <ConfirmingChip confirming={confirming} />
            <FailingChip failingFrom={shownFailing(entry.glance.value)} />
            {isWrong && lastError !== null ? (
              <span class="reason">
                <Said text={lastError} />
              </span>
            ) : (
              <>
                {textOfKind(kinds, entry.checkType) ?? entry.checkType}
                {tags.map((tag) => (
                  <Tag key={tag} tag={tag} />
                ))}
              </>
            )}
          </span>
        </span>
        {isShown('since') && (
          <span class="since faint">
            <Time at={stateSince} />
          </span>
        )}
        {isShown('hours') && <HourBars recent={recent} />}
        {isShown('uptime') && (
          <span class="figure uptime">{recent ? percent(recent.uptime) : ''}</span>
        )}
        {isShown('response') && (
          <span class="figure">{responseTimeMs === null ? '–' : milliseconds(responseTimeMs)}</span>
        )}
      </a>
    </div>
  )
}
