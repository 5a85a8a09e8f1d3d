// The API of alert channels: channels, tests, and the record of deliveries.

import Type, { type TObject, type TSchema } from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { countText } from '../../../base/sizes.ts'
import type { Config } from '../../../channels/model/config.ts'
import type { ChannelDefinition } from '../../../channels/model/definition.ts'
import { channelDefinitions, channelTypes } from '../../../channels/registry.ts'
import { reaches } from '../../../domain/access.ts'
import { attemptClasses } from '../../../domain/alerts/attempt.ts'
import { type Channel, channelEvents, minSeverities } from '../../../domain/alerts/channel.ts'
import { channelStates } from '../../../domain/alerts/channel-health.ts'
import {
  deliveryEvents,
  deliveryStates,
  deliveryWaits,
  dwellMs,
} from '../../../domain/alerts/delivery.ts'
import { weekdays } from '../../../domain/alerts/quiet-hours.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { ShownChannel } from '../../../services/alerts/channels.ts'
import type { DeliveryView, ShownAttempt } from '../../../services/alerts/delivery-records.ts'
import type { OrgScope } from '../../../services/context.ts'
import { timeIn } from '../../input/times.ts'
import { exampleChannel, exampleChannelDraft } from '../../openapi/examples.ts'
import { withTimes } from '../../output/times.ts'
import { component, componentRef } from '../../routing/documented.ts'
import { answer, del, get, list, patch, post, resource, wirePage } from '../../routing/route.ts'
import { tag } from '../monitors/monitor-input-schemas.ts'

const anyFields = s.asType<Config>(Type.Record(Type.String(), Type.Unknown()))

const eventWords = [
  'The events that this channel receives; absent: all. `incident.…`: incidents of the monitors ' +
    'that name this channel and, for a default channel, of those that name none. The JSON payload ' +
    'has `type` (the event), `timestamp` and `data` (`orgId`, `incident`, `monitors`).',
  '`incident.digest`: takes the place of `incident.opened`, or of `incident.resolved`, when many of ' +
    'them come within a minute; a channel without it gets each by itself. `data` is `{orgId, event, ' +
    'incidents, incidentsTotal, incidentIds}`: `event` says what happened to all of them, ' +
    '`incidents` describes the first 100, `incidentIds` names every one. A digest never changes: ' +
    'what happens to an incident afterwards is a new message.',
  "`certificate.expiring`: a certificate has reached one of the monitor's `certificateWarnDays`. " +
    'There is no incident, and monitors that use the same certificate share the message: `data` is ' +
    '`{orgId, monitor: {id, name, url, runbookUrl}, monitors, monitorsTotal, certificate: {expiresAt, ' +
    'issuer, daysLeft}, thresholdDays}`. `monitors` names at most ten of them, `monitor` the first.',
  "`domain.expiring`: the registration of a domain has reached one of the monitor's " +
    '`domainWarnDays`. There is no incident; `data` is `{orgId, monitor, domain: {name, expiresAt, ' +
    'registrar, daysLeft}, thresholdDays}`.',
  '`slo.at_risk`: the error budget of a monitor with `sloPercent` will not last until the end of the ' +
    'month at the present rate; `slo.exhausted`: it is used up. Each at most once a month. There is ' +
    'no incident; `data` is `{orgId, monitor, slo: {month, objectivePercent, budgetSeconds, ' +
    'usedSeconds, exhaustedAt}}`.',
]

const clockTime = (description: string, example: string) =>
  s.text({
    charsMax: 5,
    pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
    rule: 'must be a time such as 22:00',
    description,
    example,
  })
const QuietHoursFields = s.object({
  timezone: s.text({
    charsMin: 1,
    charsMax: limits.timezoneCharsMax,
    description: 'A time zone of the IANA database. Its summer time counts.',
    example: 'Europe/Berlin',
  }),
  from: clockTime('When they start, on the clocks of the time zone.', '22:00'),
  to: clockTime(
    'When they end; on the next day, if it is not after `from`. The same time as `from`: a whole ' +
      'day, which needs `days`.',
    '07:00',
  ),
  days: s.optional(
    { ...s.listOf(s.oneOf(weekdays), weekdays.length), uniqueItems: true, minItems: 1 },
    'The days on which they start. Absent: every day.',
  ),
  allowDown: s.optional(
    s.flag,
    'True: outages (`down`, `declared`) are sent at once all the same, with everything that ' +
      'follows on them. Absent: false.',
  ),
})

const channelFields = {
  name: s.text({
    charsMin: 1,
    charsMax: limits.nameCharsMax,
    description: 'The name in lists and in explanations.',
  }),
  type: s.described(s.oneOf(channelTypes), 'What it sends to. It cannot be changed later.'),
  config: s.asType<Config>({
    description: 'An object: what the type needs to reach its receiver. See each type below.',
  }),
  isActive: s.preset(s.flag, true, 'False: the channel is sent nothing, tests aside.'),
  isDefault: s.optional(
    s.flag,
    'True: gets the alerts of all monitors that name no channel in `notifyChannelIds`. Absent: the ' +
      'channel becomes a default channel by itself, now or when a test arrives, while no other ' +
      'default channel can work; never while it cannot work itself, such as after a failed test.',
  ),
  events: s.optional(
    s.listOf(s.oneOf(channelEvents), channelEvents.length),
    eventWords.join('\n\n'),
  ),
  minSeverity: s.preset(
    s.oneOf(minSeverities),
    'degraded',
    '`down`: no notices about certificates and domains, and no incidents that are merely degraded.',
  ),
  delayMinutes: s.preset(
    s.integer(0, limits.channelDelayMinutesMax),
    0,
    'How long this channel waits with an opening: it is sent only if the incident is then still open ' +
      'and not acknowledged. If quiet hours are on at that time, their end counts instead.',
  ),
  tags: s.optional(
    s.usually(
      s.described(
        s.listOf(tag, limits.tagsMax),
        'Takes only alerts of monitors with at least one of these tags, also of monitors that name ' +
          'the channel. Empty: of all monitors.',
      ),
      [],
    ),
  ),
  quietHours: s.optionalOrNull(
    QuietHoursFields,
    'When nothing is sent, tests aside. What happens meanwhile is held until the end, and then ' +
      'summed up: an outage that came and went is told as over, and several openings, or ' +
      'recoveries, become one digest, if the channel takes digests. Reminders are left out. A ' +
      'change replaces all of it, and applies to what is held. Null or absent: none.',
  ),
}

/** How a person gets what a config needs. */
function whereToGet({ steps, guide }: ChannelDefinition): string {
  const page = guide === undefined ? [] : [`Where to get what the config needs: <${guide}>.`]
  return [...(steps === undefined ? [] : [steps]), ...page].join('\n\n')
}

/** The schema with the secrets named, for programs that make forms: they must not keep secrets. */
function withSecretsNamed({ config, secrets }: ChannelDefinition): TSchema {
  const fields = Object.entries<TSchema>(config.properties).map(([name, schema]) => {
    const isSecret = (secrets as readonly string[]).includes(name)
    return [name, isSecret ? { ...schema, 'x-secret': true } : schema]
  })
  return { ...config, properties: Object.fromEntries(fields) }
}

/** What each type adds to a channel, by title. */
const typeBranches = channelDefinitions
  .toSorted((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1))
  .map((definition) => {
    const { type, title, example } = definition
    const config = withSecretsNamed(definition)
    const name = `${type.replace(/(^|-)([a-z0-9])/g, (_, __, first) => first.toUpperCase())}Channel`
    const branch = component(name, {
      title,
      description: whereToGet(definition),
      type: 'object',
      required: ['type'],
      properties: { type: { const: type }, config },
      examples: [{ name: title, type, config: example }],
    })
    return { type, ref: componentRef(name), branch }
  })

/** The schema of a channel, with the config of its type. */
function byChannelType<Schema extends TObject>(schema: Schema): Schema {
  const mapping = Object.fromEntries(typeBranches.map(({ type, ref }) => [type, ref]))
  const oneOf = typeBranches.map(({ branch }) => branch)
  return { ...schema, oneOf, discriminator: { propertyName: 'type', mapping } }
}

const ChannelIn = byChannelType(s.object(channelFields))
/** What a test of a channel that is not stored needs. */
const DraftIn = byChannelType(
  s.object({ name: channelFields.name, type: channelFields.type, config: channelFields.config }),
)
/** A channel in an exported document, and in one that is imported. */
export const channelItem = {
  out: s.object({ id: s.idOf('channel'), ...channelFields, config: anyFields }),
  in: s.object({
    id: s.optional(s.idInDocument('channel')),
    ...channelFields,
    config: s.described(
      anyFields,
      'An object: what the type needs to reach its receiver, as for a channel that is created. ' +
        'Secrets that `secretsOmitted` names may be missing.',
    ),
  }),
}
// A patch of a config may contain nulls and omit required fields.
const ChannelPatch = s.patchOf(
  s.object({
    ...channelFields,
    config: s.described(anyFields, 'Omitted fields stay. Send the mask to keep a secret.'),
  }),
)

/** Settings of the service that one type of channel may need. */
const missingSettingsMax = 5

const missingSettings = s.described(
  s.listOf(s.anyText, missingSettingsMax),
  'The settings of the service that this type needs and that are not set: nothing can be sent ' +
    'without them.',
)

const TestIn = s.patchOf(
  s.object({
    name: channelFields.name,
    config: s.described(
      anyFields,
      'Changes of the config that are tested and not stored, as in a PATCH. A stored secret is not ' +
        'sent to another server.',
    ),
  }),
)

export const HealthOut = s.described(
  s.object({
    state: s.described(
      s.oneOf(channelStates),
      '`untested`: nothing was sent with this config; `test_failed`: the newest test did not arrive, ' +
        'see `lastError`; `ok`: an alert or a test arrived with this config; `failing`: the last three ' +
        'attempts failed, a message was given up, or nothing has ever arrived and an attempt failed; ' +
        '`disabled`: the service switched the channel off, see `disabledReason`.',
    ),
    since: s.nullable(
      s.isoTime,
      'When the failures began, the test failed, or the channel worked again; null if it is untested, ' +
        'or never failed.',
    ),
    consecutiveFailures: s.described(
      Type.Integer(),
      'Failed attempts since the last delivery. From 5 on, one message at a time tries the channel.',
    ),
    lastError: s.nullable(
      Type.String(),
      'Why the newest attempt or test failed; null if that is over.',
    ),
    lastDeliveredAt: s.nullable(s.isoTime, 'When the last alert or test arrived.'),
    nextAttemptAt: s.nullable(
      s.isoTime,
      'When the next message that waits is tried; null if none waits, or the channel is off.',
    ),
    missingSettings,
    oldestPendingAt: s.nullable(s.isoTime, 'When the oldest message that waits was made.'),
    pending: s.described(
      Type.Integer(),
      `How many messages wait; counted up to ${countText(limits.pendingCountedMax)}.`,
    ),
  }),
  'Whether messages arrive. It follows from the attempts and tests, so that it changes no ETag.',
)

const channelRecord = {
  id: s.idOf('channel'),
  orgId: s.idOf('org'),
  name: Type.String(),
  type: s.oneOf(channelTypes),
  config: anyFields,
  isActive: s.flag,
  isDefault: s.flag,
  events: Type.Array(s.oneOf(channelEvents)),
  minSeverity: s.oneOf(minSeverities),
  delayMinutes: Type.Integer(),
  tags: s.listOf(s.anyText, limits.tagsMax),
  quietHours: s.nullable(QuietHoursFields),
  disabledReason: s.nullable(
    Type.String(),
    'Why the service switched the channel off; null if it did not.',
  ),
  missingSecrets: s.described(
    s.listOf(Type.String(), limits.secretsOmittedOfItem),
    'The secrets that an import did not have, as JSON pointers into `config`: the channel is ' +
      'switched off. Set them, then set `isActive`. Mostly empty.',
  ),
  createdAt: s.isoTime,
  updatedAt: s.isoTime,
}
const ChannelOut = s.revised({ ...channelRecord, health: HealthOut })

const usedByMonitors = s.described(
  Type.Integer(),
  'How many monitors named the channel; it was removed from all of them.',
)
const RemovedChannelOut = Type.Union([
  s.revised({ ...channelRecord, usedByMonitors }),
  s.described(
    s.object({ id: s.idOf('channel'), orgId: s.idOf('org'), usedByMonitors }),
    'Of a channel whose stored record was damaged.',
  ),
])

const deliveryFields = {
  id: s.idOf('delivery'),
  channelId: s.idOf('channel'),
  incidentId: s.nullable(
    s.idOf('incident'),
    'Null if the delivery is about no incident, or about several.',
  ),
  event: s.oneOf(deliveryEvents),
  webhookId: Type.String({ description: 'The same for every attempt' }),
  state: s.described(s.oneOf(deliveryStates), '`dead`: given up, because it failed too often.'),
  attempts: s.described(Type.Integer(), 'How often it was sent so far.'),
  nextAttemptAt: s.nullable(s.isoTime, 'When it is sent next; null once it is finished.'),
  heldUntil: s.nullable(
    s.isoTime,
    'When the quiet hours end that hold it, if it is then still to be sent; null if none hold it.',
  ),
  lastAttemptAt: s.nullable(s.isoTime),
  lastStatus: s.nullable(
    Type.Integer(),
    'The HTTP status of the newest answer; null if there was none.',
  ),
  lastError: s.nullable(Type.String(), 'Why the newest attempt failed.'),
  deliveredAt: s.nullable(s.isoTime),
  mergedIntoId: s.nullable(
    s.idOf('delivery'),
    'The delivery that carries this news as well, such as a digest: it was not sent by itself.',
  ),
  waitsFor: s.nullable(
    s.oneOf(deliveryWaits),
    'What a pending delivery waits for: the time when the channel wants it, the next attempt, or its ' +
      'turn behind earlier messages.',
  ),
  dwellMs: s.nullable(
    Type.Integer(),
    'The time from the event until the message arrived; null if it has not.',
  ),
  createdAt: s.isoTime,
}
const DeliveryOut = s.object(deliveryFields)

const AttemptOut = s.object({
  at: s.isoTime,
  durationMs: Type.Integer(),
  class: s.described(
    s.oneOf(attemptClasses),
    '`refused`: the platform rejects this message for good; `not_allowed`: the policy of this service ' +
      'forbids the target; `disabled`: the receiver is gone for good; `not_sent`: something is ' +
      'missing at our side.',
  ),
  status: s.nullable(Type.Integer(), 'The HTTP status of the answer.'),
  reason: s.nullable(Type.String(), 'Why it failed.'),
  request: s.nullable(
    Type.String(),
    'What was sent where, without path: `POST hooks.example.com`.',
  ),
  response: s.nullable(
    Type.String(),
    'The beginning of the answer, at most 1 KB; null for those who are not admins.',
  ),
})

const DeliveryDetailOut = s.object({
  ...deliveryFields,
  attemptLog: s.described(
    Type.Array(AttemptOut),
    `The attempts, oldest first: the first ${limits.attemptsKeptFirst} and the last ` +
      `${limits.attemptsKeptLast}. Earlier versions kept none.`,
  ),
})

const RedeliverIn = s.object({
  state: s.described(s.oneOf(['dead']), 'Which deliveries are sent again.', 'dead'),
  since: s.optional(
    s.described(
      timeIn,
      'Only those made at this time or later; absent: all.',
      '2026-01-01T00:00:00.000Z',
    ),
  ),
})
const RedeliverOut = s.object({
  redelivered: s.described(Type.Integer(), 'How many are being sent again, the oldest first.'),
  hasMore: s.described(s.flag, 'There are more: repeat the request.'),
})

export const TestOut = s.object({
  delivered: s.flag,
  status: s.nullable(Type.Integer()),
  response: s.nullable(Type.String()),
  error: s.nullable(Type.String()),
  durationMs: Type.Integer(),
})

const ChannelTypeOut = s.object({
  type: s.oneOf(channelTypes),
  title: s.described(s.anyText, 'The name for people.'),
  isSetUp: s.described(s.flag, 'False: the service lacks settings that this type needs.'),
  missingSettings,
})

const TroublesOut = s.object({
  channels: s.described(
    s.listOf(
      s.object({
        id: s.idOf('channel'),
        name: s.anyText,
        type: s.oneOf(channelTypes),
        health: HealthOut,
      }),
      limits.troubledChannelsMax,
    ),
    'Those for which most messages wait come first.',
  ),
  channelsTotal: s.described(Type.Integer(), 'How many there are, also those left out.'),
  pending: s.described(Type.Integer(), 'How many messages wait for all of them.'),
})

const recordTimes = withTimes('createdAt', 'updatedAt')
const times = <Record extends Channel>(channel: Record) => ({
  ...recordTimes(channel),
  missingSecrets: channel.missingSecrets ?? [],
})
export const healthTimes = withTimes('since', 'lastDeliveredAt', 'nextAttemptAt', 'oldestPendingAt')
const deliveryTimes = withTimes('deliveredAt', 'createdAt')
const attemptTimes = withTimes('at')

const toWire = ({ health, ...channel }: ShownChannel) => ({
  ...times(channel),
  health: healthTimes(health),
})

/** The whole address of a webhook is often enough to send to it: only admins see its path. */
const toWireFor = (channel: ShownChannel, { role }: OrgScope) => {
  const { config } = channel
  if (reaches(role, 'admin') || typeof config.url !== 'string') return toWire(channel)
  const origin = URL.parse(config.url)?.origin ?? ''
  return toWire({ ...channel, config: { ...config, url: `${origin}/…` } })
}

/** The answer of a platform may quote what only admins may see. */
const attemptToWire = (attempt: ShownAttempt, { role }: OrgScope) => ({
  ...attemptTimes(attempt),
  response: reaches(role, 'admin') ? attempt.response : null,
})

const deliveryToWire = (delivery: DeliveryView) => ({
  ...deliveryTimes(delivery),
  dwellMs: dwellMs(delivery),
  nextAttemptAt:
    delivery.state === 'pending' ? s.toIso(delivery.heldUntilMs ?? delivery.dueAtMs) : null,
  heldUntil: s.toIsoOrNull(delivery.heldUntilMs),
  lastAttemptAt: s.toIsoOrNull(delivery.lastAtMs),
})

export const alertChannels = resource('/orgs/:orgId/alert-channels', {
  about:
    'Where alerts go: chats, phones, on-call platforms, letters and webhooks. A channel can be tested, ' +
    'and its deliveries read and repeated.',
  create: post('/', {
    who: { role: 'admin' },
    summary: 'Create an alert channel; a generated secret is shown once',
    example: exampleChannel,
    body: ChannelIn,
    out: ChannelOut,
    message: 'Alert channel created',
  }).createdBy(({ scope, body }, { channels }) => channels.create(scope, body), toWire),
  list: list('/', {
    who: { role: 'viewer' },
    summary: 'Alert channels, newest first',
    out: ChannelOut,
  }).handledBy(({ scope, page }, { channels }) =>
    wirePage(channels.list(scope, page), (one) => toWireFor(one, scope)),
  ),
  get: get('/:channelId', {
    who: { role: 'viewer' },
    summary: 'One alert channel, secrets masked',
    description: 'Only admins see more of a `url` in `config` than its host.',
    out: ChannelOut,
  }).handledBy(({ scope, params }, { channels }) =>
    toWireFor(channels.get(scope, params.channelId), scope),
  ),
  change: patch('/:channelId', {
    who: { role: 'admin' },
    summary: 'Change an alert channel; the mask keeps a secret, null generates a new one',
    example: { isActive: false },
    body: ChannelPatch,
    out: ChannelOut,
    message: 'Alert channel updated',
  }).handledBy(async ({ scope, params, body, expectedRevision }, { channels }) =>
    toWire(await channels.change(scope, params.channelId, body, expectedRevision)),
  ),
  remove: del('/:channelId', {
    who: { role: 'admin' },
    summary: 'Delete an alert channel and its undelivered messages',
    description:
      'The channel is removed from the monitors that name it. A monitor that then names none alerts ' +
      'the default channels.',
    out: RemovedChannelOut,
    message: 'Alert channel deleted',
  }).handledBy(async ({ scope, params, expectedRevision }, { channels }) => {
    const removed = await channels.remove(scope, params.channelId, expectedRevision)
    return 'name' in removed ? times(removed) : removed
  }),
  types: get('/types', {
    who: { role: 'viewer' },
    summary: 'The types of channels, and whether the service can send to each',
    out: s.listOf(ChannelTypeOut, channelTypes.length),
  }).handledBy((_, { channels }) => channels.types()),
  troubles: get('/troubles', {
    who: { role: 'viewer' },
    summary: 'The channels that alerts do not reach, and how many wait',
    description:
      'Channels that fail, whose test failed, that the service switched off, or for which it lacks ' +
      'settings; without those that people switched off.',
    out: TroublesOut,
  }).handledBy(({ scope }, { channels }) => {
    const { channels: troubled, ...totals } = channels.troubled(scope)
    return { ...totals, channels: troubled.map(toWire) }
  }),
  testDraft: post('/test', {
    who: { role: 'admin' },
    summary: 'Send a test message to a channel that is not stored',
    description:
      'Nothing is stored. A channel that is created with the same config within 15 minutes has the ' +
      'result of the test. `message` says what happened.',
    example: exampleChannelDraft,
    body: DraftIn,
    out: TestOut,
  }).handledBy(async ({ scope, body, signal }, { channels }) => {
    const result = await channels.testDraft(scope, body, signal)
    return answer(result, { message: result.message })
  }),
  test: post('/:channelId/test', {
    who: { role: 'admin' },
    summary: "Send a test message now and report the receiver's answer",
    description:
      '`message` says what happened. A `bodyTemplate` is filled in with a sample incident. The test ' +
      'is kept among the deliveries, except one of a `config` that is not stored.',
    example: { config: exampleChannelDraft.config },
    body: TestIn,
    out: TestOut,
  }).handledBy(async ({ scope, params, body, signal }, { channels }) => {
    const result = await channels.test(scope, params.channelId, body, signal)
    return answer(result, { message: result.message })
  }),
  deliveries: list('/:channelId/deliveries', {
    who: { role: 'viewer' },
    summary: 'Deliveries, sent and pending, newest first',
    query: s.object({
      state: s.optional(s.oneOf(deliveryStates), 'Only deliveries in this state.'),
    }),
    out: DeliveryOut,
  }).handledBy(({ scope, params, page, query }, { channels }) =>
    wirePage(
      channels.deliveries(scope, params.channelId, { ...page, state: query.state }),
      deliveryToWire,
    ),
  ),
  delivery: get('/:channelId/deliveries/:deliveryId', {
    who: { role: 'viewer' },
    summary: 'One delivery with its attempts',
    out: DeliveryDetailOut,
  }).handledBy(({ scope, params }, { channels }) => {
    const delivery = channels.delivery(scope, params.channelId, params.deliveryId)
    return {
      ...deliveryToWire(delivery),
      attemptLog: delivery.attemptLog.map((attempt) => attemptToWire(attempt, scope)),
    }
  }),
  redeliverAll: post('/:channelId/redeliver', {
    who: { role: 'admin' },
    summary: 'Send all dead deliveries of a channel once more, each with the same id',
    description:
      `The oldest first, at most ${countText(limits.redeliveredTogetherMax)} at once. An ` +
      'outage that is over by now is told as one message with its end.',
    example: { state: 'dead', since: '2026-01-01T00:00:00.000Z' },
    body: RedeliverIn,
    out: RedeliverOut,
  }).handledBy(async ({ scope, params, body }, { channels }) => {
    const sinceMs = body.since === undefined ? undefined : Date.parse(body.since)
    const result = await channels.redeliverDead(scope, params.channelId, sinceMs)
    const message =
      result.redelivered === 0
        ? 'There was no dead delivery to send again'
        : 'The dead deliveries are being sent again'
    return answer(result, { message })
  }),
  redeliver: post('/:channelId/deliveries/:deliveryId/redeliver', {
    who: { role: 'admin' },
    summary: 'Send a finished delivery once more, with the same id',
    out: DeliveryOut,
    message: 'The delivery is being sent again',
  }).handledBy(async ({ scope, params }, { channels }) =>
    deliveryToWire(await channels.redeliver(scope, params.channelId, params.deliveryId)),
  ),
})

export const alertDeliveries = resource('/orgs/:orgId/alert-deliveries', {
  about: 'The messages to all alert channels: what arrived, what waits, and what was given up.',
  list: list('/', {
    who: { role: 'viewer' },
    summary: 'Deliveries of all alert channels, newest first',
    query: s.object({
      state: s.optional(s.oneOf(deliveryStates), 'Only deliveries in this state.'),
      channelId: s.optional(s.idOf('channel'), 'Only those of this channel.'),
      incidentId: s.optional(s.idOf('incident'), 'Only those about this incident.'),
    }),
    out: DeliveryOut,
  }).handledBy(({ scope, page, query }, { channels }) =>
    wirePage(channels.orgDeliveries(scope, { ...page, ...query }), deliveryToWire),
  ),
})
