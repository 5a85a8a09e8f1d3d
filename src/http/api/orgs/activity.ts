// The API of what a member should know since the last look.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { type Activity, activityKinds } from '../../../services/orgs/activity.ts'
import { withTimes } from '../../output/times.ts'
import { get, post, resource } from '../../routing/route.ts'

const ItemOut = s.object({
  kind: s.oneOf(activityKinds),
  objectId: s.described(s.anyText, 'Of the incident, the channel or the invitation.'),
  title: s.anyText,
  at: s.isoTime,
})
const ActivityOut = s.object({
  items: s.described(s.listOf(ItemOut, limits.activityItemsMax), 'Newest first.'),
  unread: s.described(s.anyNumber, 'How many of them came since the last look.'),
  seenAt: s.described(s.isoTime, 'The last look; before the first one, when the person joined.'),
})

const itemTimes = withTimes('at')
const activityToWire = ({ items, unread, seenAtMs }: Activity) => ({
  items: items.map(itemTimes),
  unread,
  seenAt: s.toIso(seenAtMs),
})

const member = { role: 'viewer', sessionOnly: true } as const

export const activity = resource('/orgs/:orgId/activity', {
  about: 'What happened in an organization, and what of it the person has not seen yet.',
  get: get('/', {
    who: member,
    summary: 'Incidents, failing channels and, for administrators, open invitations, newest first',
    out: ActivityOut,
  }).handledBy(({ scope }, { activity }) => activityToWire(activity.look(scope))),
  see: post('/seen', {
    who: member,
    summary: 'Count all of it as seen',
    message: 'Seen',
  }).handledBy(async ({ scope }, { activity }) => {
    await activity.see(scope)
  }),
})
