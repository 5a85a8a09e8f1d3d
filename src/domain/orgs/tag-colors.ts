// The colours in which the console shows tags.
import type { FieldProblem } from '../../base/fault.ts'
import { limits } from '../limits/limits.ts'

export interface TagColor {
  readonly tag: string
  /** Red, green and blue, such as `#dc2626`. */
  readonly color: string
}

export const tagColorPattern = '^#[0-9a-fA-F]{6}$'

/** What its schema cannot express: a tag has one colour. */
export function tagColorProblems(colors: readonly TagColor[] | null | undefined): FieldProblem[] {
  const seen = new Set<string>()
  return (colors ?? []).flatMap(({ tag }, index) => {
    if (!seen.has(tag)) {
      seen.add(tag)
      return []
    }
    const pointer = `/tagColors/${index}/tag`
    return [{ pointer, keyword: 'unique', message: 'must not be in the list twice' }]
  })
}

/** The colours of the organization, then the others for tags that have none yet; as many as one may have. */
export function withMoreColors(
  own: readonly TagColor[],
  more: readonly TagColor[],
): readonly TagColor[] {
  const known = new Set(own.map(({ tag }) => tag))
  const others = more.filter(({ tag }) => !known.has(tag))
  return [...own, ...others].slice(0, limits.tagColorsMax)
}
