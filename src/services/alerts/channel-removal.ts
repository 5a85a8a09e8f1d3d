// Deletes a channel: its messages, and its id in the monitors that name it.
import type { ChannelId, MonitorId, OrgId } from '../../base/ids.ts'
import { createYielder } from '../../base/yielding.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'

export interface ChannelRemovalDeps {
  /** The channel has no pending message any more. */
  readonly wake: (orgId: OrgId, channelId: ChannelId) => void
}

/** What is known of a damaged channel as well. */
export type ChannelPlace = Pick<Channel, 'orgId' | 'id'>

export type RemovedChannel<Found extends ChannelPlace = Channel> = Found & {
  /** How many monitors named it. */
  readonly usedByMonitors: number
}

/** Monitors that a deleted channel leaves in one transaction. */
const channelUsersTogether = 500

export function createChannelRemoval({ store, clock, audit }: Core, { wake }: ChannelRemovalDeps) {
  /** Channels that are being deleted. */
  const leaving = new Set<ChannelId>()

  /** Yields to other work, because an organization may have very many monitors. */
  async function monitorsNaming({ orgId, id: channelId }: ChannelPlace): Promise<MonitorId[]> {
    const yielder = createYielder(clock, limits.turnMs)
    const ids: MonitorId[] = []
    let last: MonitorId | undefined
    do {
      const slice = store.monitors.list(orgId, limits.bulkSlice, last)
      for (const { id, notifyChannelIds } of slice) {
        if (notifyChannelIds.includes(channelId)) ids.push(id)
      }
      last = slice.length < limits.bulkSlice ? undefined : slice.at(-1)?.id
      if (yielder.isDue()) await yielder.pause()
    } while (last)
    return ids
  }

  function withdraw(tx: Tx, { orgId, id }: ChannelPlace, monitorIds: readonly MonitorId[]): void {
    const updatedAtMs = clock.nowMs()
    for (const monitorId of monitorIds) {
      const before = store.monitors.readable(orgId, monitorId)
      if (!before?.notifyChannelIds.includes(id)) continue
      const notifyChannelIds = before.notifyChannelIds.filter((one) => one !== id)
      const revision = before.revision + 1
      store.monitors.replace(tx, before, { ...before, notifyChannelIds, updatedAtMs, revision })
    }
  }

  async function removeFinished({ orgId, id }: ChannelPlace): Promise<void> {
    const trim = () =>
      store.write((tx) => store.deliveries.trim(tx, orgId, id, Number.POSITIVE_INFINITY))
    for (let removed = await trim(); removed > 0; removed = await trim());
  }

  async function removeNow<Found extends ChannelPlace>(
    scope: OrgScope,
    found: () => Found,
  ): Promise<RemovedChannel<Found>> {
    // Monitors that were given the channel before it began to leave are on disk after this.
    await store.write(() => undefined)
    const users = await monitorsNaming(found())
    await removeFinished(found())
    // Without the channel, its id in a monitor has no effect: the rest may follow.
    const together = users.splice(0, channelUsersTogether)
    const usedByMonitors = together.length + users.length
    const channel = await store.write((tx) => {
      const channel = found()
      const { orgId, id: objectId } = channel
      store.channels.remove(tx, channel)
      store.deliveries.removeAll(tx, orgId, objectId)
      store.channelHealth.remove(tx, orgId, objectId)
      store.meta.forgetNoticeChannels(tx, ({ channelId }) => channelId === objectId)
      withdraw(tx, channel, together)
      const detail = `used by ${usedByMonitors} ${usedByMonitors === 1 ? 'monitor' : 'monitors'}`
      audit.note(tx, scope, { action: 'channel.deleted', objectId, detail })
      tx.afterCommit(() => wake(orgId, objectId))
      return channel
    })
    while (users.length > 0) {
      const next = users.splice(0, channelUsersTogether)
      await store.write((tx) => withdraw(tx, channel, next))
    }
    return { ...channel, usedByMonitors }
  }

  return {
    /** No monitor may be given a channel that is being deleted. */
    isLeaving: (channelId: ChannelId) => leaving.has(channelId),

    /** `found` returns the record, or throws. The channel leaves at once, with its pending messages. */
    async remove<Found extends ChannelPlace>(
      scope: OrgScope,
      found: () => Found,
    ): Promise<RemovedChannel<Found>> {
      const { id } = found()
      leaving.add(id)
      try {
        return await removeNow(scope, found)
      } finally {
        leaving.delete(id)
      }
    },
  }
}
