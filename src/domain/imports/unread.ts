// What was to be read of another product and was not: one line of the notes names it.
import { type ForeignDocument, fieldsOf, listOf, textOf } from './foreign.ts'

const unreadMax = 20

/**
 * The document with a note of what `unread` of the answers names, which are what was fetched: `value`, or several of them
 * in a list.
 */
export function withUnread(value: unknown, document: ForeignDocument): ForeignDocument {
  const answers = Array.isArray(value) ? value : [value]
  const unread = answers.flatMap((answer) => listOf(fieldsOf(answer).unread)).map(textOf)
  const named = [...new Set(unread)].slice(0, unreadMax)
  if (named.length === 0) return document
  const text = `what could not be read there, and is missing: ${named.join('; ')}`
  return { ...document, notes: [{ name: null, text }, ...document.notes] }
}
