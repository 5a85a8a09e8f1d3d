// Paging: `limit` and `cursor` of a list, its signed cursors, and the URL of its next page.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { TObject } from 'typebox'
import { Fault } from '../../base/fault.ts'
import { atMostEntries } from '../../base/memory/bounds.ts'
import * as s from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { PageRequest } from '../../services/context.ts'
import type { Exchange } from '../edge/exchange.ts'
import type { NextPage } from '../output/respond.ts'
import { createQueryReader, parseQuery } from './query.ts'

const pageItemsDefault = 50
const cursorCharsMax = 512
/** Next pages of a list that are remembered, and the characters of what tells them apart. */
const nextPagesKnown = 200
const nextPageCharsMax = 400

const pageFields = {
  limit: s.preset(
    s.integer(1, limits.pageItemsMax),
    pageItemsDefault,
    'Maximum number of entries on a page.',
  ),
  cursor: s.optional(
    s.text({
      charsMin: 1,
      charsMax: cursorCharsMax,
      description: 'meta.nextCursor of the previous page, with the same filters.',
    }),
  ),
}

/** A list's query: its own filters, and the two parameters of every list. */
export function pageQuery(filters: TObject | undefined): TObject {
  return s.object({ ...filters?.properties, ...pageFields })
}

export type PageReader = ReturnType<typeof createPageReader>

export interface PageReaderDeps {
  readonly cursors: Cursors
  readonly baseUrl: string
}

export function createPageReader(filters: TObject | undefined, deps: PageReaderDeps) {
  const readQuery = createQueryReader(pageQuery(filters))
  const { cursors, baseUrl } = deps
  const known = new LRUCache<string, NextPage>(atMostEntries(nextPagesKnown))

  function nextPage(exchange: Exchange, after: string): NextPage {
    const cursor = cursors.seal(listOf(exchange), after)
    const pairs = parseQuery(exchange.queryText).filter(([name]) => name !== 'cursor')
    const query = new URLSearchParams([...pairs.map(([...pair]) => pair), ['cursor', cursor]])
    return { cursor, url: `${baseUrl}${plainPath(exchange.path)}?${query}` }
  }

  return {
    read(exchange: Exchange): { query: Record<string, unknown>; page: PageRequest } {
      const { limit, cursor, ...query } = readQuery(parseQuery(exchange.queryText))
      const list = cursor === undefined ? '' : listOf(exchange)
      const after = typeof cursor === 'string' ? cursors.open(list, cursor) : undefined
      const page = { limit: Number(limit), ...(after === undefined ? {} : { after }) }
      return { query, page }
    },
    /** The same page of a list is asked for again and again, and signing takes as long as a tenth of it. */
    next(exchange: Exchange, after: string): NextPage {
      const name = `${exchange.path}?${exchange.queryText} ${after}`
      const page = known.get(name) ?? nextPage(exchange, after)
      if (name.length <= nextPageCharsMax) known.set(name, page)
      return page
    },
  }
}

/**
 * Identifies a list for its cursors: the path, which contains the organization, and the filters in
 * a fixed order.
 */
function listOf(exchange: Exchange): string {
  const filters = parseQuery(exchange.queryText)
    .filter(([name]) => name !== 'cursor' && name !== 'limit')
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
  return JSON.stringify([exchange.path, ...filters])
}

// Removes everything but valid path characters: the path comes from the caller and is sent in a
// header.
function plainPath(path: string): string {
  return path.replace(/[^\w\-./~%:@!$&'()*+,;=]/g, '')
}

export type Cursors = ReturnType<typeof createCursors>

const macBytes = 16

/** Creates cursors signed with HMAC-SHA256 under a key only for this purpose. */
export function createCursors(key: Uint8Array) {
  // Passing bytes would create a key object for each cursor, which takes longer than the signing.
  const secretKey = createSecretKey(key)
  const macOf = (list: string, after: string) =>
    createHmac('sha256', secretKey).update(`${list}\n${after}`).digest().subarray(0, macBytes)

  return {
    /** `list` identifies the list: its path, organization and filters. */
    seal: (list: string, after: string): string =>
      Buffer.concat([macOf(list, after), Buffer.from(after)]).toString('base64url'),
    /** Returns the id. Throws invalid_cursor if it belongs to another list or was not made here. */
    open(list: string, cursor: string): string {
      if (cursor.length > cursorCharsMax || !/^[\w-]+$/.test(cursor)) throw invalid()
      const bytes = Buffer.from(cursor, 'base64url')
      if (bytes.length <= macBytes) throw invalid()
      const after = bytes.subarray(macBytes).toString()
      if (!timingSafeEqual(bytes.subarray(0, macBytes), macOf(list, after))) throw invalid()
      return after
    },
  }
}

function invalid(): Fault {
  return new Fault('invalid_cursor', 'The cursor does not belong to this list')
}
