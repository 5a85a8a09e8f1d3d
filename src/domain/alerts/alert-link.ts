// The address of an alert: the page of an incident for the people whom one channel told of it.
import type { ChannelId, IncidentId, OrgId } from '../../base/ids.ts'

/** What a link in an alert names. */
export interface AlertLinkSubject {
  readonly orgId: OrgId
  readonly incidentId: IncidentId
  readonly channelId: ChannelId
}

/** The address for a token. `baseUrl` is the public one of the service, without a trailing slash. */
export function alertPageUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/alerts/${token}`
}
