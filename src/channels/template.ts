// Body templates: {{path}} is replaced by a value of the payload, escaped for JSON. No logic.
import { messageText, type Payload } from './message.ts'

const hole = /\{\{\s*([A-Za-z0-9_.]{1,200})\s*\}\}/g

/**
 * Fills in a body template. A path such as `data.incident.title` walks the payload; `title` and
 * `text` are the message in words. Texts are escaped for the inside of a JSON string, numbers and
 * lists are JSON, and what is not there is empty.
 */
export function renderTemplate(template: string, payload: Payload): string {
  const values = { ...payload, ...messageText(payload) }
  return template.replace(hole, (_, path: string) => asJson(valueAt(values, path)))
}

function valueAt(values: unknown, path: string): unknown {
  let value = values
  for (const name of path.split('.')) {
    // Own fields only: a template must not reach what every object inherits.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return value
}

function asJson(value: unknown): string {
  if (value === undefined || value === null) return ''
  const json = JSON.stringify(value)
  return typeof value === 'string' ? json.slice(1, -1) : json
}
