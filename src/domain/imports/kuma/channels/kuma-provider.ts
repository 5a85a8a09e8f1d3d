// What a notification provider of Uptime Kuma becomes: the shape, and what the tables of them share.
import { type ForeignFields, flagOf, type Note, textOf } from '../../foreign.ts'

export interface KumaMade {
  readonly type: string
  /** Fields that are undefined are left out. */
  readonly config: ForeignFields
  /** Fields of the config that a person must enter: the channel waits for them. */
  readonly lacks?: readonly string[]
  /** False: something else must be changed first; a note says what. */
  readonly isActive?: false
  readonly events?: readonly string[]
}

export interface KumaProvider {
  /** As people know it. */
  readonly title: string
  /** A text says why it is left out. */
  readonly made: (settings: ForeignFields, note: Note) => KumaMade | string
  /** Settings in use that ours has not, in words. */
  readonly lost?: (settings: ForeignFields) => readonly string[]
}

/** Whether somebody set it: 0, false and empty texts and lists are how forms begin. */
export function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return flagOf(value) || (value !== 0 && textOf(value) !== '')
}

/** The words for the fields that are set. */
export function setIn(
  settings: ForeignFields,
  words: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(words).flatMap(([field, said]) => (isSet(settings[field]) ? [said] : []))
}

/** The words for a field that is set to something else than what its form begins with. */
export function unless(
  usual: readonly unknown[],
  value: unknown,
  words: string,
): readonly string[] {
  const isUsual = !isSet(value) || usual.some((one) => textOf(one) === textOf(value))
  return isUsual ? [] : [words]
}

/** The words for a message in Liquid that is switched on. */
export function templateIn(isOn: unknown, template: unknown): readonly string[] {
  return flagOf(isOn) && isSet(template) ? ['its own wording (a template)'] : []
}

/** The text; undefined if there is none. */
export function given(value: unknown): string | undefined {
  const text = textOf(value)
  return text === '' ? undefined : text
}

/** The text as a part of a path or a query. */
export function part(value: unknown): string {
  return encodeURIComponent(textOf(value).toWellFormed())
}
