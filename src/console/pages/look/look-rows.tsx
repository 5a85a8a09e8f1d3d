// The rows of the page of parts: monitors as the overview shows them, heads of groups, and other lists.
import { Time } from '../../parts/text/time.tsx'
import type { MonitorEntry } from '../../stores/monitors.ts'
import { ChannelIcon } from '../channels/channel-icon.tsx'
import { density, heightOf } from '../overview/rows/density.ts'
import { stateOrder } from '../overview/rows/filter.ts'
import { GroupHead } from '../overview/rows/group-head.tsx'
import { HourBars } from '../overview/rows/hour-bars.tsx'
import { cellSizes, MonitorCard, MonitorTile } from '../overview/rows/monitor-card.tsx'
import { MonitorRow } from '../overview/rows/monitor-row.tsx'
import { entryIn, recent, times } from './made-up.ts'

const entries = [
  ...stateOrder.map((state) => entryIn(state)),
  entryIn('up', 'confirming'),
  entryIn('up', 'partly'),
]
const doNothing = () => {}
const propsOf = (entry: MonitorEntry, at: number) => ({
  entry,
  isChosen: false,
  pick: { isPicked: at === 1, onToggle: doNothing, onExtend: doNothing },
  onEnter: doNothing,
})
const cells = [
  [MonitorCard, cellSizes.cards],
  [MonitorTile, cellSizes.map],
] as const
/** Half a page has less room than a page. */
const columns = '1rem minmax(0, 1fr) 5rem 10rem 0 4rem'
const group = { kind: 'group', tag: 'shop', depth: 0, count: 7, wrong: 2, worst: 'down' } as const

export function LookRows() {
  return (
    <>
      <div class="monitor-list" style={{ '--wide-columns': columns }}>
        <div class="rows-list">
          {[false, true].map((isFolded) => (
            <div key={isFolded} style={{ height: '44px' }}>
              <GroupHead row={{ ...group, key: `look ${isFolded}`, isFolded }} />
            </div>
          ))}
          {entries.map((entry, at) => (
            <div key={entry.id} style={{ height: `${heightOf(density.value)}px` }}>
              <MonitorRow {...propsOf(entry, at)} />
            </div>
          ))}
        </div>
      </div>
      <HourBars recent={recent} />
      {cells.map(([Cell, { high }]) => (
        <div
          key={high}
          class="cells"
          style={{ '--cells': 2, gridAutoRows: `${high}px`, height: 'auto' }}
        >
          {entries.map((entry, at) => (
            <Cell key={entry.id} {...propsOf(entry, at)} />
          ))}
        </div>
      ))}
      <ul class="rows-list">
        <li>
          <a class="list-row" href="#rows">
            <ChannelIcon type="slack" />
            <span class="monitor-name">
              <strong>A channel</strong>
              <span class="faint">Slack</span>
            </span>
            <span class="faint since">
              <Time at={times.from} />
            </span>
          </a>
        </li>
      </ul>
    </>
  )
}
