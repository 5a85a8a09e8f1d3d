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

const over = 'data.incident.resolvedAt'
const known = 'data.incident.id'

/** What a condition asks of a message: a section that is there if it holds. */
const conditions: ReadonlyMap<string, LiquidSection> = new Map([
  ['monitorJSON', { sign: '#', path: known }],
  ['heartbeatJSON', { sign: '#', path: known }],
  ['heartbeatJSON.status==1', { sign: '#', path: over }],
  ['heartbeatJSON.status==0', { sign: '^', path: over }],
  ['heartbeatJSON.status!=0', { sign: '#', path: over }],
  ['heartbeatJSON.status!=1', { sign: '^', path: over }],
])

interface LiquidSection {
  readonly sign: '#' | '^'
  readonly path: string
}

/**
 * The template of the body; undefined if it has something else than these names, and `if`, `else` and `endif`
 * about the state or whether there is a monitor.
 */
export function liquidBody(liquid: string): string | undefined {
  if (liquid === '') return undefined
  const open: LiquidSection[] = []
  let body = ''
  for (const piece of liquid.split(/(\{\{[^{}]*\}\}|\{%[^{}%]*%\})/)) {
    const isTag = /^\{[{%]/.test(piece)
    const inside = piece.slice(2, -2).replace(/^-/, '').replace(/-$/, '').trim()
    const written = piece.startsWith('{%') ? sectionOf(inside, open) : templateOf(inside)
    const next = isTag ? written : piece
    if (next === undefined || (!isTag && piece.includes('{%'))) return undefined
    body += next
  }
  return open.length === 0 ? body : undefined
}

/** The sections that a tag begins and ends; undefined if it is none of those. */
function sectionOf(tag: string, open: LiquidSection[]): string | undefined {
  const last = open.at(-1)
  const [word, ...condition] = tag.split(/\s+/)
  if (word === 'if') {
    const section = conditions.get(pathOf(condition.join('')))
    if (section === undefined) return undefined
    open.push(section)
    return `{{${section.sign}${section.path}}}`
  }
  if (last === undefined || condition.length > 0) return undefined
  open.pop()
  const end = `{{/${last.path}}}`
  if (word === 'endif') return end
  if (word !== 'else') return undefined
  const other = { sign: last.sign === '#' ? '^' : '#', path: last.path } as const
  open.push(other)
  return `${end}{{${other.sign}${other.path}}}`
}

function pathOf(text: string): string {
  return text
    .replaceAll(/\[["']/g, '.')
    .replaceAll(/["']\]/g, '')
    .trim()
}

function templateOf(inside: string): string | undefined {
  const [named = '', filter, ...more] = inside.split('|')
  const path = pathOf(named)
  if (more.length > 0) return undefined
  if (filter === undefined) return values.get(path)
  if (filter.trim() !== 'json') return undefined
  const value = values.get(path)
  return objects.get(path) ?? (value === undefined ? undefined : `"${value}"`)
}
