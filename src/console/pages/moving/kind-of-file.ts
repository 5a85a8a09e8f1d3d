// Which product wrote a file, guessed from what is in it.

import type { Body } from '../../api/client.ts'

/** A product, as the API names it; or this one. */
export type FileKind = 'stillup' | Body<'orgs.convert'>['product']

/** A guess, which the person can correct. What is no JSON is YAML, as Gatus has it. */
export function kindOfFile(text: string): FileKind {
  // Answers that follow each other are no JSON as a whole.
  if (text.includes('"monitorType":')) return 'oneuptime'
  if (/"friendly_?name":/i.test(text)) return 'uptimerobot'
  if (text.includes('"pronounceable_name":')) return 'betterstack'
  if (text.includes('"lasttesttime":')) return 'pingdom'
  if (text.includes('"allow_page_subscribers":')) return 'statuspage'
  if (/^scrape_configs:/m.test(text)) return 'blackbox'
  if (text.includes('"checkType":') && text.includes('"alertSettings":')) return 'checkly'
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return isTable(text) ? 'csv' : 'gatus'
  }
  if (Array.isArray(value)) return 'kuma'
  if (typeof value !== 'object' || value === null) return 'stillup'
  if ('monitorList' in value) return 'kuma'
  if ('checks' in value) return 'healthchecks'
  return 'endpoints' in value ? 'gatus' : 'stillup'
}

/** A table begins with the names of its columns. */
function isTable(text: string): boolean {
  const [line = ''] = text.split(/[\r\n]/, 1)
  return /[,;\t]/.test(line) && /\b(name|url)\b/i.test(line)
}

/** The first bytes that tell what a file is. */
export const headBytes = 512

/**
 * Whether the first bytes are those of data of Uptime Kuma, which the service reads as a whole: a database, an
 * archive, a dump of MariaDB, or what else is no text.
 */
export function isKumaData(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head)
  const isPacked = text.startsWith('\u001f\u008b') || text.startsWith('PK\u0003\u0004')
  return isPacked || text.includes('\0') || /^.{0,80}\s*-- (MySQL|MariaDB) dump /.test(text)
}
