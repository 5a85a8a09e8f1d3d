// What a member says of itself, as JSON: in the list of members, and as the holder of the lease.
import { isRecord } from '../../base/schema/pick.ts'

export interface MemberWord {
  readonly member: string
  readonly role: 'leader' | 'standby'
  readonly url: string
  /** Proves that the member has the master key. */
  readonly urlProof: string
  readonly version: string
  readonly epoch: number
  readonly sequence: number
  /** The id of its master key. */
  readonly keyId: string
}

/** A member, as another version of it may describe itself. */
export interface SeenMember extends Omit<MemberWord, 'role' | 'epoch'> {
  readonly role: string
}

/** Reads what anybody may have written who has a key of the NATS servers. */
export function seenMember(name: string, word: string): SeenMember {
  const said = parsed(word)
  const field = (key: string) => (isRecord(said) ? said[key] : undefined)
  return {
    member: String(field('member') ?? name),
    role: String(field('role') ?? ''),
    url: String(field('url') ?? ''),
    urlProof: String(field('urlProof') ?? ''),
    version: String(field('version') ?? ''),
    sequence: Number(field('sequence') ?? 0),
    keyId: String(field('keyId') ?? ''),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
