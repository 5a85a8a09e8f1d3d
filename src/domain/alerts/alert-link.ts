// The address of an alert: the page of an incident for the people whom one channel told of it.
import { asId, type ChannelId, type IncidentId, type OrgId } from '../../base/ids.ts'
import { consolePath } from '../sign-in/redirect.ts'

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

/** The console's list of incidents, for a person who may be in several organizations. */
export function incidentsUrl(baseUrl: string, orgId: OrgId): string {
  return `${baseUrl}${consolePath}/incidents?org=${orgId}`
}

const actorMark = 'channel:'

/** The name, in the timeline, of a person who acted by a link that a channel was sent. */
export function channelActor(channelId: ChannelId): string {
  return actorMark + channelId
}

/** The channel of such a name; undefined if it is another's. */
export function actingChannelId(by: string): ChannelId | undefined {
  return by.startsWith(actorMark) ? asId('channel', by.slice(actorMark.length)) : undefined
}
