// Shows a resource: its value, its problem, or that it is loading.
import type { ComponentChildren } from 'preact'
import type { Resource } from '../../api/resource.ts'
import { words } from '../../words/words.ts'
import { Elsewhere } from './elsewhere.tsx'
import { Page } from './page.tsx'
import { ProblemNote } from './problem-note.tsx'

export interface LoadedProps<Value> {
  readonly of: Resource<Value>
  /** What it shows is a whole page: so is the problem that it cannot be loaded, under this title. */
  readonly pageTitle?: string
  readonly children: (value: Value) => ComponentChildren
}

export function Loaded<Value>({ of: resource, pageTitle, children }: LoadedProps<Value>) {
  const value = resource.value.value
  const problem = resource.problem.value
  const note = problem && <ProblemNote problem={problem} onRetry={() => void resource.reload()} />
  if (note && value === undefined && pageTitle !== undefined) {
    const page = <Page title={pageTitle}>{note}</Page>
    return problem.status === 404 ? <Elsewhere>{page}</Elsewhere> : page
  }
  return (
    <>
      {note}
      {value !== undefined && children(value)}
      {value === undefined && !problem && (
        <p class="faint" role="status">
          {words.value.common.loading}…
        </p>
      )}
    </>
  )
}
