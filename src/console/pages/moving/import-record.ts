// What the console knows of an import that was done.
import type { Data } from '../../api/client.ts'
import { words } from '../../words/words.ts'

export type ImportRecord = Omit<Data<'imports.get'>, 'plan'>

/** How long an import can be undone. */
const undoMs = 86_400_000

export const mayUndo = ({ state, at }: ImportRecord, nowMs: number) =>
  state === 'applied' && nowMs - Date.parse(at) < undoMs

/** The name of a product; its word in the API where nobody wrote one. */
export function productName(product: string): string {
  const names: Readonly<Record<string, string>> = words.value.moving.kinds
  return names[product] ?? product
}

/** What it is called: where it came from. */
export function importName({ source }: Pick<ImportRecord, 'source'>): string {
  const { moving } = words.value
  return moving.importOf({ product: productName(source?.product ?? 'stillup') })
}
