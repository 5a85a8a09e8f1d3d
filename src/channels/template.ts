// Body templates of webhooks: {{path}} is replaced by a value from the payload, escaped for JSON.
import { limits } from '../domain/limits/limits.ts'
import { type Message, type Payload, payloadOf } from './model/message.ts'

const hole = /\{\{\s*([A-Za-z0-9_.]{1,200})\s*\}\}/g

/**
 * Fills in a body template. A path such as `data.incident.title` walks the payload; `title` and
 * `text` are the message in words. Texts are escaped for the inside of a JSON string, numbers and
 * lists are JSON, and a missing value is empty.
 */
export function renderTemplate(template: string, { title, payloadJson }: Message): string {
  const payload = payloadOf(payloadJson)
  const values = { ...payload, title, text: plainText(payload) }
  return template.replace(hole, (_, path: string) => asJson(valueAt(values, path)))
}

/** A few lines: why, since when, where to look. */
function plainText(payload: Payload): string {
  switch (payload.type) {
    case 'channel.test':
      return 'This channel can be reached.'
    case 'incident.digest': {
      const { incidents, incidentsTotal } = payload.data
      const listed = incidents
        .slice(0, limits.payloadMonitorsMax)
        .map(({ title, state }) => `${title} (${state})`)
      const more = incidentsTotal - listed.length
      return listed.concat(more > 0 ? [`and ${more} more`] : []).join('\n')
    }
    case 'certificate.expiring': {
      const { certificate, url } = payload.data
      const { expiresAt, issuer } = certificate
      return `It is valid until ${expiresAt}. Its issuer: ${issuer}.\n${url}`
    }
    default: {
      const { cause, startedAt, url } = payload.data.incident
      return `${cause}\nSince ${startedAt}.\n${url}`
    }
  }
}

function valueAt(values: unknown, path: string): unknown {
  let value = values
  for (const name of path.split('.')) {
    // Own fields only: a template must not reach inherited properties.
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
