// The tags of Uptime Kuma, and their colours.
import { limits } from '../../limits/limits.ts'
import { type TagColor, tagColorPattern } from '../../orgs/tag-colors.ts'
import { type ForeignFields, fieldsOf, listOf, tagsOf, textOf } from '../foreign.ts'

const colorForm = new RegExp(tagColorPattern)

/** A tag as it is called here: with its value on the monitor, if it has one. */
export function tagTextOf(tag: unknown): string {
  const { name, value } = fieldsOf(tag)
  return textOf(value) === '' ? textOf(name) : `${textOf(name)}: ${textOf(value)}`
}

/** The colours of the tags that monitors have. */
export function tagColorsOf(items: readonly ForeignFields[]): readonly TagColor[] {
  const colors = new Map<string, TagColor>()
  for (const one of items.flatMap(({ tags }) => listOf(tags))) {
    const [tag] = tagsOf([tagTextOf(one)])
    const color = textOf(fieldsOf(one).color)
    if (tag !== undefined && colorForm.test(color)) colors.set(tag, { tag, color })
  }
  return [...colors.values()].slice(0, limits.tagColorsMax)
}
