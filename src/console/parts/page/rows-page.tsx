// A page that lists what the organization has, with a way to add more; it is read again when somebody
// comes back to it.
import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Resource } from '../../api/resource.ts'
import { Empty } from './empty.tsx'
import { Loaded } from './loaded.tsx'
import { Page } from './page.tsx'

export interface RowsPageProps<Row> {
  readonly title: string
  readonly of: Resource<readonly Row[]>
  /** The buttons for people who may use them. */
  readonly add: ComponentChildren
  readonly icon: IconNode
  readonly empty: { readonly title: string; readonly about: string }
  /** Above them, about all of them. */
  readonly note?: (rows: readonly Row[]) => ComponentChildren
  readonly children: (row: Row) => ComponentChildren
}

export function RowsPage<Row>(props: RowsPageProps<Row>) {
  const { title, of: rows, add, icon, empty, note, children } = props
  useEffect(() => {
    const reload = () => void (document.visibilityState === 'visible' && rows.reload())
    document.addEventListener('visibilitychange', reload)
    return () => document.removeEventListener('visibilitychange', reload)
  }, [rows])
  return (
    <Page title={title} actions={add}>
      <Loaded of={rows}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon={icon} title={empty.title} about={empty.about}>
              {add}
            </Empty>
          ) : (
            <>
              {note?.(all)}
              <ul class="rows-list">{all.map(children)}</ul>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
