// The API of what a member should know since the last look.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { type Activity, activityKinds } from '../../../services/orgs/activity.ts'
import { withTimes } from '../../output/times.ts'
import { get, post, resource } from '../../routing/route.ts'

const ItemOut = s.object({
  kind: s.oneOf(activityKinds),
  objectId: s.nullable(
    s.anyText,
    'The id of the incident, monitor, channel, location or invitation; null for backups',
  ),
  title: s.described(
    s.anyText,
    'Its title, name or address; +2 behind the name of a monitor: two more have the same ' +
      'certificate or domain. Of backups: why the newest attempt failed.',
  ),
  at: s.isoTime,
  endsAt: s.nullable(s.isoTime, 'When the certificate or the domain ends'),
})
const ActivityOut = s.object({
  items: s.described(s.listOf(ItemOut, limits.activityItemsMax), 'Newest first.'),
  unread: s.described(s.anyNumber, 'How many of them came since the last look.'),
  seenAt: s.described(s.isoTime, 'The last look; before the first one, when the person joined.'),
})

const itemTimes = withTimes('at', 'endsAt')
const activityToWire = ({ items, unread, seenAtMs }: Activity) => ({
  items: items.map((item) => itemTimes({ endsAtMs: null, ...item })),
  unread,
  seenAt: s.toIso(seenAtMs),
})

const member = { role: 'viewer', sessionOnly: true } as const

export const activity = resource('/orgs/:orgId/activity', {
  about: 'What happened in an organization, and what of it the person has not seen yet.',
  get: get('/', {
    who: member,
    summary: 'What happened and what ends soon, newest first',
    description:
      'Incidents, failing channels, channels for which messages were given up, and certificates and ' +
      'domains that reached a number of days at which their monitors warn. For administrators: open ' +
      'invitations. For system administrators: backups that failed, or were not copied to the bucket.',
    out: ActivityOut,
  }).handledBy(async ({ scope }, { activity }) => activityToWire(await activity.look(scope))),
  see: post('/seen', {
    who: member,
    summary: 'Count all of it as seen',
    message: 'Seen',
  }).handledBy(({ scope }, { activity }) => activity.see(scope)),
})
