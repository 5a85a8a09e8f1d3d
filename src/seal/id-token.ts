// Tokens that name things by their ids, and prove that we made them: of the links in alerts, and of the addresses at which
// another product tells its alerts during a shadow run. Each is good for that alone.
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  asId,
  type Id,
  type IdKind,
  type ImportId,
  idPrefixes,
  type OrgId,
  type RequestId,
} from '../base/ids.ts'
import type { AlertLinkSubject } from '../domain/alerts/alert-link.ts'

const ulidChars = 26
const ulidPattern = /^[0-9a-z]{26}$/
/** 96 bits of the MAC in base64url. */
const macPattern = /^[\w-]{16}$/
const macChars = 16

export type AlertLinks = ReturnType<typeof createAlertLinks>

/**
 * The link is enough to see an incident and to acknowledge it, for the channel that was told of it. Signs with a key
 * that is derived for this purpose alone.
 */
export function createAlertLinks(key: Buffer) {
  const tokens = createIdTokens(key)
  return {
    token: ({ orgId, incidentId, channelId }: AlertLinkSubject): string =>
      tokens.make([orgId, incidentId, channelId]),

    /** What the token names; undefined if we did not make it. */
    read(token: string): AlertLinkSubject | undefined {
      const [org, incident, channel, ...more] = tokens.read(token) ?? []
      if (more.length > 0) return undefined
      const orgId = idOf('org', org)
      const incidentId = idOf('incident', incident)
      const channelId = idOf('channel', channel)
      return orgId && incidentId && channelId ? { orgId, incidentId, channelId } : undefined
    },
  }
}

interface ShadowSubject {
  readonly orgId: OrgId
  readonly importId: ImportId
  /** What tells it from the address that it replaced; undefined: it is the first. */
  readonly addressId?: RequestId | undefined
}

export type ShadowTokens = ReturnType<typeof createShadowTokens>

/**
 * The token is enough to say what another product said of the monitors of an import. Signs with a key that is derived
 * for this purpose alone.
 */
export function createShadowTokens(key: Buffer) {
  const tokens = createIdTokens(key, 'shadow ')
  return {
    token: ({ orgId, importId, addressId }: ShadowSubject): string =>
      tokens.make(addressId ? [orgId, importId, addressId] : [orgId, importId]),

    /** What the token names; undefined if we did not make it. */
    read(token: string): ShadowSubject | undefined {
      const [org, imported, replaced, ...more] = tokens.read(token) ?? []
      if (more.length > 0) return undefined
      const orgId = idOf('org', org)
      const importId = idOf('import', imported)
      const addressId = replaced === undefined ? undefined : idOf('request', replaced)
      return orgId && importId ? { orgId, importId, ...(addressId && { addressId }) } : undefined
    },
  }
}

/** The ULIDs of the ids, and the MAC over them and what they are for. */
function createIdTokens(key: Buffer, purpose = '') {
  const macOf = (ulids: string) =>
    createHmac('sha256', key)
      .update(purpose + ulids)
      .digest('base64url')
      .slice(0, macChars)

  return {
    make(ids: readonly string[]): string {
      const ulids = ids.map((id) => id.slice(id.indexOf('_') + 1)).join('')
      return ulids + macOf(ulids)
    },

    /** The ULIDs; undefined if we did not make the token. */
    read(token: string): readonly string[] | undefined {
      const named = token.slice(0, -macChars)
      const mac = token.slice(-macChars)
      if (named.length % ulidChars !== 0 || !macPattern.test(mac)) return undefined
      const ulids = named.match(/.{26}/g) ?? []
      if (!ulids.every((ulid) => ulidPattern.test(ulid))) return undefined
      const right = macOf(named)
      return timingSafeEqual(Buffer.from(mac), Buffer.from(right)) ? ulids : undefined
    },
  }
}

function idOf<Kind extends IdKind>(kind: Kind, ulid = ''): Id<Kind> | undefined {
  return asId(kind, `${idPrefixes[kind]}_${ulid}`) || undefined
}
