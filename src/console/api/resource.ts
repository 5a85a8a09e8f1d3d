// A resource: data of the API that a page shows, with its loading and its problem.
import { type Signal, signal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { type Call, type Data, fetchData, type OperationName } from './client.ts'
import { type ApiProblem, unreachable } from './problem.ts'

export interface Resource<Value> {
  /** The newest value; undefined before the first. It stays while a reload fails. */
  readonly value: Signal<Value | undefined>
  readonly problem: Signal<ApiProblem | undefined>
  readonly isLoading: Signal<boolean>
  /** Asks again. An answer that a later question overtook is dropped. */
  reload(): Promise<void>
  /** Shows what the service confirmed, without asking again. */
  set(value: Value): void
}

export function createResource<Value>(load: (signal: AbortSignal) => Promise<Value>) {
  const value = signal<Value | undefined>(undefined)
  const problem = signal<ApiProblem | undefined>(undefined)
  const isLoading = signal(false)
  let running: AbortController | undefined

  async function reload(): Promise<void> {
    running?.abort()
    const own = new AbortController()
    running = own
    isLoading.value = true
    try {
      const loaded = await load(own.signal)
      if (running !== own) return
      value.value = loaded
      problem.value = undefined
    } catch (error) {
      if (running === own) problem.value = asProblem(error)
    } finally {
      if (running === own) isLoading.value = false
    }
  }

  const resource: Resource<Value> & { stop(): void } = {
    value,
    problem,
    isLoading,
    reload,
    set(next) {
      running?.abort()
      running = undefined
      isLoading.value = false
      value.value = next
      problem.value = undefined
    },
    stop() {
      running?.abort()
      running = undefined
    },
  }
  return resource
}

export function asProblem(error: unknown): ApiProblem {
  if (error instanceof Error && error.name === 'ApiProblem') return error as ApiProblem
  return unreachable(error)
}

/**
 * A resource of a component: another one when `keys` change, and the same one asked again when
 * `question` does. The former answer stays until the new one is here, so that nothing jumps while
 * somebody types or chooses. It ends with the component.
 */
export function useResource<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
  question: readonly unknown[] = [],
): Resource<Value> {
  const newest = useRef(load)
  newest.current = load
  const resource = useMemo(() => createResource((signal) => newest.current(signal)), keys)
  useEffect(() => void resource.reload(), [resource, ...question])
  useEffect(() => resource.stop, [resource])
  return resource
}

/**
 * What an operation answers: anew when the path changes, and asked again when query, body or `question`
 * do.
 */
export function useData<Name extends OperationName>(
  name: Name,
  call: Call<Name>,
  question: readonly unknown[] = [],
): Resource<Data<Name>> {
  const { path, ...asked } = call as { readonly path?: object }
  return useResource(
    (signal) => fetchData(name, { ...call, signal }),
    [JSON.stringify(path)],
    [JSON.stringify(asked), ...question],
  )
}
