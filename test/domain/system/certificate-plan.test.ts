// Which certificate is ordered next, and what the other hosts wait for.
import t from 'tap'
import { newId, type OrgId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  certificatePlan,
  type PlannedHost,
  type PlanOptions,
} from '../../../src/domain/system/certificate-plan.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const nowMs = 100 * dayMs
const [orgA, orgB]: [OrgId, OrgId] = [newId('org', 1), newId('org', 2)]

interface Given extends Omit<Partial<PlannedHost>, 'wanted'> {
  readonly orgId?: OrgId | null
  readonly isShared?: boolean
  readonly sinceMs?: number
  readonly isWanted?: boolean
}

function planned(host: string, given: Given = {}): PlannedHost {
  const { orgId = orgA, isShared = true, sinceMs = 0, isWanted = true, ...more } = given
  return {
    host,
    domain: 'pages.example',
    wanted: isWanted ? { host, orgId, isShared, sinceMs } : undefined,
    hadCertificate: false,
    expiresAtMs: null,
    hasOrder: false,
    failures: 0,
    nextAttemptAtMs: 0,
    lastOrderAtMs: null,
    firstOrders: [],
    domainPausedUntilMs: 0,
    ...more,
  }
}

const renewable = (host: string, daysLeft: number, given: Given = {}) =>
  planned(host, { hadCertificate: true, expiresAtMs: nowMs + daysLeft * dayMs, ...given })

/** The records of hosts that got their first certificate, and are gone. */
const issued = (count: number, atMs: number, { orgId = orgB, isShared = true }: Given = {}) =>
  Array.from({ length: count }, (_, at) =>
    planned(`gone${at}`, {
      isWanted: false,
      hadCertificate: true,
      lastOrderAtMs: atMs,
      firstOrders: [{ atMs, orgId, isShared }],
    }),
  )

const planFor = (hosts: readonly PlannedHost[], options: Partial<PlanOptions> = {}) =>
  certificatePlan(hosts, {
    nowMs,
    newOfDomainMax: limits.certificatesNewOfDomain,
    unavailableUntilMs: 0,
    ...options,
  })

t.test('the service itself is renewed first, then who has the least time left', async (t) => {
  const hosts = [
    renewable('b', 3),
    renewable('failing', 1, { failures: 3 }),
    renewable('a', 2),
    renewable('refused', 2.5, { failures: 9, domainPausedUntilMs: 1 }),
    renewable('up', 20, { orgId: null }),
    renewable('later', 1, { nextAttemptAtMs: nowMs + 1 }),
  ]
  const order: (string | undefined)[] = []
  for (let rest = hosts; rest.length > 0; ) {
    const { renewal } = planFor(rest)
    if (renewal === undefined) break
    order.push(renewal)
    rest = rest.filter(({ host }) => host !== renewal)
  }
  t.same(order, ['up', 'a', 'refused', 'b', 'failing'])
})

t.test('the first certificate of the service itself waits for no budget', async (t) => {
  const hosts = [...issued(45, nowMs - dayMs), planned('up', { orgId: null }), planned('new')]
  const plan = planFor(hosts)
  t.equal(plan.renewal, 'up')
  t.equal(plan.fresh, undefined)
  t.same(plan.waits.get('new'), { kind: 'domain', untilMs: nowMs + 6 * dayMs })
})

t.test('organizations take turns with new hosts, whoever has more of them', async (t) => {
  const many = Array.from({ length: 60 }, (_, at) => planned(`many${at}`, { sinceMs: 1 }))
  t.equal(planFor([...many, planned('one', { orgId: orgB, sinceMs: 2 })]).fresh, 'many0')
  const served = planned('many0', {
    hadCertificate: true,
    nextAttemptAtMs: nowMs + dayMs,
    firstOrders: [{ atMs: nowMs - 1, orgId: orgA, isShared: true }],
    lastOrderAtMs: nowMs - 1,
  })
  const plan = planFor([served, ...many.slice(1), planned('one', { orgId: orgB, sinceMs: 2 })])
  t.equal(plan.fresh, 'one')
  t.same(plan.waits.get('many1'), { kind: 'turn', untilMs: null })
})

t.test('the budget of an organization outlives its renamed hosts', async (t) => {
  const most = limits.certificatesNewSharedOfOrg
  const hosts = [...issued(most, nowMs - dayMs, { orgId: orgA }), planned('next')]
  t.same(planFor(hosts).waits.get('next'), { kind: 'shared', untilMs: nowMs + 6 * dayMs })
  const custom = planned('status.acme.example', { domain: 'acme.example', isShared: false })
  t.equal(planFor([...hosts, custom]).fresh, 'status.acme.example', 'not below its own domain')
  const firstOrders = Array.from({ length: limits.certificateOrdersNewOfOrg }, () => ({
    atMs: nowMs - dayMs,
    orgId: orgA,
    isShared: false,
  }))
  const failing = planned('failing', { firstOrders, nextAttemptAtMs: nowMs + 1 })
  t.match(planFor([failing, custom]).waits.get(custom.host), { kind: 'organization' })
})

t.test(
  'a refusal pauses new hosts of the domain, and neither renewals nor other domains',
  async (t) => {
    const refused = planned('refused', {
      domainPausedUntilMs: nowMs + hourMs,
      nextAttemptAtMs: nowMs + hourMs,
    })
    const other = planned('other', { domain: 'other.example', orgId: orgB })
    const plan = planFor([refused, planned('next'), other, renewable('old', 20)])
    t.equal(plan.renewal, 'old')
    t.equal(plan.fresh, 'other')
    t.same(plan.waits.get('next'), { kind: 'paused', untilMs: nowMs + hourMs })
  },
)

t.test('new hosts wait until a renewal that was refused has succeeded', async (t) => {
  const refused = { domainPausedUntilMs: nowMs - hourMs, failures: 1 }
  const later = renewable('old', 20, { ...refused, nextAttemptAtMs: nowMs + hourMs })
  t.same(planFor([later, planned('next')]).waits.get('next'), {
    kind: 'paused',
    untilMs: nowMs + hourMs,
  })
  const due = planFor([renewable('old', 20, refused), planned('next')])
  t.match(due, { renewal: 'old', fresh: undefined })
  const gone = renewable('old', 20, { ...refused, isWanted: false })
  t.equal(planFor([gone, planned('next')]).fresh, 'next')
})

t.test('each lane has its own pace, and an order in progress goes on', async (t) => {
  const recent = Array.from({ length: 30 }, (_, at) =>
    planned(`${at}`, {
      domain: `${at}.example`,
      isShared: false,
      orgId: orgB,
      nextAttemptAtMs: nowMs + 1,
      lastOrderAtMs: nowMs - 1,
      firstOrders: [{ atMs: nowMs - 1, orgId: orgB, isShared: false }],
    }),
  )
  const plan = planFor([...recent, planned('next'), renewable('old', 20)])
  t.equal(plan.fresh, undefined)
  t.equal(plan.renewal, 'old')
  t.equal(planFor([...recent, planned('begun', { hasOrder: true })]).fresh, 'begun')
  const renewed = Array.from({ length: 60 }, (_, at) =>
    renewable(`r${at}`, 60, { lastOrderAtMs: nowMs - 1, nextAttemptAtMs: nowMs + 1 }),
  )
  const busy = planFor([...renewed, planned('next'), renewable('old', 20)])
  t.equal(busy.renewal, undefined)
  t.equal(busy.fresh, 'next')
})

t.test('no host is served while the authority cannot be asked', async (t) => {
  const unavailableUntilMs = nowMs + 1
  const plan = planFor([planned('next'), renewable('old', 1)], { unavailableUntilMs })
  t.match(plan, { renewal: undefined, fresh: undefined })
  t.same(plan.waits.get('old'), { kind: 'unavailable', untilMs: unavailableUntilMs })
})
