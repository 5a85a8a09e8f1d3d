// The channels that get news of the service itself, as administrators choose them.
import { invalidField } from '../../base/fault.ts'
import type { ChannelId } from '../../base/ids.ts'
import { type Principal, reaches } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { NoticeChannel } from '../../store/tables/system/meta.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import { mustBeAt } from '../revision.ts'

export interface ChosenChannels {
  readonly channelIds: readonly ChannelId[]
  readonly revision: number
}

/** Every method is for the system administrator, which the route enforces. */
export function createNoticeChannels({ store, audit }: Pick<Core, 'store' | 'audit'>) {
  function get(): ChosenChannels {
    const { channels, revision } = store.meta.notices()
    const present = channels.filter(({ orgId, channelId }) => store.channels.get(orgId, channelId))
    return { channelIds: present.map(({ channelId }) => channelId), revision }
  }

  /** The channel in an organization that the person administers. */
  function own(principal: Principal, channelId: ChannelId): NoticeChannel | undefined {
    if (principal.kind !== 'session') return undefined
    const most = limits.organizationsPerUserMax
    return store.memberships
      .listOfUser(principal.userId, most)
      .filter(({ orgId, role }) => reaches(role, 'admin') && store.orgs.has(orgId))
      .map(({ orgId }) => ({ orgId, channelId }))
      .find(({ orgId }) => store.channels.get(orgId, channelId) !== undefined)
  }

  return {
    get,

    /**
     * Replaces the list. A channel that is in it may stay, also if another administrator chose it. Throws
     * validation_failed, naming the first id that the caller may not choose.
     */
    choose(
      caller: Caller,
      channelIds: readonly ChannelId[],
      expectedRevision?: number,
    ): Promise<ChosenChannels> {
      return store.write((tx) => {
        const before = store.meta.notices()
        mustBeAt(expectedRevision, before, 'The list')
        const channels = [...new Set(channelIds)].map((channelId, index) => {
          const chosen = before.channels.find((one) => one.channelId === channelId)
          const found = chosen ?? own(caller.principal, channelId)
          if (found && store.channels.get(found.orgId, channelId)) return found
          throw invalidField(
            `/channelIds/${index}`,
            'reference',
            `${channelId} is no channel of an organization that you administer`,
          )
        })
        store.meta.putNotices(tx, { ...before, channels, revision: before.revision + 1 })
        const detail = channels.length === 1 ? '1 channel' : `${channels.length} channels`
        const action = 'system_notices.channels_chosen'
        audit.noteIn(tx, 'system', caller, { action, objectId: null, detail })
        return get()
      })
    },
  }
}
