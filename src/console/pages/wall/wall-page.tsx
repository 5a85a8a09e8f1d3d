// The wall: the state of everything on a screen that nobody signs in at. Its link holds an API key of
// a viewer behind the #, which browsers send to nobody; revoking the key ends it.
import { effect, type Signal, useSignal } from '@preact/signals'
import { Maximize, SquareDashed } from 'lucide'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { callWithKey, type Data, fetchData } from '../../api/client.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { createResource } from '../../api/resource.ts'
import { useSize } from '../../parts/list/size.ts'
import { ProblemNote } from '../../parts/page/problem-note.tsx'
import { ThemeChoice } from '../../parts/page/theme-choice.tsx'
import { Icon } from '../../parts/text/icon.tsx'
import { numberText } from '../../parts/text/number.ts'
import { Said } from '../../parts/text/said.tsx'
import { ConfirmingChip, toneOf } from '../../parts/text/state-mark.tsx'
import { clockTime, now, Time } from '../../parts/text/time.tsx'
import { shownConfirming } from '../../stores/confirming.ts'
import { words } from '../../words/words.ts'
import { rankedAs, rowOrder, stateOrder } from '../overview/rows/filter.ts'
import { tileColumns } from './tile-columns.ts'

// The summary is small and made once for all who ask; the list of all monitors is large.
const summaryEveryMs = 5_000
const monitorsEveryMs = 30_000
const tilesMax = 400

/** The key was revoked, or has expired: nothing of the organization is shown any longer. */
const isRefused = (problem: ApiProblem | undefined) => problem?.status === 401

type WallMonitor = Data<'overview.all'>['monitors'][number]

const rank = ({ state, confirming }: WallMonitor) =>
  rowOrder.indexOf(rankedAs({ state, isConfirming: confirming !== null }))

type Counts = Data<'orgs.summary'>['monitors']

function wallTone({ down, degraded, unknown }: Counts) {
  if (down + degraded > 0) return 'is-down'
  return unknown > 0 ? 'is-unknown' : 'is-up'
}

function headline({ total, down, degraded, unknown }: Counts): string {
  const texts = words.value.wall
  if (total === 0) return words.value.overview.empty.title
  if (down + degraded > 0) return texts.wrong({ count: down + degraded })
  return unknown > 0 ? texts.unknown({ count: unknown }) : texts.allGood
}

/** In the address: tiles without what is above them, so that the screen shows the same after a restart. */
const tilesParameter = 'tiles'

/** They come where somebody points, and are nothing for a screen that nobody touches. */
function WallTools({ isTiles }: { readonly isTiles: Signal<boolean> }) {
  const texts = words.value.wall
  function showTiles(): void {
    isTiles.value = !isTiles.value
    const address = new URL(location.href)
    if (isTiles.value) address.searchParams.set(tilesParameter, '')
    else address.searchParams.delete(tilesParameter)
    history.replaceState(history.state, '', address)
  }
  return (
    <div class="wall-tools">
      <ThemeChoice />
      <button
        type="button"
        class="icon"
        aria-pressed={isTiles.value}
        aria-label={texts.tiles}
        title={texts.tiles}
        onClick={showTiles}
      >
        <Icon of={SquareDashed} />
      </button>
      <button
        type="button"
        class="icon"
        aria-label={texts.whole}
        title={texts.whole}
        onClick={() => void document.documentElement.requestFullscreen()}
      >
        <Icon of={Maximize} />
      </button>
    </div>
  )
}

export function WallPage() {
  const { size, ref: frame } = useSize()
  const isTiles = useSignal(new URLSearchParams(location.search).has(tilesParameter))
  const texts = words.value.wall
  const orgId = useSignal<string | undefined>(undefined)
  const summary = useMemo(
    () =>
      createResource(async (signal) => {
        orgId.value ??= (await fetchData('orgs.list', { signal }))[0]?.id
        return fetchData('orgs.summary', { path: { orgId: orgId.value ?? '' }, signal })
      }),
    [orgId],
  )
  const overview = useMemo(
    () =>
      createResource(async (signal) => {
        if (orgId.value === undefined) await summary.reload()
        return fetchData('overview.all', { path: { orgId: orgId.value ?? '' }, signal })
      }),
    [orgId, summary],
  )
  // Nobody scrolls a wall: no place is kept for a scroll bar.
  useLayoutEffect(() => {
    const { classList } = document.documentElement
    classList.add('has-wall')
    return () => classList.remove('has-wall')
  }, [])
  useEffect(() => {
    const key = location.hash.slice(1)
    if (key !== '') callWithKey(key)
    // Another link in the same tab.
    const reload = () => location.reload()
    window.addEventListener('hashchange', reload)
    document.title = texts.title
    void overview.reload()
    const timers = [
      setInterval(() => void summary.reload(), summaryEveryMs),
      setInterval(() => void overview.reload(), monitorsEveryMs),
    ]
    const stop = () => {
      for (const timer of timers) clearInterval(timer)
    }
    const stopWatching = effect(() => {
      if (isRefused(summary.problem.value)) stop()
    })
    return () => {
      stop()
      stopWatching()
      window.removeEventListener('hashchange', reload)
    }
  }, [overview, summary, texts])
  const problem = summary.problem.value ?? overview.problem.value
  if (isRefused(problem)) {
    return (
      <main class="wall is-unknown">
        <h1>{texts.ended}</h1>
      </main>
    )
  }
  const shown = summary.value.value
  const all = overview.value.value?.monitors ?? []
  const tiles = all
    .map((one) => ({ ...one, confirming: shownConfirming(one) }))
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, tilesMax)
  // The wall shows green only while it has a current answer.
  const tone = problem || !shown ? 'is-unknown' : wallTone(shown.monitors)
  return (
    <main class={`wall ${tone}`}>
      {problem && <ProblemNote problem={problem} />}
      <header class="wall-head">
        {/* The rest has times, which change all the time. */}
        <h1 aria-live="polite">{shown && headline(shown.monitors)}</h1>
        <WallTools isTiles={isTiles} />
        <p class="wall-clock figure">{clockTime(new Date(now.value).toISOString())}</p>
      </header>
      {shown && !isTiles.value && (
        <>
          <dl class="facts">
            {stateOrder.map((state) => {
              const count = shown.monitors[state]
              if (count === 0) return null
              return (
                <div key={state} class={`is-${state}`}>
                  <dt>{words.value.common.states[state]}</dt>
                  <dd class="figure">{numberText(count)}</dd>
                </div>
              )
            })}
          </dl>
          <ul class="wall-incidents">
            {shown.openIncidents.newest.map(({ id, title, cause, startedAt }) => (
              <li key={id}>
                <strong>{title}</strong> <Said text={cause} /> <Time at={startedAt} />
              </li>
            ))}
          </ul>
        </>
      )}
      <ul
        ref={frame}
        class="tiles"
        style={{ '--tile-columns': tileColumns({ ...size, count: tiles.length }) || undefined }}
      >
        {tiles.map(({ id, name, state, confirming }) => (
          <li
            key={id}
            class={`tile ${toneOf(state, confirming)}`}
            title={words.value.common.states[state]}
          >
            {name}
            <span class="hidden">: {words.value.common.states[state]}</span>{' '}
            <ConfirmingChip confirming={confirming} />
          </li>
        ))}
      </ul>
      {all.length > tilesMax && <p class="faint">{texts.more({ count: all.length - tilesMax })}</p>}
    </main>
  )
}
