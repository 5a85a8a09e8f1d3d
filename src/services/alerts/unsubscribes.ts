// Lets the recipients of e-mail alerts take their own address out of a channel, without an account.
import { notFound } from '../../base/fault.ts'
import type { ChannelId, OrgId } from '../../base/ids.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { localeOf } from '../../domain/language.ts'
import { maskedAddress } from '../../mail/address.ts'
import type { ReadUnsubscribeLink, UnsubscribeLinks } from '../../seal/unsubscribe-link.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { ChannelKey } from '../../store/tables/alerts/deliveries.ts'
import type { Language } from '../../texts/languages.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'

export interface LetterSubscription {
  /** The language of the organization. */
  readonly language: Language
  /** Null: the address gets no letters from the channel any more. */
  readonly letters: {
    readonly address: string
    readonly channel: string
    readonly organization: string
  } | null
}

export interface UnsubscribesDeps {
  readonly links: Pick<UnsubscribeLinks, 'read'>
  /** The channel changed. */
  readonly wake: (orgId: OrgId, channelId: ChannelId) => void
  /** The channel has no recipient any more, and was switched off: its organization must hear of it. */
  readonly onDeserted: (tx: Tx, channel: ChannelKey, nowMs: number) => void
}

/** Every method throws not_found for a token that we did not make. */
export function createUnsubscribes(core: Core, deps: UnsubscribesDeps) {
  const { store, clock, audit } = core
  const { links, wake } = deps

  function named(token: string): ReadUnsubscribeLink {
    const link = links.read(token)
    if (!link) throw notFound('link')
    return link
  }

  function found({ orgId, channelId, isFor }: ReadUnsubscribeLink): Listed | undefined {
    const channel = store.channels.readable(orgId, channelId)
    const address = channel && addressesOf(channel).find(isFor)
    if (!channel || address === undefined) return undefined
    // A channel that somebody switched off may be switched on again, so its letters can be ended.
    return channel.disabledReason === endedBy(address) ? undefined : { channel, address }
  }

  function find(token: string): LetterSubscription {
    const link = named(token)
    const org = store.orgs.readable(link.orgId)
    const { language } = localeOf(org)
    const listed = found(link)
    if (!listed) return { language, letters: null }
    const { address, channel } = listed
    const organization = org?.name ?? ''
    return { language, letters: { address, channel: channel.name, organization } }
  }

  return {
    find,

    /**
     * Takes the address out. A channel needs an address, so the last one stays in the list and the
     * channel is switched off: its people see the reason, and the organization gets a notice. Does
     * nothing the second time.
     */
    async leave(caller: Caller, token: string): Promise<LetterSubscription> {
      const link = named(token)
      await store.write((tx) => {
        const listed = found(link)
        if (!listed) return
        const { channel, address } = listed
        const { orgId, id } = channel
        const nowMs = clock.nowMs()
        const after = without(channel, address, nowMs)
        store.channels.put(tx, after)
        if (channel.isActive && !after.isActive)
          deps.onDeserted(tx, { orgId, channelId: id }, nowMs)
        audit.noteIn(tx, orgId, caller, {
          action: 'channel.unsubscribed',
          objectId: id,
          fields: ['config'],
          detail: maskedAddress(address),
        })
        tx.afterCommit(() => wake(orgId, id))
      })
      return find(token)
    },
  }
}

interface Listed {
  readonly channel: Channel
  readonly address: string
}

function without(channel: Channel, address: string, nowMs: number): Channel {
  const to = addressesOf(channel).filter((one) => one !== address)
  const changed = { ...channel, updatedAtMs: nowMs, revision: channel.revision + 1 }
  if (to.length > 0) return { ...changed, config: { ...channel.config, to } }
  return { ...changed, isActive: false, disabledReason: endedBy(address) }
}

function endedBy(address: string): string {
  return `${address} ended these letters, and the channel has no other address.`
}

/** The addresses of a channel; none if its type has no addresses. */
function addressesOf({ config }: Channel): string[] {
  const { to } = config
  return Array.isArray(to) ? to.filter((one) => typeof one === 'string') : []
}
