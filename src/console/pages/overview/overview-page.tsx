// The overview: open incidents, then every monitor, the worst first.

import { useComputed } from '@preact/signals'
import { Activity, SearchX } from 'lucide'
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { useShortcuts } from '../../base/shortcuts.ts'
import { useSize } from '../../parts/list/size.ts'
import { VirtualList } from '../../parts/list/virtual-list.tsx'
import { Empty } from '../../parts/page/empty.tsx'
import { Page } from '../../parts/page/page.tsx'
import { ProblemNote } from '../../parts/page/problem-note.tsx'
import {
  areMonitorsLoaded,
  loadMonitors,
  monitors,
  monitorsProblem,
  wantRecents,
} from '../../stores/monitors.ts'
import { ownOrder } from '../../stores/preferences.ts'
import { mayAs, orgId } from '../../stores/session.ts'
import { followUptimes, uptimes } from '../../stores/uptimes.ts'
import { words } from '../../words/words.ts'
import { ColumnHead } from './column-head.tsx'
import { FilterBar } from './filter-bar.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Glance } from './glance.tsx'
import { OpenIncidents } from './open-incidents.tsx'
import { useChosenRow } from './rows/chosen-row.ts'
import { columnsTemplate, isShown } from './rows/columns.ts'
import { density, heightOf } from './rows/density.ts'
import {
  entriesOf,
  type Filter,
  filterOf,
  isSameItem,
  linesOf,
  type MonitorItem,
  rowsOf,
  type ShownItem,
  withFilter,
} from './rows/filter.ts'
import { folded } from './rows/folded.ts'
import { GroupHead } from './rows/group-head.tsx'
import { cellSizes, MonitorCard, MonitorTile } from './rows/monitor-card.tsx'
import { MonitorRow, type MonitorRowProps } from './rows/monitor-row.tsx'
import { useOwnMoves } from './rows/own-moves.ts'
import { useSelection } from './selection/selection.ts'
import { SelectionBar } from './selection/selection-bar.tsx'
import { SilentMonitors } from './silent-monitors.tsx'
import { useSummary } from './summary.ts'
import { WallLink } from './wall-link.tsx'

const none: readonly string[] = []
/** Between cards and tiles. */
const gapPx = 12
/** The head of a group. */
const groupPx = 44
const recentsEveryMs = 60_000

export function OverviewPage() {
  const { query, route, path } = useLocation()
  const summary = useSummary()
  const filter = filterOf(query)
  // Ten thousand rows are not put in order again because a key chose another one.
  const asked = withFilter('', filter, {})
  const all = monitors.value
  const isByUptime = filter.order?.by === 'uptime'
  const known = isByUptime ? uptimes.value : undefined
  const closed = folded.value
  const isOwn = filter.order?.by === 'own'
  const own = isOwn ? ownOrder.value : none
  const rows = useMemo(
    () => rowsOf(all, filterOf(query), { folded: closed, uptimes: known ?? new Map(), own }),
    [all, asked, closed, known, own],
  )
  const { view } = filter
  const { size, ref: frame } = useSize()
  const perLine =
    view === 'list'
      ? 1
      : Math.max(1, Math.floor((size.widthPx + gapPx) / (cellSizes[view].wide + gapPx)))
  const items = useMemo(
    () => (view === 'list' ? rows : linesOf(rows, perLine)),
    [rows, view, perLine],
  )
  const list = useRef(items)
  list.current = items
  const chosen = useChosenRow(rows, (id) => route(`/app/monitors/${id}`))
  const selection = useSelection(rows, chosen)
  const search = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => search.current?.focus() })
  const isLoaded = useComputed(areMonitorsLoaded).value
  const isEmpty = isLoaded && monitors.value.size === 0
  const texts = words.value.overview
  const setFilter = (changes: Partial<Filter>) => route(withFilter(path, filter, changes), true)
  const askForRange = useRef((first: number, last: number) => {
    wantRecents(
      list.current
        .slice(first, last + 1)
        .flatMap(entriesOf)
        .map(({ id }) => id),
    )
  })
  useEffect(() => {
    // Bars grow old without a scroll, too.
    const timer = setInterval(() => wantRecents(), recentsEveryMs)
    return () => {
      clearInterval(timer)
      wantRecents([])
    }
  }, [])
  useEffect(() => (isByUptime ? followUptimes(orgId()) : undefined), [isByUptime])
  const rowPx = heightOf(density.value)
  const itemHeight = useCallback(
    (item: ShownItem) => {
      if (item.kind === 'group') return groupPx
      return item.kind === 'line' && view !== 'list' ? cellSizes[view].high : rowPx
    },
    [view, rowPx],
  )
  const shownKey = items.find((item) =>
    item.kind === 'line'
      ? item.rows.some(({ key }) => key === chosen.shownKey)
      : item.key === chosen.shownKey,
  )?.key
  const moves = useOwnMoves(rows, rowPx)
  const mayMove = isOwn && view === 'list' && !filter.isGrouped
  const use = useRef({ selection, chosen, moves })
  use.current = { selection, chosen, moves }
  // The same function draws the same rows: what did not change is not drawn again.
  const drawItem = useCallback(
    (item: ShownItem) => {
      if (item.kind === 'group') return <GroupHead row={item} />
      const propsOf = (row: MonitorItem): MonitorRowProps => ({
        entry: row.entry,
        isChosen: chosen.key === row.key,
        pick: selection && {
          isPicked: selection.ids.has(row.entry.id),
          onToggle: () => use.current.selection?.toggle(row),
          onExtend: () => use.current.selection?.extendTo(row),
        },
        grip: mayMove ? use.current.moves.gripOf(row) : undefined,
        onEnter: () => use.current.chosen.enter(row.key),
      })
      if (item.kind === 'monitor') return <MonitorRow {...propsOf(item)} />
      const Cell = view === 'cards' ? MonitorCard : MonitorTile
      return (
        <div class="cells" style={{ '--cells': perLine }}>
          {item.rows.map((row) => (
            <Cell key={row.key} {...propsOf(row)} />
          ))}
        </div>
      )
    },
    [chosen.key, selection?.ids, view, perLine, mayMove],
  )
  return (
    <Page
      title={texts.title}
      actions={mayAs('admin') && <WallLink />}
      add={
        mayAs('member') && (
          <a class="button primary" href="/app/monitors/new">
            {texts.add}
          </a>
        )
      }
      empty={
        isEmpty && {
          icon: Activity,
          ...texts.empty,
          children: mayAs('admin') && (
            <a class="button" href="/app/import">
              {words.value.moving.title}
            </a>
          ),
        }
      }
    >
      <Glance today={summary.value.value?.today} />
      <SilentMonitors runs={summary.value.value?.shadowRuns ?? []} />
      <OpenIncidents summary={summary} />
      {monitors.value.size > 0 && <FirstSteps key={orgId()} />}
      {monitorsProblem.value && (
        <ProblemNote problem={monitorsProblem.value} onRetry={() => void loadMonitors()} />
      )}
      {isEmpty || (
        <>
          <FilterBar filter={filter} onChange={setFilter} search={search} />
          {isLoaded && rows.length === 0 && (
            <Empty icon={SearchX} about={texts.nothingFits}>
              <button
                type="button"
                onClick={() => setFilter({ q: '', state: undefined, tag: undefined })}
              >
                {texts.showAll}
              </button>
            </Empty>
          )}
          <div
            ref={frame}
            class={`monitor-list is-${view}${mayMove ? ' has-grips' : ''}`}
            style={{ '--wide-columns': columnsTemplate() }}
          >
            {view === 'list' && (
              <div class={`list-head is-${density.value}${selection ? ' has-boxes' : ''}`}>
                {selection && rows.length > 0 && (
                  <label class="row-pick">
                    <input
                      type="checkbox"
                      aria-label={texts.bulk.selectAll}
                      checked={selection.share === 'all'}
                      indeterminate={selection.share === 'some'}
                      onClick={selection.toggleAll}
                    />
                  </label>
                )}
                <span />
                <ColumnHead by="name" isStart filter={filter} onChange={setFilter} />
                {isShown('since') && <ColumnHead by="since" filter={filter} onChange={setFilter} />}
                {isShown('hours') && <span class="is-start">{texts.columns.hours}</span>}
                {isShown('uptime') && (
                  <ColumnHead by="uptime" filter={filter} onChange={setFilter} />
                )}
                {isShown('response') && (
                  <ColumnHead by="response" filter={filter} onChange={setFilter} />
                )}
              </div>
            )}
            <VirtualList
              rows={items}
              isSame={isSameItem}
              heightOf={itemHeight}
              shownKey={shownKey}
              onRange={askForRange.current}
            >
              {drawItem}
            </VirtualList>
            {mayMove && (
              <>
                <div ref={moves.line} class="drop-line" hidden />
                <span class="hidden" role="status">
                  {moves.told}
                </span>
              </>
            )}
          </div>
          {selection && selection.ids.size > 0 && (
            <SelectionBar selection={selection} rows={rows} />
          )}
        </>
      )}
    </Page>
  )
}
