// Reads the XML that S3-compatible services answer with.
import { type MarkupElement, parseMarkup } from '../domain/assertions/markup.ts'

/** The texts of the elements directly below one, by name. */
export type XmlFields = Readonly<Partial<Record<string, string>>>

/** The fields of the first element with this name; undefined if there is none, or no XML. */
export function fieldsOf(text: string, name: string): XmlFields | undefined {
  return allFieldsOf(text, name)[0]
}

/** The fields of every element with this name, in order. */
export function allFieldsOf(text: string, name: string): readonly XmlFields[] {
  const markup = parseMarkup(text.trim(), 'xml')
  if ('problem' in markup) return []
  return markup.elements.filter((element) => localName(element) === name).map(fields)
}

function fields({ children }: MarkupElement): XmlFields {
  const elements = children.filter((child) => typeof child !== 'string')
  return Object.fromEntries(elements.map((element) => [localName(element), textOf(element)]))
}

function textOf({ children }: MarkupElement): string {
  return children.filter((child) => typeof child === 'string').join('')
}

/** Services use the namespace of S3 or none. */
function localName({ name }: MarkupElement): string {
  return name.slice(name.indexOf(':') + 1)
}
