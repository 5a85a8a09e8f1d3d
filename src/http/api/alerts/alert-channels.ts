// The API of alert channels: channels, tests, and the record of deliveries.
import Type, { type TObject } from 'typebox'
import {
  described,
  flag,
  idOf,
  integer,
  isoTime,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  patchOf,
  preset,
  text,
  toIso,
  toIsoOrNull,
} from '../../../base/schema/schema.ts'
import type { Config } from '../../../channels/model/config.ts'
import { channelDefinitions, channelTypes } from '../../../channels/registry.ts'
import { type Channel, channelEvents, minSeverities } from '../../../domain/alerts/channel.ts'
import { type Delivery, deliveryEvents, deliveryStates } from '../../../domain/alerts/delivery.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { del, get, list, patch, post, resource, wirePage } from '../../routing/route.ts'

const anyFields = Type.Unsafe<Config>(Type.Record(Type.String(), Type.Unknown()))

const eventWords = [
  'The events that this channel receives; absent: all. `incident.…`: incidents of the monitors ' +
    'that name this channel and, for a default channel, of those that name none. The JSON payload ' +
    'has `type` (the event), `timestamp` and `data` (`orgId`, `incident`, `monitors`).',
  "`certificate.expiring`: a certificate has reached one of the monitor's `certificateWarnDays`. " +
    'There is no incident; `data` is `{orgId, monitor: {id, name, url}, certificate: {expiresAt, ' +
    'issuer, daysLeft}, thresholdDays, url}`, where the last `url` is the address of the monitor.',
]

const channelFields = {
  name: text({ charsMin: 1, charsMax: limits.nameCharsMax }),
  type: oneOf(channelTypes),
  config: Type.Unsafe<Config>({ description: 'What the type needs to reach its receiver.' }),
  isActive: preset(flag, true),
  isDefault: optional(flag),
  events: optional(
    described(listOf(oneOf(channelEvents), channelEvents.length), eventWords.join('\n\n')),
  ),
  minSeverity: preset(
    described(
      oneOf(minSeverities),
      '`down`: no notices about certificates, and no incidents that are merely degraded.',
    ),
    'degraded',
  ),
  delayMinutes: preset(
    described(
      integer(0, limits.delayMinutesMax),
      'An opening is sent only if the incident is then still open and not acknowledged.',
    ),
    0,
  ),
}

/** The schema of a channel, with the config of its type. */
function byChannelType<Schema extends TObject>(schema: Schema): Schema {
  const oneOf = channelDefinitions.map(({ type, title, config }) => ({
    title,
    type: 'object',
    properties: { type: { const: type }, config },
  }))
  return { ...schema, oneOf }
}

const ChannelIn = byChannelType(object(channelFields))
/** A channel in an exported document, and in one that is imported. */
export const channelItem = {
  out: object({ id: idOf('channel'), ...channelFields, config: anyFields }),
  in: byChannelType(object({ id: optional(idOf('channel')), ...channelFields })),
}
// A patch of a config may contain nulls and omit required fields.
const ChannelPatch = patchOf(object({ ...channelFields, config: anyFields }))

const ChannelOut = object({
  id: idOf('channel'),
  orgId: idOf('org'),
  name: Type.String(),
  type: oneOf(channelTypes),
  config: anyFields,
  isActive: flag,
  isDefault: flag,
  events: Type.Array(oneOf(channelEvents)),
  minSeverity: oneOf(minSeverities),
  delayMinutes: Type.Integer(),
  disabledReason: nullable(Type.String()),
  createdAt: isoTime,
  updatedAt: isoTime,
})

const DeliveryOut = object({
  id: idOf('delivery'),
  channelId: idOf('channel'),
  incidentId: described(
    nullable(idOf('incident')),
    'Null if the delivery is about no incident, or about several.',
  ),
  event: oneOf(deliveryEvents),
  webhookId: Type.String({ description: 'The same for every attempt' }),
  state: oneOf(deliveryStates),
  attempts: Type.Integer(),
  nextAttemptAt: nullable(isoTime),
  lastAttemptAt: nullable(isoTime),
  lastStatus: nullable(Type.Integer()),
  lastError: nullable(Type.String()),
  deliveredAt: nullable(isoTime),
  mergedIntoId: nullable(idOf('delivery')),
  createdAt: isoTime,
})

const TestOut = object({
  delivered: flag,
  status: nullable(Type.Integer()),
  response: nullable(Type.String()),
  error: nullable(Type.String()),
  durationMs: Type.Integer(),
})

const toWire = (channel: Channel) => ({
  ...channel,
  createdAt: toIso(channel.createdAtMs),
  updatedAt: toIso(channel.updatedAtMs),
})

const deliveryToWire = (delivery: Delivery) => ({
  ...delivery,
  nextAttemptAt: delivery.state === 'pending' ? toIso(delivery.dueAtMs) : null,
  lastAttemptAt: toIsoOrNull(delivery.lastAtMs),
  deliveredAt: toIsoOrNull(delivery.deliveredAtMs),
  createdAt: toIso(delivery.createdAtMs),
})

export const alertChannels = resource('/orgs/:orgId/alert-channels', {
  create: post(
    '/',
    {
      who: { role: 'admin' },
      summary: 'Create an alert channel; a generated secret is shown once',
      creates: true,
      body: ChannelIn,
      out: ChannelOut,
      message: 'Alert channel created',
    },
    async ({ scope, body }, { channels }) => toWire(await channels.create(scope, body)),
  ),
  list: list(
    '/',
    { who: { role: 'viewer' }, summary: 'Alert channels, newest first', out: ChannelOut },
    ({ scope, page }, { channels }) => wirePage(channels.list(scope, page), toWire),
  ),
  get: get(
    '/:channelId',
    { who: { role: 'viewer' }, summary: 'One alert channel, secrets masked', out: ChannelOut },
    ({ scope, params }, { channels }) => toWire(channels.get(scope, params.channelId)),
  ),
  change: patch(
    '/:channelId',
    {
      who: { role: 'admin' },
      summary: 'Change an alert channel; the mask keeps a secret, null generates a new one',
      body: ChannelPatch,
      out: ChannelOut,
      message: 'Alert channel updated',
    },
    async ({ scope, params, body, expectedRevision }, { channels }) =>
      toWire(await channels.change(scope, params.channelId, body, expectedRevision)),
  ),
  remove: del(
    '/:channelId',
    {
      who: { role: 'admin' },
      summary: 'Delete an alert channel and its undelivered messages',
      out: ChannelOut,
      message: 'Alert channel deleted',
    },
    async ({ scope, params, expectedRevision }, { channels }) =>
      toWire(await channels.remove(scope, params.channelId, expectedRevision)),
  ),
  test: post(
    '/:channelId/test',
    {
      who: { role: 'admin' },
      summary: "Send a test message now and report the receiver's answer",
      out: TestOut,
      message: 'Test sent',
    },
    ({ scope, params, signal }, { channels }) => channels.test(scope, params.channelId, signal),
  ),
  deliveries: list(
    '/:channelId/deliveries',
    {
      who: { role: 'viewer' },
      summary: 'Deliveries, sent and pending, newest first',
      query: object({ state: optional(oneOf(deliveryStates)) }),
      out: DeliveryOut,
    },
    ({ scope, params, page, query }, { channels }) =>
      wirePage(
        channels.deliveries(scope, params.channelId, { ...page, state: query.state }),
        deliveryToWire,
      ),
  ),
  redeliver: post(
    '/:channelId/deliveries/:deliveryId/redeliver',
    {
      who: { role: 'admin' },
      summary: 'Send a finished delivery once more, with the same id',
      out: DeliveryOut,
      message: 'The delivery is being sent again',
    },
    async ({ scope, params }, { channels }) =>
      deliveryToWire(await channels.redeliver(scope, params.channelId, params.deliveryId)),
  ),
})
