// A table of records without a page of their own.
import type { ComponentChildren } from 'preact'
import type { Resource } from '../../api/resource.ts'
import { Loaded } from '../page/loaded.tsx'

export interface LogTableProps<Row> {
  readonly of: Resource<readonly Row[]>
  /** What is said in place of an empty table. */
  readonly none: string
  readonly children: (row: Row) => ComponentChildren
}

export function LogTable<Row>({ of: rows, none, children }: LogTableProps<Row>) {
  return (
    <Loaded of={rows}>
      {(all) =>
        all.length === 0 ? (
          <p class="faint">{none}</p>
        ) : (
          <table class="log card">
            <tbody>{all.map(children)}</tbody>
          </table>
        )
      }
    </Loaded>
  )
}
