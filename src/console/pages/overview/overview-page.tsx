// The overview: open incidents, then every monitor, the worst first.
import { useComputed } from '@preact/signals'
import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { useShortcuts } from '../../base/shortcuts.ts'
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
import { mayAs } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { AllWell } from './all-well.tsx'
import { useChosenRow } from './chosen-row.ts'
import { ColumnHead } from './column-head.tsx'
import { density, heightOf } from './density.ts'
import { type Filter, filterOf, isSameRow, type Row, rowsOf, withFilter } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import { MonitorRow } from './monitor-row.tsx'
import { OpenIncidents } from './open-incidents.tsx'
import { useSelection } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { WallLink } from './wall-link.tsx'

const recentsEveryMs = 60_000

export function OverviewPage() {
  const { query, route, path } = useLocation()
  const filter = filterOf(query)
  // Ten thousand rows are not put in order again because a key chose another one.
  const asked = withFilter('', filter, {})
  const all = monitors.value
  const rows = useMemo(() => rowsOf(all, filterOf(query)), [all, asked])
  const list = useRef(rows)
  list.current = rows
  const chosen = useChosenRow(rows, (id) => route(`/app/monitors/${id}`))
  const selection = useSelection(rows, chosen)
  const search = useRef<HTMLInputElement>(null)
  useShortcuts({ '/': () => search.current?.focus() })
  const isLoaded = useComputed(areMonitorsLoaded).value
  const texts = words.value.overview
  const setFilter = (changes: Partial<Filter>) => route(withFilter(path, filter, changes), true)
  const askForRange = useRef((first: number, last: number) => {
    const seen = list.current.slice(first, last + 1)
    wantRecents(seen.flatMap((row) => (row.kind === 'monitor' ? [row.entry.id] : [])))
  })
  useEffect(() => {
    // Bars grow old without a scroll, too.
    const timer = setInterval(() => wantRecents(), recentsEveryMs)
    return () => {
      clearInterval(timer)
      wantRecents([])
    }
  }, [])
  const use = useRef({ selection, chosen })
  use.current = { selection, chosen }
  // The same function draws the same rows: what did not change is not drawn again.
  const drawRow = useCallback(
    (row: Row) =>
      row.kind === 'group' ? (
        <h2 class="group">
          {row.tag ?? texts.untagged} <span class="faint">{row.count}</span>
        </h2>
      ) : (
        <MonitorRow
          entry={row.entry}
          isChosen={chosen.key === row.key}
          pick={
            selection && {
              isPicked: selection.ids.has(row.entry.id),
              onToggle: () => use.current.selection?.toggle(row),
              onExtend: () => use.current.selection?.extendTo(row),
            }
          }
          onEnter={() => use.current.chosen.enter(row.key)}
        />
      ),
    [chosen.key, selection?.ids, texts],
  )
  return (
    <Page
      title={texts.title}
      actions={
        <>
          {mayAs('admin') && <WallLink />}
          {mayAs('member') && (
            <a class="button primary" href="/app/monitors/new">
              {texts.add}
            </a>
          )}
        </>
      }
    >
      <AllWell />
      <OpenIncidents />
      {monitorsProblem.value && (
        <ProblemNote problem={monitorsProblem.value} onRetry={() => void loadMonitors()} />
      )}
      {isLoaded && monitors.value.size === 0 ? (
        <Empty title={texts.empty.title} about={texts.empty.about}>
          {mayAs('member') && (
            <a class="button primary" href="/app/monitors/new">
              {texts.add}
            </a>
          )}
          {mayAs('admin') && (
            <a class="button" href="/app/import">
              {words.value.moving.title}
            </a>
          )}
        </Empty>
      ) : (
        <>
          <FilterBar filter={filter} onChange={setFilter} search={search} />
          {isLoaded && rows.length === 0 && <p class="faint">{texts.nothingFits}</p>}
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
            <ColumnHead by="since" filter={filter} onChange={setFilter} />
            <span class="is-start">{texts.columns.hours}</span>
            <span>{texts.columns.uptime}</span>
            <ColumnHead by="response" filter={filter} onChange={setFilter} />
          </div>
          <VirtualList
            rows={rows}
            isSame={isSameRow}
            rowHeight={heightOf(density.value)}
            shownKey={chosen.shownKey}
            onRange={askForRange.current}
          >
            {drawRow}
          </VirtualList>
          {selection && selection.ids.size > 0 && (
            <SelectionBar selection={selection} rows={rows} />
          )}
        </>
      )}
    </Page>
  )
}
