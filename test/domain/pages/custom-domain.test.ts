// What becomes of a custom domain by its checks.
import t from 'tap'
import type { DomainId, PageId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  afterCheck,
  type CustomDomain,
  type DomainSight,
  domainPendingMsMax,
  domainReverifyMs,
  isServed,
  newDomain,
  proofSight,
} from '../../../src/domain/pages/custom-domain.ts'
import { orgOne } from '../../support/make-page.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const claimed = newDomain({
  id: 'dom_01k0000000000000000000000a' as DomainId,
  orgId: orgOne,
  pageId: 'pag_01k0000000000000000000000a' as PageId,
  hostname: 'status.example.com',
  token: 'token',
  nowMs: 0,
})

const sights = {
  well: { proof: 'seen', place: 'here' },
  proven: { proof: 'seen', place: 'elsewhere' },
  none: { proof: 'missing', place: 'nowhere' },
  unproven: { proof: 'missing', place: 'here' },
  silent: { proof: 'unanswered', place: 'unanswered' },
  spreading: { proof: 'spreading', place: 'here' },
} as const satisfies Record<string, DomainSight>

function checked(domain: CustomDomain, sight: DomainSight, nowMs: number, isTaken = false) {
  return afterCheck(domain, sight, { nowMs, isTaken })
}

/** Checks it whenever it is due, as long as it is, and until then. */
function until(domain: CustomDomain, sight: DomainSight, endMs: number): CustomDomain {
  let now = domain
  while (now.nextCheckAtMs !== null && now.nextCheckAtMs <= endMs) {
    now = checked(now, sight, now.nextCheckAtMs)
  }
  return now
}

t.test('two name servers have to show the proof', async (t) => {
  const yes = ['spf', 'token']
  t.equal(proofSight([yes, yes], 'token', false), 'seen')
  t.equal(proofSight([yes, [], yes], 'token', false), 'seen')
  t.equal(proofSight([yes, []], 'token', true), 'spreading')
  t.equal(proofSight([yes, null], 'token', false), 'spreading')
  t.equal(proofSight([yes, null], 'token', true), 'seen', 'unless there is no other')
  t.equal(proofSight([[], []], 'token', true), 'missing')
  t.equal(proofSight([['other'], []], 'token', true), 'other')
  t.equal(proofSight([[], null], 'token', true), 'missing')
  t.equal(proofSight([null, null], 'token', true), 'unanswered')
  t.equal(proofSight([], 'token', true), 'unanswered')
  t.equal(proofSight([['Token'], ['token ']], 'token', true), 'other', 'exactly')
})

t.test(
  'a domain that is not proven is looked for less and less often, for seven days',
  async (t) => {
    let domain = claimed
    const waits: number[] = []
    for (let n = 0; n < 7; n += 1) {
      const nowMs = domain.nextCheckAtMs ?? 0
      domain = checked(domain, sights.none, nowMs)
      waits.push(((domain.nextCheckAtMs ?? 0) - nowMs) / minuteMs)
    }
    t.equal(claimed.nextCheckAtMs, minuteMs)
    t.same(waits, [2, 5, 15, 60, 60, 60, 60])
    t.match(domain, { state: 'pending', problem: 'proof_missing' })
    const over = until(domain, sights.none, domainPendingMsMax + hourMs)
    t.match(over, { state: 'failed', problem: 'proof_missing', nextCheckAtMs: null })
  },
)

t.test('a proven domain is served, and active once it leads here', async (t) => {
  const verified = checked(claimed, sights.proven, minuteMs)
  t.match(verified, { state: 'verified', problem: 'leads_elsewhere', verifiedAtMs: minuteMs })
  t.ok(isServed(verified))
  const active = checked(verified, sights.well, 2 * minuteMs)
  t.match(active, { state: 'active', problem: null, verifiedAtMs: 2 * minuteMs - minuteMs })
  t.equal(active.nextCheckAtMs, 2 * minuteMs + domainReverifyMs)
})

t.test('a host name that another organization has proven before cannot be had', async (t) => {
  const refused = checked(claimed, sights.well, minuteMs, true)
  t.match(refused, { state: 'failed', problem: 'taken', nextCheckAtMs: null })
})

t.test('a domain without its proof is served for 72 hours, then not any more', async (t) => {
  const active = checked(claimed, sights.well, 0)
  const goneMs = domainReverifyMs
  const failing = until(active, sights.unproven, goneMs)
  t.match(failing, { state: 'active', problem: 'proof_missing', failingSinceMs: goneMs })
  const late = until(failing, sights.unproven, goneMs + limits.domainGraceMs - 1)
  t.ok(isServed(late))
  const over = until(late, sights.unproven, goneMs + limits.domainGraceMs + hourMs)
  t.match(over, { state: 'failed', problem: 'proof_missing', verifiedAtMs: null })
})

t.test('a proof that comes back in time ends the failure', async (t) => {
  const active = checked(claimed, sights.well, 0)
  const failing = until(active, sights.unproven, domainReverifyMs + 70 * hourMs)
  const back = checked(failing, sights.well, domainReverifyMs + 71 * hourMs)
  t.match(back, { state: 'active', problem: null, failingSinceMs: null })
  const again = checked(back, sights.unproven, domainReverifyMs + 80 * hourMs)
  t.ok(isServed(until(again, sights.unproven, domainReverifyMs + 150 * hourMs)))
})

t.test('name servers that do not answer are no missing record', async (t) => {
  const active = checked(claimed, sights.well, 0)
  const months = until(active, sights.silent, 90 * 24 * hourMs)
  t.match(months, { state: 'active', problem: 'names_unanswered', failingSinceMs: null })
  const someStill = until(active, sights.spreading, 90 * 24 * hourMs)
  t.match(someStill, { state: 'active', problem: null })
})

t.test('a proven domain that leads elsewhere stays served, but is not active', async (t) => {
  const active = checked(claimed, sights.well, 0)
  const day = domainReverifyMs
  const away = until(active, sights.proven, day + limits.domainGraceMs - 1)
  t.match(away, { state: 'active', problem: 'leads_elsewhere', awaySinceMs: day })
  const over = until(away, sights.proven, 30 * day)
  t.match(over, { state: 'verified', problem: 'leads_elsewhere', verifiedAtMs: 0 })
  const soon = (over.nextCheckAtMs ?? 0) - (over.lastCheckedAtMs ?? 0)
  t.equal(soon, domainReverifyMs, 'and is looked at daily')
})

t.test('a failed domain stays failed until its proof is seen', async (t) => {
  const failed = until(claimed, sights.none, 30 * 24 * hourMs)
  t.equal(checked(failed, sights.none, 31 * 24 * hourMs).state, 'failed')
  t.equal(checked(failed, sights.silent, 31 * 24 * hourMs).state, 'failed')
  t.equal(checked(failed, sights.well, 31 * 24 * hourMs).state, 'active')
})

t.test('a revision counts what people see', async (t) => {
  const once = checked(claimed, sights.none, minuteMs)
  t.equal(once.revision, 2)
  t.equal(checked(once, sights.none, 2 * minuteMs).revision, 2)
  t.equal(checked(once, sights.well, 2 * minuteMs).revision, 3)
})
