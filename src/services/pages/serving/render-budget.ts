// The time that documents of pages may take: for each organization, and in all. A caller that asks for
// many documents must not take the time of all others, so a share is kept for organizations that had
// none. It must not keep a status page from being made anew either, so each kind of rendering has its own
// share. Only work counts: on a machine that is busy with other programs a page would grow old otherwise.
import { Fault } from '../../../base/fault.ts'
import { hasTimeLeft, paidAfter } from '../../../domain/time-share.ts'

/**
 * `page`: the status page itself. `again`: a document below it that there is an older one of.
 * `first`: one that nobody has asked for before.
 */
export type Rendering = 'page' | 'again' | 'first'

/** When what was rendered is paid for, by kind. */
export type RenderAccount = Record<Rendering, number>

/** Status pages of one organization may take this share of the time to be made, and all together. */
const pageRenders = { share: 1 / 10, burstMs: 2_500 } as const
const pageRendersInAll = { share: 1 / 3, burstMs: 6_000 } as const
/** The same for documents below a page: there may be any number of them. */
const subPageRenders = { share: 1 / 10, burstMs: 2_500 } as const
const subPageRendersInAll = { share: 1 / 8, burstMs: 4_000 } as const
/** And for documents of which there is no older one, which a reader could get instead. */
const subPageFirstRenders = { share: 1 / 10, burstMs: 10_000 } as const
const subPageFirstRendersInAll = { share: 1 / 8, burstMs: 16_000 } as const
/** What an organization of which nothing was made lately has left if others take all of that. */
const pageRendersOfQuiet = { share: 2 / 3, burstMs: 1_500 } as const
export const pageDebtMsMax = 60_000

const paces = {
  page: { own: pageRenders, inAll: pageRendersInAll },
  again: { own: subPageRenders, inAll: subPageRendersInAll },
  first: { own: subPageFirstRenders, inAll: subPageFirstRendersInAll },
} as const

/** The account of an organization for which nothing was rendered. */
export const newRenderAccount = (): RenderAccount => ({ page: 0, again: 0, first: 0 })

export function createRenderBudget() {
  const inAll = newRenderAccount()
  /** When everything that was rendered is paid for with the share of quiet pages. */
  let quietPaidAtMs = 0

  function allows(account: RenderAccount, which: Rendering, nowMs: number): boolean {
    const pace = paces[which]
    if (!hasTimeLeft(pace.own, owed(account[which], nowMs), nowMs)) return false
    if (hasTimeLeft(pace.inAll, owed(inAll[which], nowMs), nowMs)) return true
    // There are few status pages and any number of documents, so a page need not be quiet.
    return (
      (which === 'page' || account[which] <= nowMs) &&
      hasTimeLeft(pageRendersOfQuiet, owed(quietPaidAtMs, nowMs), nowMs)
    )
  }

  return {
    allows,

    /** Throws unavailable if the rendering has to wait. For what there is no older document of. */
    refuseTooMany(account: RenderAccount, which: Rendering, nowMs: number): void {
      if (allows(account, which, nowMs)) return
      throw new Fault('unavailable', 'Too many documents of status pages are asked for', {
        headers: [['Retry-After', '1']],
      })
    },

    /** Counts a rendering that took `costMs` of work. */
    pay(account: RenderAccount, which: Rendering, costMs: number, nowMs: number): void {
      const { own, inAll: together } = paces[which]
      account[which] = paidAfter(own, owed(account[which], nowMs), costMs, nowMs)
      quietPaidAtMs = paidAfter(pageRendersOfQuiet, owed(quietPaidAtMs, nowMs), costMs, nowMs)
      const before = owed(inAll[which], nowMs)
      // Else the time of quiet pages would be taken from all others.
      if (hasTimeLeft(together, before, nowMs)) {
        inAll[which] = paidAfter(together, before, costMs, nowMs)
      }
    },
  }
}

/** A clock that was set back leaves a debt that nobody has made. */
function owed(paidAtMs: number, nowMs: number): number {
  return paidAtMs - nowMs > pageDebtMsMax ? nowMs : paidAtMs
}
