// Drafts of forms, in the storage of a browser tab: each belongs to a person and an organization, and
// has no secrets.

import type { JsonSchema } from './json-schema.ts'
import { valueAt, withValueAt } from './pointer.ts'

const prefix = 'stillup.draft '

/** Ids contain no spaces. */
export const draftKey = (userId: string, orgId: string, name: string) =>
  `${prefix}${userId} ${orgId} ${name}`

export interface Draft<Value> {
  readonly values: Value
  /** What the changes were made to. */
  readonly initial: Value
  readonly revision?: string | undefined
}

interface KeptDraft<Value> extends Draft<Value> {
  /** The pointers of the secrets that are in neither. */
  readonly left: readonly string[]
}

/** The pointers of the fields that must not be kept where others may find them. */
export function secretsIn(schema: JsonSchema, around = ''): readonly string[] {
  if (schema['x-secret']) return [around]
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    secretsIn(field, `${around}/${name}`),
  )
}

export function draftText<Value>(draft: Draft<Value>, secrets: ReadonlySet<string>): string {
  let { values, initial } = draft
  for (const pointer of secrets) {
    values = withField(values, pointer, undefined)
    initial = withField(initial, pointer, undefined)
  }
  const kept: KeptDraft<Value> = { ...draft, values, initial, left: [...secrets] }
  return JSON.stringify(kept)
}

/** The draft, with the secrets of what the form begins with. */
export function draftOf<Value extends object>(text: string, beginning: Value): Draft<Value> {
  const { left, ...kept } = JSON.parse(text) as KeptDraft<Value>
  let { initial } = kept
  let values: Value = { ...initial, ...kept.values }
  for (const pointer of left) {
    const secret = valueAt(beginning, pointer)
    values = withField(values, pointer, secret)
    initial = withField(initial, pointer, secret)
  }
  return { ...kept, values, initial }
}

/** Makes no object around a field that is not there. */
const withField = <Value>(value: Value, pointer: string, field: unknown) =>
  valueAt(value, pointer) === field ? value : withValueAt(value, pointer, field)

/** Removes the drafts of other people who used this browser. */
export function dropDraftsOfOthers(storage: Storage, userId: string): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  for (const key of keys) {
    if (key.startsWith(prefix) && !key.startsWith(`${prefix}${userId} `)) storage.removeItem(key)
  }
}
