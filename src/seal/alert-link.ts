// Links in alerts: a token that names an incident and the channel that was told of it. The
// link is enough to see that incident and to acknowledge it, and for nothing else.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { asId, idPrefixes } from '../base/ids.ts'
import type { AlertLinkSubject } from '../domain/alerts/alert-link.ts'

/** Three ULIDs, and 96 bits of the MAC in base64url. */
const pattern = /^([0-9a-z]{26})([0-9a-z]{26})([0-9a-z]{26})([\w-]{16})$/
const macChars = 16

export type AlertLinks = ReturnType<typeof createAlertLinks>

/** Signs with a key that is derived for this purpose alone. */
export function createAlertLinks(key: Buffer) {
  const macOf = (ulids: string) =>
    createHmac('sha256', key).update(ulids).digest('base64url').slice(0, macChars)

  return {
    token({ orgId, incidentId, channelId }: AlertLinkSubject): string {
      const ulids = [orgId, incidentId, channelId].map(ulidOf).join('')
      return ulids + macOf(ulids)
    },

    /** What the token names; undefined if we did not make it. */
    read(token: string): AlertLinkSubject | undefined {
      const [, org = '', incident = '', channel = '', mac = ''] = pattern.exec(token) ?? []
      const right = macOf(org + incident + channel)
      if (mac === '' || !timingSafeEqual(Buffer.from(mac), Buffer.from(right))) return undefined
      const orgId = asId('org', `${idPrefixes.org}_${org}`)
      const incidentId = asId('incident', `${idPrefixes.incident}_${incident}`)
      const channelId = asId('channel', `${idPrefixes.channel}_${channel}`)
      return orgId && incidentId && channelId ? { orgId, incidentId, channelId } : undefined
    },
  }
}

function ulidOf(id: string): string {
  return id.slice(id.indexOf('_') + 1)
}
