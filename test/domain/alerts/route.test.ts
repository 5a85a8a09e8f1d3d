// Which channels get an alert, when, and why others do not.
import t from 'tap'
import type { Channel } from '../../../src/domain/alerts/channel.ts'
import {
  type ChannelRoute,
  chosenChannels,
  pathOf,
  type RoutedNews,
  routeTo,
} from '../../../src/domain/alerts/route.ts'
import { channelNo, makeChannel } from '../../support/make-channel.ts'
import { makeMonitor } from '../../support/make-page.ts'

const noonMs = Date.UTC(2026, 0, 10, 12)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const opening: RoutedNews = { event: 'incident.opened', severity: 'down' }
const night = { timezone: 'UTC', from: '22:00', to: '07:00' }

const route = (channel: Partial<Channel>, news: Partial<RoutedNews> = {}, nowMs = noonMs) =>
  routeTo(makeChannel(channel), { ...opening, ...news }, nowMs)
const none = (because: string) => ({ kind: 'none', because })

t.test('a channel that wants it gets it now', async (t) => {
  t.same(route({}), { kind: 'now' })
  t.same(route({ quietHours: night }), { kind: 'now' }, 'outside its quiet hours')
})

t.test('a channel that does not want it says why', async (t) => {
  t.same(route({ isActive: false }), none('switched_off'))
  const gone = { isActive: false, disabledReason: 'The receiver is gone for good (410).' }
  t.same(route(gone), none('switched_off_by_service'))
  t.same(route({ events: ['incident.resolved'] }), none('event'))
  t.same(route({ minSeverity: 'down' }, { severity: 'degraded' }), none('severity'))
  t.same(route({ minSeverity: 'down' }, { severity: 'down' }), { kind: 'now' })
  const certificate = { event: 'certificate.expiring', severity: 'certificate' } as const
  t.same(route({ minSeverity: 'down' }, certificate), none('severity'))
  const end = { event: 'incident.resolved', severity: 'degraded' } as const
  t.same(route({ minSeverity: 'down' }, end), { kind: 'now' }, 'it knows of the beginning')
  const reminder = { event: 'incident.reminder' } as const
  t.same(route({}, { ...reminder, sparedBy: 'acknowledged' }), none('acknowledged'))
  t.same(route({}, { ...reminder, sparedBy: 'flapping' }), none('flapping'))
  const blocked = { sparedBy: 'dependency', blockerName: 'Router' } as const
  t.same(route({}, blocked), { ...none('dependency'), blockerName: 'Router' })
  t.same(route({ events: ['incident.resolved'] }, blocked), none('event'))
})

t.test('of a delay and quiet hours, the later one counts', async (t) => {
  const quiet = { delayMinutes: 30, quietHours: night }
  const at = (hours: number, minutes = 0) => noonMs + hours * hourMs + minutes * minuteMs
  t.same(route({ delayMinutes: 30 }), { kind: 'later', atMs: at(0, 30), because: 'delay' })
  const held = { kind: 'later', atMs: at(19), because: 'quiet_hours' }
  t.same(route(quiet, {}, at(9, 40)), held, 'the delay ends in quiet hours')
  t.same(route(quiet, {}, at(11)), held)
  const late = { kind: 'later', atMs: at(19, 10), because: 'delay' }
  t.same(route(quiet, {}, at(18, 40)), late, 'the delay ends after quiet hours')
})

t.test(
  'quiet hours hold everything but outages that may pass, and reminders are left out',
  async (t) => {
    const nightMs = noonMs + 12 * hourMs
    const held = { kind: 'later', atMs: noonMs + 19 * hourMs, because: 'quiet_hours' }
    t.same(route({ quietHours: night }, {}, nightMs), held)
    const quietHours = { ...night, allowDown: true }
    t.same(route({ quietHours }, {}, nightMs), { kind: 'now' })
    t.same(route({ quietHours }, { event: 'incident.resolved' }, nightMs), { kind: 'now' })
    t.same(route({ quietHours }, { severity: 'degraded' }, nightMs), held)
    const certificate = { event: 'certificate.expiring', severity: 'certificate' } as const
    t.same(route({ quietHours }, certificate, nightMs), held)
    const reminder = { event: 'incident.reminder' } as const
    t.same(route({ quietHours: night }, reminder, nightMs), none('quiet_hours'))
    t.same(route({ quietHours }, reminder, nightMs), { kind: 'now' })
  },
)

t.test('monitors alert the channels that they name, else the default ones', async (t) => {
  const named = makeChannel({ id: channelNo(2), isDefault: false })
  const usual = makeChannel()
  t.same(
    chosenChannels([makeMonitor()], [named], () => [usual]),
    [named],
  )
  t.same(
    chosenChannels([makeMonitor()], [], () => [usual]),
    [usual],
  )
})

t.test('a channel with tags takes only monitors with one of them', async (t) => {
  const shop = makeMonitor({ tags: ['shop', 'eu'] })
  const blog = makeMonitor({ tags: ['blog'] })
  const ofShop = makeChannel({ id: channelNo(2), tags: ['shop', 'payment'] })
  const usual = makeChannel()
  const defaults = () => [usual, ofShop]
  t.same(chosenChannels([shop], [], defaults), [usual, ofShop])
  t.same(chosenChannels([blog], [], defaults), [usual])
  t.same(
    chosenChannels([blog, shop], [], defaults),
    [usual, ofShop],
    'one of its monitors is enough',
  )
  t.same(chosenChannels([blog], [ofShop], defaults), [usual], 'better than silence')
  t.same(chosenChannels([], [], defaults), [usual])
})

function pathFor(monitor: Parameters<typeof makeMonitor>[0], channels: Partial<Channel>[]) {
  const request = {
    channels: channels.map((channel, index) =>
      makeChannel({ id: channelNo(index + 1), ...channel }),
    ),
    monitors: [makeMonitor(monitor)],
    news: opening,
    isOrgOff: false,
  }
  const words = ({ route }: ChannelRoute) => (route.kind === 'none' ? route.because : route.kind)
  return {
    path: pathOf(request, noonMs).map(words),
    whenOff: pathOf({ ...request, isOrgOff: true }, noonMs).map(words),
  }
}

t.test('the path names every channel of the organization, with the reason', async (t) => {
  const channels = [
    {},
    { isDefault: false },
    { tags: ['shop'] },
    { isActive: false },
    { delayMinutes: 5 },
  ]
  const { path, whenOff } = pathFor({}, channels)
  t.same(path, ['now', 'not_default', 'tags', 'switched_off', 'later'])
  t.same(whenOff, Array(5).fill('organization_off'))
})

t.test('a monitor that alerts nobody has no channel, named or default', async (t) => {
  const silent = makeMonitor({ alertsNobody: true, notifyChannelIds: [channelNo(1)] })
  const [named, usual] = [makeChannel({ id: channelNo(1) }), makeChannel({ id: channelNo(2) })]
  t.same(
    chosenChannels([silent], [named], () => [usual]),
    [],
  )
  t.same(
    chosenChannels([silent, makeMonitor()], [], () => [usual]),
    [usual],
    'another one of the incident alerts',
  )
  const { path } = pathFor({ alertsNobody: true, notifyChannelIds: [channelNo(1)] }, [{}, {}])
  t.same(path, ['alerts_nobody', 'alerts_nobody'])
})

t.test('the path of a monitor that names channels', async (t) => {
  const channels = [{}, { isDefault: false }, { isDefault: false, tags: ['shop'] }]
  const all = [channelNo(2), channelNo(3)]
  t.same(pathFor({ notifyChannelIds: all }, channels).path, ['other_channels_named', 'now', 'tags'])
  t.same(
    pathFor({ notifyChannelIds: [channelNo(3)] }, channels).path,
    ['now', 'not_default', 'tags'],
    'the only named one takes other tags: the default ones take its place',
  )
})
