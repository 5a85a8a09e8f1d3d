// A list that comes page by page: the newest first, and a button for what is older.
import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Answer, Item, OperationName } from '../../api/client.ts'
import { type Resource, useResource } from '../../api/resource.ts'
import { words } from '../../words/words.ts'
import { act } from '../dialog/act.ts'

export interface Pages<Entry> {
  /** Every entry that was asked for so far. A reload begins again with the newest. */
  readonly entries: Resource<readonly Entry[]>
  /** Where the next page begins; undefined on the last one. */
  readonly cursor: Signal<string | undefined>
  more(): Promise<void>
  /** Loads the newest again, unless older ones are shown: it would take their reader back. */
  renew(): Promise<void>
}

/** The parts of a call that tell one page from another. */
export interface PageRequest {
  readonly from: { readonly cursor?: string }
  readonly call: { readonly signal?: AbortSignal }
}

type ListAnswer<Name extends OperationName> = Pick<Answer<Name>, 'nextCursor'> & {
  readonly data: readonly Item<Name>[]
}

/** Loads the first page anew when `keys` or `question` change, as `useResource` does. */
export function usePages<Name extends OperationName>(
  load: (request: PageRequest) => Promise<ListAnswer<Name>>,
  keys: readonly unknown[],
  question: readonly unknown[] = [],
): Pages<Item<Name>> {
  const hasOlder = useRef(false)
  const cursor = useSignal<string | undefined>(undefined)
  const entries = useResource<readonly Item<Name>[]>(
    async (signal) => {
      const answer = await load({ from: {}, call: { signal } })
      hasOlder.current = false
      cursor.value = answer.nextCursor
      return answer.data
    },
    keys,
    question,
  )
  async function more(): Promise<void> {
    const begin = cursor.value
    // The cursor belongs to the answer that is shown, which may be to another question.
    if (begin === undefined || entries.isLoading.value) return
    await act(async () => {
      const answer = await load({ from: { cursor: begin }, call: {} })
      // The list was loaded anew meanwhile.
      if (cursor.value !== begin) return
      hasOlder.current = true
      cursor.value = answer.nextCursor
      entries.set([...(entries.value.value ?? []), ...answer.data])
    })
  }
  async function renew(): Promise<void> {
    if (!hasOlder.current) await entries.reload()
  }
  return { entries, cursor, more, renew }
}

/** Loads the newest again when the version changes. */
export function useNewest({ entries, renew }: Pages<unknown>, version: string): void {
  useEffect(() => {
    if (entries.value.peek() !== undefined) void renew()
  }, [version, entries])
}

/** Shows nothing on the last page. */
export function More({ pages }: { readonly pages: Pick<Pages<unknown>, 'cursor' | 'more'> }) {
  if (pages.cursor.value === undefined) return null
  return (
    <button type="button" class="more-rows" onClick={() => void pages.more()}>
      {words.value.common.actions.more}
    </button>
  )
}
