// A table of records without a page of their own.
import type { ComponentChildren } from 'preact'
import type { Resource } from '../../api/resource.ts'
import { Empty, type EmptyProps } from '../page/empty.tsx'
import { Loaded } from '../page/loaded.tsx'

export interface LogTableProps<Row> {
  readonly of: Resource<readonly Row[]>
  /** What is said in place of an empty table; absent where there is always a row. */
  readonly none?: Omit<EmptyProps, 'title'>
  /** The titles of the columns; '' for one of buttons. */
  readonly heads?: readonly string[]
  /** The table stands in a card. */
  readonly isInside?: boolean
  readonly children: (row: Row) => ComponentChildren
}

export function LogTable<Row>({ of, none, heads, isInside, children }: LogTableProps<Row>) {
  return (
    <Loaded of={of}>
      {(rows) =>
        none !== undefined && rows.length === 0 ? (
          <Empty {...none} />
        ) : (
          <table class={isInside ? 'log' : 'log card'}>
            {heads && (
              <thead>
                <tr>
                  {heads.map((head) =>
                    head === '' ? <td key={head} /> : <th key={head}>{head}</th>,
                  )}
                </tr>
              </thead>
            )}
            <tbody>{rows.map(children)}</tbody>
          </table>
        )
      }
    </Loaded>
  )
}
