// Notifies the owners of an organization by letter where no alert channel can, and the channels that
// an administrator chose.
import { asId, type OrgId } from '../../base/ids.ts'
import type { ChannelHealthPayload } from '../../domain/alerts/payload.ts'
import { channelNotice } from '../../domain/alerts/system-notice.ts'
import { localeOf } from '../../domain/language.ts'
import { channelFailingLetter, channelRecoveredLetter } from '../../mail/letters/channel-trouble.ts'
import type { Tx } from '../../store/engine/write.ts'
import { activeOwners } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from '../mailer.ts'
import type { SystemNotices } from './system-notices.ts'

export interface ChannelNoticesDeps {
  readonly store: Pick<Store, 'memberships' | 'orgs' | 'users'>
  readonly mailer: Mailer
  readonly systemNotices: Pick<SystemNotices, 'tell'>
  readonly baseUrl: string
}

export function createChannelNotices({
  store,
  mailer,
  systemNotices,
  baseUrl,
}: ChannelNoticesDeps) {
  return {
    /** Queues the letters in the transaction that found the trouble. */
    tellOwners(tx: Tx, orgId: OrgId, { type, data }: ChannelHealthPayload): void {
      const letter = type === 'channel.failing' ? channelFailingLetter : channelRecoveredLetter
      const org = store.orgs.readable(orgId)
      const notice = {
        baseUrl,
        orgName: org?.name ?? orgId,
        channelName: data.channel.name,
        reason: data.reason,
        failingSinceMs: Date.parse(data.failingSince),
        pending: data.pending,
        language: localeOf(org).language,
      }
      for (const { email } of activeOwners(store, orgId)) mailer.enqueue(tx, email, letter(notice))
      const isOver = type === 'channel.recovered'
      const news = channelNotice(notice.orgName, notice.channelName, isOver)
      // A channel that fails cannot say so.
      systemNotices.tell(tx, news, isOver ? undefined : asId('channel', data.channel.id))
    },
  }
}
