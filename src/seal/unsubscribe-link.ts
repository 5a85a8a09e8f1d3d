// Links that end letters: a token that names a channel and one of its addresses. The link
// is enough to take that address out of that channel, and for nothing else.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { asId, type ChannelId, idPrefixes, type OrgId } from '../base/ids.ts'

export interface UnsubscribeSubject {
  readonly orgId: OrgId
  readonly channelId: ChannelId
  readonly address: string
}

export interface ReadUnsubscribeLink extends Omit<UnsubscribeSubject, 'address'> {
  /** The token does not contain the address, so that logs of web servers do not get it. */
  readonly isFor: (address: string) => boolean
}

/** Two ULIDs, 96 bits that stand for the address, and 96 bits of the MAC, in base64url. */
const pattern = /^([0-9a-z]{26})([0-9a-z]{26})([\w-]{16})([\w-]{16})$/
const macChars = 16

export type UnsubscribeLinks = ReturnType<typeof createUnsubscribeLinks>

/** Signs with a key that is derived for this purpose alone. */
export function createUnsubscribeLinks(key: Buffer) {
  const macOf = (purpose: 'address' | 'link', text: string) =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url').slice(0, macChars)
  const markOf = (address: string) => macOf('address', address.toLowerCase())

  return {
    token({ orgId, channelId, address }: UnsubscribeSubject): string {
      const named = ulidOf(orgId) + ulidOf(channelId) + markOf(address)
      return named + macOf('link', named)
    },

    /** What the token names; undefined if we did not make it. */
    read(token: string): ReadUnsubscribeLink | undefined {
      const [, org = '', channel = '', mark = '', mac = ''] = pattern.exec(token) ?? []
      const right = macOf('link', org + channel + mark)
      if (mac === '' || !timingSafeEqual(Buffer.from(mac), Buffer.from(right))) return undefined
      const orgId = asId('org', `${idPrefixes.org}_${org}`)
      const channelId = asId('channel', `${idPrefixes.channel}_${channel}`)
      if (!orgId || !channelId) return undefined
      return { orgId, channelId, isFor: (address) => markOf(address) === mark }
    },
  }
}

function ulidOf(id: string): string {
  return id.slice(id.indexOf('_') + 1)
}
