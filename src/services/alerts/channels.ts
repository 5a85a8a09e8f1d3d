// Alert channels: create, change, test, and the record of their deliveries.

import type { Enqueue } from '../../actors/alerts/enqueue.ts'
import { asId, type ChannelId, type OrgId } from '../../base/ids.ts'
import type { Limiter } from '../../base/limiter.ts'
import type { Config } from '../../channels/model/config.ts'
import { channelDefinitions } from '../../channels/registry.ts'
import type { Sender } from '../../channels/sender.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { channelState, type HealthReport, unused } from '../../domain/alerts/channel-health.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import { createRecords } from '../records.ts'
import { unknownRevision } from '../revision.ts'
import { createChannelAftermath } from './channel-aftermath.ts'
import {
  type ChannelChanges,
  type ConfigDeps,
  changedChannel,
  changedChannelFields,
  createConfigs,
  type NewChannel,
  newChannel,
  type SealedConfig,
} from './channel-config.ts'
import { type ChannelHealthsDeps, createChannelHealths } from './channel-healths.ts'
import { createChannelRemoval } from './channel-removal.ts'
import { createChannelTests, type TestResult } from './channel-tests.ts'
import { createDeliveryRecords } from './delivery-records.ts'

export interface ChannelsDeps extends ConfigDeps {
  /** Queues what a channel must still hear of an incident. */
  readonly enqueue: Pick<Enqueue, 'incident'>
  readonly sender: Sender
  readonly testLimiter: Limiter
  readonly missingSettings: ChannelHealthsDeps['missingSettings']
  /** A test arrived: the channel works. */
  readonly noteArrived: (tx: Tx, orgId: OrgId, channelId: ChannelId) => void
  /** The channel has a pending message, or changed. */
  readonly wake: (orgId: OrgId, channelId: ChannelId) => void
}

export type Channels = ReturnType<typeof createChannels>

/**
 * Every method throws not_found, and precondition_failed if the record is not at
 * `expectedRevision`. Secrets in a record's config are masked; a newly generated one is shown once.
 */
export function createChannels(core: Core, deps: ChannelsDeps) {
  const { store, clock, audit } = core
  const { wake } = deps
  const configs = createConfigs(core, deps)
  const healths = createChannelHealths(core, deps)
  const { healthOf } = healths
  const tests = createChannelTests(core, { ...deps, open: configs.open, onArrived: noteWorking })
  const removal = createChannelRemoval(core, deps)
  const aftermath = createChannelAftermath(core)
  const records = createRecords(core, 'channels', store.channels)
  const { found } = records

  /** A damaged one is known by its id alone, and has no revision to compare. */
  function removable(scope: OrgScope, channelId: string, expectedRevision?: number) {
    const id = asId('channel', channelId)
    const { orgId } = scope
    const isDamaged = id !== undefined && store.channels.isDamaged(orgId, id)
    return isDamaged
      ? { orgId, id, revision: unknownRevision }
      : found(scope, channelId, expectedRevision)
  }

  /** The channel may be tried at once, because something about it was corrected. */
  function tryAgain(tx: Tx, channel: Channel, sealed: SealedConfig, nowMs: number): void {
    aftermath.tryAgain(tx, channel, sealed.isChanged, nowMs)
    if (sealed.isChanged) tests.recall(tx, channel, sealed)
  }

  /** A test arrived, so that the channel works, and what waits can be sent now. */
  function noteWorking(tx: Tx, channel: Channel): void {
    const { orgId, id } = channel
    const { failingSinceMs } = store.channelHealth.get(orgId, id)
    deps.noteArrived(tx, orgId, id)
    if (isWanted(channel)) becomeDefault(tx, channel, channel.revision + 1)
    if (failingSinceMs === null) return
    aftermath.retryNow(tx, channel, clock.nowMs())
    tx.afterCommit(() => wake(orgId, id))
  }

  const isWanted = (channel: Channel): boolean =>
    store.channelHealth.get(channel.orgId, channel.id).mayBecomeDefault &&
    healths.isWantedAsDefault(channel)

  function becomeDefault(tx: Tx, channel: Channel, revision: number): void {
    const { orgId, id } = channel
    store.channels.put(tx, { ...channel, isDefault: true, updatedAtMs: clock.nowMs(), revision })
    chosen(tx, orgId, id)
  }

  /** The service no longer decides whether it is a default channel. */
  function chosen(tx: Tx, orgId: OrgId, id: ChannelId): void {
    const health = store.channelHealth.get(orgId, id)
    store.channelHealth.put(tx, orgId, id, { ...health, mayBecomeDefault: false })
  }

  const withHealth = (channel: Channel): ShownChannel => ({ ...channel, health: healthOf(channel) })

  /** Whether the channel works, by its own record. It ignores what waits, because most channels work. */
  function isTroubled(channel: Channel): boolean {
    const state = channelState(channel, store.channelHealth.get(channel.orgId, channel.id))
    const works = state === 'ok' || state === 'untested'
    return !works || deps.missingSettings(channel).length > 0
  }

  return {
    ...createDeliveryRecords(core, { ...deps, foundChannel: found }),
    tests,
    healthOf,

    /** Throws validation_failed, target_not_allowed, and conflict beyond the quota. */
    async create(scope: OrgScope, input: NewChannel): Promise<ShownChannel> {
      const nowMs = clock.nowMs()
      const { orgId } = scope
      const sealed = configs.seal(input.type, input.config)
      return store.write((tx) => {
        const made = () => newChannel(input, sealed, { orgId, nowMs })
        const record = records.add(tx, scope, made, { detail: input.type })
        const { id } = record
        if (input.isDefault === undefined) {
          store.channelHealth.put(tx, orgId, id, { ...unused, mayBecomeDefault: true })
        }
        tests.recall(tx, record, sealed)
        if (isWanted(record)) becomeDefault(tx, record, record.revision)
        // A recalled test may have made it a default channel.
        const stored = store.channels.readable(orgId, id) ?? record
        return withHealth(shownOnce(stored, sealed.made))
      })
    },

    list(scope: OrgScope, page: PageRequest): PageOf<ShownChannel> {
      const found = records.list(scope, page)
      return { ...found, items: found.items.map(withHealth) }
    },

    get: (scope: OrgScope, channelId: string) => withHealth(found(scope, channelId)),

    async change(
      scope: OrgScope,
      channelId: string,
      changes: ChannelChanges,
      expectedRevision?: number,
    ): Promise<ShownChannel> {
      const nowMs = clock.nowMs()
      const [channel, made] = await store.write((tx): [Channel, Config] => {
        const before = found(scope, channelId, expectedRevision)
        const sealed = changes.config ? configs.patched(before, changes.config) : undefined
        const changed = changedChannel(before, changes, sealed)
        const fields = changedChannelFields(before, changed)
        const after = records.replace(tx, scope, before, changed, { fields })
        // Before a test that is recalled could choose.
        if (changes.isDefault !== undefined) chosen(tx, after.orgId, after.id)
        if (sealed) tryAgain(tx, after, sealed, nowMs)
        if (after.isActive && !before.isActive) aftermath.startAfresh(tx, after)
        if (changes.quietHours !== undefined) aftermath.giveTime(tx, after, nowMs)
        tx.afterCommit(() => wake(after.orgId, after.id))
        // A recalled test may have made it a default channel.
        return [store.channels.readable(after.orgId, after.id) ?? after, sealed?.made ?? {}]
      })
      return withHealth(shownOnce(channel, made))
    },

    /**
     * Deletes the channel and its deliveries, and removes it from the monitors that name it. Of a
     * damaged one, the answer has only the ids.
     */
    remove: (scope: OrgScope, channelId: string, expectedRevision?: number) =>
      removal.remove(scope, () => removable(scope, channelId, expectedRevision)),

    /**
     * Sends now, bypassing the outbox, and returns the result: with the stored config, or as it would
     * be after a change. Throws what `change` throws, and rate_limited.
     */
    async test(
      scope: OrgScope,
      channelId: string,
      draft: ChannelDraft = {},
      signal?: AbortSignal,
    ): Promise<TestResult> {
      const channel = found(scope, channelId)
      const sealed = draft.config && configs.patched(channel, draft.config)
      tests.mustBeRare(channel.id, 'This channel was tested too often; try again later.')
      await store.write((tx) =>
        audit.note(tx, scope, { action: 'channel.tested', objectId: channel.id }),
      )
      const meant = { ...channel, name: draft.name ?? channel.name }
      if (!sealed?.isChanged) return tests.send(meant, signal)
      return tests.sendDraft(
        {
          ...meant,
          config: sealed.config,
          secretsBox: sealed.secretsBox,
          // What the type requires was just given.
          missingSecrets: [],
        },
        sealed,
        signal,
      )
    },

    /**
     * The same for a channel that is not stored. Nothing is kept, but a channel that is made with
     * this config a short time later has the result. Throws what `create` throws, and rate_limited.
     */
    async testDraft(
      scope: OrgScope,
      input: Pick<NewChannel, 'name' | 'type' | 'config'>,
      signal?: AbortSignal,
    ): Promise<TestResult> {
      const { orgId } = scope
      const sealed = configs.seal(input.type, input.config)
      tests.mustBeRare(`draft ${orgId}`, 'Channels were tested too often; try again later.')
      const note = { action: 'channel.tested', objectId: null, detail: input.type } as const
      await store.write((tx) => audit.note(tx, scope, note))
      const channel = newChannel(input, sealed, { orgId, nowMs: clock.nowMs() })
      return tests.sendDraft(channel, sealed, signal)
    },

    /** The channels that are on, or that the service switched off, and that alerts do not reach. */
    troubled({ orgId }: OrgScope): TroubledChannels {
      const all = store.channels
        .list(orgId, limits.quotaMax)
        .filter(({ isActive, disabledReason }) => isActive || disabledReason !== null)
        .filter((channel) => isTroubled(channel))
        .map(withHealth)
        .toSorted((a, b) => b.health.pending - a.health.pending)
      return {
        channels: all.slice(0, limits.troubledChannelsMax),
        channelsTotal: all.length,
        pending: all.reduce((sum, { health }) => sum + health.pending, 0),
      }
    },

    /** Each type, and the settings of the service that it needs and that are not set. */
    types: (): readonly ChannelTypeState[] =>
      channelDefinitions.map(({ type, title }) => {
        const missingSettings = deps.missingSettings({ type, config: {} })
        return { type, title, isSetUp: missingSettings.length === 0, missingSettings }
      }),

    /** The index of the first id that is no channel of the organization, or null. */
    channelIdsProblem(orgId: OrgId, ids: readonly string[]): number | null {
      const at = ids.findIndex((text) => {
        const id = asId('channel', text)
        return !id || !store.channels.get(orgId, id) || removal.isLeaving(id)
      })
      return at < 0 ? null : at
    },
  }
}

export interface TroubledChannels {
  /** The channels in trouble; first the ones for which most messages wait. */
  readonly channels: readonly ShownChannel[]
  /** All of them, also the channels that are left out. */
  readonly channelsTotal: number
  /** How many messages wait for all of them. */
  readonly pending: number
}

/** What a test uses in place of what is stored; the config is a merge patch. */
export interface ChannelDraft {
  readonly name?: string | undefined
  readonly config?: Config | undefined
}

export interface ChannelTypeState {
  readonly type: string
  readonly title: string
  readonly isSetUp: boolean
  readonly missingSettings: readonly string[]
}

/** A channel with its health, which is no part of its record. */
export type ShownChannel = Channel & { readonly health: HealthReport }

/** The record with newly generated secrets, for this one response. */
function shownOnce(channel: Channel, made: Config): Channel {
  return { ...channel, config: { ...channel.config, ...made } }
}
