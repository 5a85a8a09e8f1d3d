// Changes many monitors, says how many, and offers the way back.
import { type Body, type Data, fetchData } from '../../../api/client.ts'
import { act } from '../../../parts/dialog/act.ts'
import { tell } from '../../../parts/dialog/toast.tsx'
import { orgId } from '../../../stores/session.ts'
import { words } from '../../../words/words.ts'

/** What all of them get. */
export type Change = Omit<
  Body<'monitors.changeMany'>,
  'ids' | 'tag' | 'dryRun' | 'skipRefused' | 'withUndo'
>
export type BulkOutcome = Data<'monitors.changeMany'>

/** The changes that lead back. Another organization may be shown when somebody wants them. */
export interface WayBack {
  readonly orgId: string
  readonly undo: BulkOutcome['undo']
}

/** Monitors that one request names. */
const togetherMax = 10_000

function piecesOf(ids: readonly string[]): (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / togetherMax) }, (_, n) =>
    ids.slice(n * togetherMax, (n + 1) * togetherMax),
  )
}

type Options = Pick<Body<'monitors.changeMany'>, 'dryRun' | 'withUndo'> & {
  /** By default the one that is shown. */
  readonly of?: string
  readonly signal?: AbortSignal
}

/** Changes those that the change suits. Throws ApiProblem. */
export async function changeMany(
  ids: readonly string[],
  change: Change,
  { of = orgId(), signal, ...options }: Options,
): Promise<BulkOutcome> {
  const path = { orgId: of }
  let whole: BulkOutcome | undefined
  for (const some of piecesOf(ids)) {
    const body = { ...change, ...options, ids: some, skipRefused: true }
    const call = { path, body, ...(signal ? { signal } : {}) }
    whole = together(whole, await fetchData('monitors.changeMany', call))
  }
  return whole ?? { matched: 0, changed: 0, unchanged: 0, refused: 0, refusals: [] }
}

function together(before: BulkOutcome | undefined, next: BulkOutcome): BulkOutcome {
  if (!before) return next
  const undo = before.undo && next.undo ? [...before.undo, ...next.undo] : null
  return {
    matched: before.matched + next.matched,
    changed: before.changed + next.changed,
    unchanged: before.unchanged + next.unchanged,
    refused: before.refused + next.refused,
    refusals: [...before.refusals, ...next.refusals],
    undo,
  }
}

/** Resolves with whether it was done. `done` says it of a number of monitors. */
export function makeChange(
  ids: readonly string[],
  change: Change,
  done: (values: { readonly count: number }) => string,
): Promise<boolean> {
  const of = orgId()
  return act(async () => {
    const { changed, refused, undo } = await changeMany(ids, change, { of, withUndo: true })
    const { bulk } = words.value.overview
    const left = refused === 0 ? '' : ` ${bulk.left({ count: refused })}`
    const back =
      undo && undo.length > 0 ? () => void act(() => takeBack({ orgId: of, undo })) : undefined
    tell(done({ count: changed }) + left, back)
  })
}

/** Makes the changes that lead back, and says how many monitors have their former values. */
export async function takeBack({ orgId, undo }: WayBack): Promise<void> {
  let count = 0
  for (const { ids, ...former } of undo ?? []) {
    count += (await changeMany(ids, former, { of: orgId })).changed
  }
  tell(words.value.overview.bulk.takenBack({ count }))
}

/** Starts as many checks as may be made by hand, and says how many. */
export function checkNow(ids: readonly string[]): Promise<boolean> {
  return act(async () => {
    let started = 0
    let reporting = 0
    let limited = 0
    for (const some of piecesOf(ids)) {
      const path = { orgId: orgId() }
      const checks = await fetchData('monitors.checkMany', { path, body: { ids: some } })
      started += checks.started
      reporting += checks.reporting
      limited += checks.limited
    }
    const { bulk } = words.value.overview
    const said = [
      bulk.checking({ count: started }),
      ...(reporting === 0 ? [] : [bulk.reporting({ count: reporting })]),
      ...(limited === 0 ? [] : [bulk.limited({ count: limited })]),
    ]
    tell(said.join(' '))
  })
}
