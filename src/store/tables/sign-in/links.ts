// Mailed links by [hash of the token], and the newest one of each purpose and person.
import { hash } from 'node:crypto'
import type { LinkPurpose, MailedLink } from '../../../domain/sign-in/link.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export function openLinks(env: Env) {
  const links = openTable<MailedLink>(env, { name: 'links' })
  const newest = openTable<{ readonly tokenHash: string }>(env, { name: 'newestLinks' })
  const subjectKey = (purpose: LinkPurpose, subject: string) => [
    purpose,
    hash('sha256', subject, 'base64url'),
  ]

  function remove(tx: Tx, { tokenHash, purpose, subject }: MailedLink): void {
    links.remove(tx, [tokenHash])
    const key = subjectKey(purpose, subject)
    if (newest.readable(key)?.tokenHash === tokenHash) newest.remove(tx, key)
  }

  /** The one valid link of this purpose for a subject. A damaged one is replaced by the next. */
  function newestOf(purpose: LinkPurpose, subject: string): MailedLink | undefined {
    const found = newest.readable(subjectKey(purpose, subject))
    return found && links.readable([found.tokenHash])
  }

  return {
    find: (tokenHash: string) => links.get([tokenHash]),

    newestOf,

    /** Writes the link and deletes the previous one of the same purpose and subject. */
    put(tx: Tx, link: MailedLink): void {
      const before = newestOf(link.purpose, link.subject)
      if (before) remove(tx, before)
      links.put(tx, [link.tokenHash], link)
      newest.put(tx, subjectKey(link.purpose, link.subject), { tokenHash: link.tokenHash })
    },

    remove,

    /** The links in the order of their hashes; `after` is the last hash of the previous slice. */
    slice: (limit: number, after?: string): MailedLink[] =>
      links.range({ prefix: [], limit, after }),
  }
}
