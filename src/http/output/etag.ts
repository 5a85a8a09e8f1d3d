// Entity tags: the record's revision for changes, and a hash of the response.
import { hash } from 'node:crypto'
import { Fault } from '../../base/fault.ts'

/**
 * `"<revision>-<hash of the body>"`. The body also shows live values, which change without a new
 * revision. So If-None-Match compares the whole tag, and If-Match only the revision.
 */
export function etagOf(revision: number, body: string): string {
  return `"${revision}-${hash('sha1', body, 'base64url').slice(0, 16)}"`
}

/** Whether a GET's If-None-Match names this tag (weak comparison, RFC 9110 §13.1.2); '' names none. */
export function isUnchanged(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false
  const wanted = withoutWeak(etag)
  return ifNoneMatch.split(',').some((sent) => {
    const tag = sent.trim()
    return tag === '*' || withoutWeak(tag) === wanted
  })
}

const withoutWeak = (tag: string) => tag.replace(/^W\//, '')

/**
 * The revision in If-Match; undefined without one and for `*`. Throws precondition_failed for a tag
 * that is not one of ours, and for several that differ.
 */
export function wantedRevision(ifMatch: string): number | undefined {
  if (ifMatch === '' || ifMatch.trim() === '*') return undefined
  const wanted = ifMatch.split(',').map((tag) => /^"(\d+)(?:-[\w-]+)?"$/.exec(tag.trim())?.[1])
  const [first] = wanted
  if (first === undefined || wanted.some((revision) => revision !== first)) {
    throw new Fault('precondition_failed', 'If-Match does not name the current version')
  }
  return Number(first)
}
