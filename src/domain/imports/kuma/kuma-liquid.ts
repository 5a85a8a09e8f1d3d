// Bodies of Uptime Kuma in Liquid (https://liquidjs.com), as far as they only name what Kuma knows.
import { cause, ended, kumaParts, line } from './kuma-words.ts'

const name = '{{data.monitors.0.name}}'
const address = '{{data.monitors.0.url}}'
const state = ended('✅ Up', '🔴 Down')

/** By the name without quotes and brackets: `monitorJSON["name"]` is `monitorJSON.name`. */
const values: ReadonlyMap<string, string> = new Map([
  ['msg', line],
  ['status', state],
  ['STATUS', state],
  ['name', name],
  ['NAME', name],
  ['hostnameOrURL', address],
  ['HOSTNAME_OR_URL', address],
  ['monitorJSON.name', name],
  ['monitorJSON.url', address],
  ['monitorJSON.hostname', address],
  ['monitorJSON.id', '{{data.monitors.0.id}}'],
  ['heartbeatJSON.msg', cause],
  ['heartbeatJSON.status', ended('1', '0')],
  ['heartbeatJSON.time', '{{timestamp}}'],
  ['heartbeatJSON.localDateTime', '{{timestamp}}'],
  ['heartbeatJSON.monitorID', '{{data.monitors.0.id}}'],
])

/** Values that Liquid's filter `json` writes without quotes. */
const objects: ReadonlyMap<string, string> = new Map([
  ['monitorJSON', kumaParts.monitor],
  ['heartbeatJSON', kumaParts.heartbeat],
  ['heartbeatJSON.status', ended('1', '0')],
])

/** The template of the body; undefined if it has something else than these names. */
export function liquidBody(liquid: string): string | undefined {
  if (liquid === '' || liquid.includes('{%')) return undefined
  const pieces = liquid.split(/\{\{-?([^{}]*)\}\}/)
  const filled = pieces.map((piece, at) => (at % 2 === 0 ? piece : templateOf(piece)))
  const isWhole = filled.every((piece) => piece !== undefined)
  return isWhole ? filled.join('') : undefined
}

function templateOf(inside: string): string | undefined {
  const [named = '', filter, ...more] = inside.replace(/-$/, '').split('|')
  const path = named
    .replaceAll(/\[["']/g, '.')
    .replaceAll(/["']\]/g, '')
    .trim()
  if (more.length > 0) return undefined
  if (filter === undefined) return values.get(path)
  if (filter.trim() !== 'json') return undefined
  const value = values.get(path)
  return objects.get(path) ?? (value === undefined ? undefined : `"${value}"`)
}
