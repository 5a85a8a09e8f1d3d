// What Uptime Kuma says in its requests, as templates of the body of a webhook.

const over = 'data.incident.resolvedAt'

/** One word for an incident that is over, and another for everything else. */
export function ended(yes: string, no: string): string {
  return `{{#${over}}}${yes}{{/${over}}}{{^${over}}}${no}{{/${over}}}`
}

const mark = `{{#data.incident.id}}${ended('✅', '🔴')} {{/data.incident.id}}`

/** What happened, in one line. */
export const line = `${mark}{{title}}`
/** The same with all that is known of it. */
export const words = `${line}\n{{text}}`
export const cause = '{{data.incident.cause}}'

/** The same for all news of an incident. */
export const incidentKey = '{{data.incident.id}}{{^data.incident.id}}stillup{{/data.incident.id}}'

/** What it is about. */
export const resource = '{{data.monitors.0.name}}{{^data.monitors}}{{title}}{{/data.monitors}}'

/** Stands in an object for JSON that `jsonTemplate` writes as it is. */
export function raw(json: string): string {
  return `\u0001${json}\u0001`
}

export function jsonTemplate(value: object): string {
  return JSON.stringify(value).replace(
    /"\\u0001((?:[^"\\]|\\.)*?)\\u0001"/g,
    (_, json: string) => JSON.parse(`"${json}"`) as string,
  )
}

/** Kuma's number of a state: 1 is up, 0 is down. */
export const statusNumber = raw(ended('1', '0'))

/** A message to Discord and what speaks like it; red and green as Kuma has them. */
export const embed = {
  title: line,
  description: '{{text}}',
  color: raw(ended('65280', '16711680')),
}

const onlyOfIncident = (json: string) =>
  `{{#data.incident.id}}${json}{{/data.incident.id}}{{^data.incident.id}}null{{/data.incident.id}}`

const heartbeat = {
  monitorID: '{{data.monitors.0.id}}',
  status: statusNumber,
  time: '{{timestamp}}',
}
const monitor = { id: '{{data.monitors.0.id}}', url: '{{data.monitors.0.url}}' }
const jsonOf = (value: object) => onlyOfIncident(jsonTemplate(value))

/** The parts of the body of Kuma's webhook, each as JSON but for `msg`. */
export const kumaParts = {
  msg: line,
  heartbeat: jsonOf({ ...heartbeat, msg: cause, important: true }),
  monitor: jsonOf({ ...monitor, name: '{{data.monitors.0.name}}' }),
}

/** The same for a query, where texts of people could break the JSON: no value is escaped for it. */
export const kumaQuery = { msg: line, heartbeat: jsonOf(heartbeat), monitor: jsonOf(monitor) }

/** The body of Kuma's webhook. */
export const kumaBody = `{"heartbeat":${kumaParts.heartbeat},"monitor":${kumaParts.monitor},"msg":"${kumaParts.msg}"}`

/** A template as part of a query: its values are escaped when they are filled in. */
export function urlTemplate(template: string): string {
  return template
    .split(/(\{\{[^{}]*\}\})/)
    .map((piece) => (piece.startsWith('{{') ? piece : encodeURIComponent(piece)))
    .join('')
}
