// A page that lists what the organization has, with a way to add more; it is read again when somebody
// comes back to it.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Resource } from '../../api/resource.ts'
import type { EmptyProps } from './empty.tsx'
import { Loaded } from './loaded.tsx'
import { Page } from './page.tsx'

export interface RowsPageProps<Row> {
  readonly title: string
  readonly of: Resource<readonly Row[]>
  /** The button for people who may use it. */
  readonly add: ComponentChildren
  readonly empty: EmptyProps
  /** All of them, of which there is at least one. */
  readonly children: (rows: readonly Row[]) => ComponentChildren
}

export function RowsPage<Row>({ title, of: rows, add, empty, children }: RowsPageProps<Row>) {
  useEffect(() => {
    const reload = () => void (document.visibilityState === 'visible' && rows.reload())
    document.addEventListener('visibilitychange', reload)
    return () => document.removeEventListener('visibilitychange', reload)
  }, [rows])
  return (
    <Page title={title} add={add} empty={rows.value.value?.length === 0 && empty}>
      <Loaded of={rows}>{(all) => all.length > 0 && children(all)}</Loaded>
    </Page>
  )
}
