// Months of certificates: many hosts, growth, a tenant who renames its pages each hour, and an authority
// with the limits of Let's Encrypt.
import t from 'tap'
import {
  type CertificateKeeperDeps,
  createCertificateKeeper,
} from '../../src/actors/tasks/certificate-keeper.ts'
import { required } from '../../src/base/assert.ts'
import { newId, type OrgId } from '../../src/base/ids.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import type { certificatePlan, WantedHost } from '../../src/domain/system/certificate-plan.ts'
import {
  type HostCertificate,
  newHostCertificate,
} from '../../src/domain/system/host-certificate.ts'
import type { Box } from '../../src/seal/box.ts'
import { createSignals } from '../../src/store/engine/signals.ts'
import type { Tx } from '../../src/store/engine/write.ts'
import type { SecretName, StoredSecret } from '../../src/store/tables/system/secrets.ts'
import { amount } from '../support/depth.ts'
import { type AuthorityFaults, createFakeAuthority } from '../support/fake-authority.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { recordingLog } from '../support/http.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const ownHost = 'up.example.com'
const statusDomain = 'pages.example.net'

const box: Box = {
  seal: (text) => text,
  open: (sealed) => sealed,
  openOrUndefined: (sealed) => sealed,
  isCurrent: () => true,
}

interface Story extends AuthorityFaults {
  readonly days: number
  /** New hosts in a week: subdomains of status pages, and custom domains. */
  readonly subdomainsOfWeek: number
  readonly customDomainsOfWeek: number
  /** Pages of one tenant, each of which gets another subdomain every hour. */
  readonly renamedPages: number
  /** How often the keeper looks for what is due; the daemon looks more often. */
  readonly roundHours: number
  readonly planOf?: typeof certificatePlan
  readonly newOfDomainMax?: number
}

/** The tables of the keeper without a disk: a simulation writes thousands of times. */
function mapStore(): CertificateKeeperDeps['store'] {
  const records = new Map<string, HostCertificate>()
  const secrets = new Map<SecretName, StoredSecret>()
  const tx: Tx = { afterCommit: (run) => run() }
  return {
    signals: createSignals(),
    write: async (body) => body(tx),
    hostCertificates: {
      get: (host) => records.get(host),
      slice: (limit, after) => {
        const rest = [...records.values()]
        return rest.slice(after ? rest.indexOf(after) + 1 : 0).slice(0, limit)
      },
      put: (_tx, record) => void records.set(record.host, record),
      remove: (_tx, host) => void records.delete(host),
    },
    secrets: {
      get: (name) => secrets.get(name),
      readable: (name) => secrets.get(name),
      put: (_tx, name, secret) => void secrets.set(name, secret),
      remove: (_tx, name) => void secrets.delete(name),
    },
  }
}

/** Lives through it, with a restart every nine days. */
async function live(story: Story) {
  const store = mapStore()
  const clock = new FakeClock()
  const startMs = clock.nowMs()
  const { acme, counts, noteIssued } = createFakeAuthority(clock, story)
  const hostile: OrgId = newId('org', startMs)
  const hosts: WantedHost[] = [{ host: ownHost, orgId: null, isShared: false, sinceMs: 0 }]

  function grow(host: string): void {
    const orgId: OrgId = newId('org', startMs)
    hosts.push({ host, orgId, isShared: host.endsWith(statusDomain), sinceMs: clock.nowMs() })
  }

  /** 500 hosts, whose certificates were issued over the last 60 days. */
  async function begin(): Promise<void> {
    for (let at = 0; at < 300; at += 1) grow(`page${at}.${statusDomain}`)
    for (let at = 0; at < 199; at += 1) grow(`status.customer${at}.com`)
    await store.write((tx) => {
      for (const [at, { host }] of hosts.entries()) {
        const fromMs = startMs - (at * 60 * dayMs) / hosts.length
        const issued = {
          chainPem: '',
          keyBox: '',
          issuer: '',
          fromMs,
          expiresAtMs: fromMs + 90 * dayMs,
        }
        const record = newHostCertificate(host, fromMs + 60 * dayMs)
        store.hostCertificates.put(tx, { ...record, issued })
        noteIssued(host)
      }
    })
  }

  const renamed = (hour: number): WantedHost[] =>
    Array.from({ length: story.renamedPages }, (_, at) => ({
      host: `a${at}-${hour}.${statusDomain}`,
      orgId: hostile,
      isShared: true,
      sinceMs: startMs,
    }))

  let renamedNow: readonly WantedHost[] = []
  const start = () =>
    createCertificateKeeper({
      store,
      clock,
      log: recordingLog([]),
      box,
      acme,
      directoryUrl: 'https://ca.example/directory',
      email: null,
      newOfDomainMax: story.newOfDomainMax ?? limits.certificatesNewOfDomain,
      wantedHosts: () => [...hosts, ...renamedNow],
      tell: () => {},
      ...(story.planOf ? { planOf: story.planOf } : {}),
    })

  await begin()
  const certified = new Set(hosts.map(({ host }) => host))
  const expired = new Set<string>()
  const waitedMs = new Map<string, number>()
  let keeper = start()
  let waits = keeper.waits()
  for (let hour = 0; hour < story.days * 24; hour += story.roundHours) {
    if (hour % (9 * 24) === 0) keeper = start()
    const sum = (ofWeek: number, until: number) => Math.floor((ofWeek * until) / (7 * 24))
    for (
      let at = sum(story.subdomainsOfWeek, hour);
      at < sum(story.subdomainsOfWeek, hour + story.roundHours);
      at += 1
    ) {
      grow(`new${at}.${statusDomain}`)
    }
    for (
      let at = sum(story.customDomainsOfWeek, hour);
      at < sum(story.customDomainsOfWeek, hour + story.roundHours);
      at += 1
    ) {
      grow(`status.new${at}.com`)
    }
    renamedNow = renamed(hour)
    await keeper.round(new AbortController().signal)
    waits = keeper.waits()
    const nowMs = clock.nowMs()
    for (const { host, sinceMs } of hosts) {
      const expiresAtMs = keeper.timesOf(host)?.expiresAtMs ?? null
      if (expiresAtMs !== null && !certified.has(host)) {
        certified.add(host)
        waitedMs.set(host, nowMs - sinceMs)
      }
      if (certified.has(host) && (expiresAtMs ?? 0) <= nowMs) expired.add(host)
    }
    await clock.advance(story.roundHours * hourMs)
  }
  const nowMs = clock.nowMs()
  const daysLeft = (host: string) =>
    (required(keeper.timesOf(host)?.expiresAtMs, 'its end') - nowMs) / dayMs
  return {
    /** At the end of the last round. */
    waits,
    counts,
    expired,
    hosts,
    /** Hosts of others than the tenant who renames that have no certificate yet. */
    waiting: hosts.filter(({ host }) => !certified.has(host)),
    longestWaitMs: Math.max(0, ...waitedMs.values()),
    daysLeft,
    leastDaysLeft: Math.min(...[...certified].map(daysLeft)),
  }
}

/** As it was once: new hosts before renewals, and one limit pauses everything. */
const formerPlan: typeof certificatePlan = (hosts, { nowMs }) => {
  const nothing = { renewal: undefined, fresh: undefined, waits: new Map() }
  if (hosts.some(({ domainPausedUntilMs }) => domainPausedUntilMs > nowMs)) return nothing
  const [first] = hosts
    .filter(({ wanted, nextAttemptAtMs }) => wanted && nextAttemptAtMs <= nowMs)
    .toSorted((a, b) => (a.expiresAtMs ?? 0) - (b.expiresAtMs ?? 0))
  return { ...nothing, renewal: first?.host }
}

const usual = {
  subdomainsOfWeek: 30,
  customDomainsOfWeek: 20,
  renamedPages: 60,
  roundHours: amount(12, 3),
}

t.test('a tenant who renames 60 pages each hour lets no certificate expire', async (t) => {
  const story = await live({ ...usual, days: amount(42, 200), roundHours: amount(6, 1) })
  t.same([...story.expired], [])
  t.ok(story.daysLeft(ownHost) > 29)
  t.ok(story.longestWaitMs <= hourMs, 'and delays no new host of others')
  t.equal(story.counts.refused, 0, 'no limit of the authority is reached')
  const ofTenant = [...story.waits].filter(([host]) => /^a\d+-/.test(host))
  t.ok(ofTenant.length >= 50)
  t.ok(ofTenant.every(([, { kind }]) => kind === 'shared'))
})

t.test('new hosts before renewals would lose certificates by the same tenant', async (t) => {
  const story = await live({ ...usual, days: 42, planOf: formerPlan })
  t.ok(story.expired.size > 90, `${story.expired.size} expired`)
  t.ok(story.expired.has(ownHost) || story.daysLeft(ownHost) < 49)
})

t.test(
  '120 new subdomains in a week wait for their turn, and no certificate expires',
  async (t) => {
    const story = await live({ ...usual, days: amount(35, 120), subdomainsOfWeek: 120 })
    t.same([...story.expired], [])
    t.equal(story.counts.refused, 0)
    const [first] = story.waiting
    const newest = story.hosts.filter(({ host }) => /^new\d/.test(host))
    const certified = newest.length - story.waiting.length
    t.ok(certified >= 6 * 34, `${certified} new ones have theirs`)
    t.equal(
      first?.host,
      `new${certified}.${statusDomain}`,
      'the first who came is the first served',
    )
    t.ok(story.waiting.every(({ host }) => story.waits.get(host)?.kind === 'domain'))
  },
)

t.test('an authority that is down for two days lets no certificate expire', async (t) => {
  const startMs = new FakeClock().nowMs()
  const isDown = (nowMs: number) => nowMs >= startMs + 20 * dayMs && nowMs < startMs + 22 * dayMs
  const story = await live({ ...usual, days: amount(25, 120), isDown })
  t.same([...story.expired], [])
  t.same(story.waiting, [])
  t.equal(story.counts.refused, 0)
})

t.test('hosts whose challenge always fails delay no others', async (t) => {
  const fails = (host: string) => /^status\.(customer|new)\d*7\./.test(host)
  const story = await live({ ...usual, days: amount(35, 120), fails })
  t.ok([...story.expired].every(fails))
  t.ok(story.waiting.length > 0 && story.waiting.every(({ host }) => fails(host)))
  t.ok(story.longestWaitMs <= hourMs)
  t.equal(story.counts.refused, 0)
})

t.test('an authority that counts renewals too takes them before new hosts', async (t) => {
  const story = await live({
    ...usual,
    days: amount(45, 200),
    subdomainsOfWeek: 50,
    countsRenewals: true,
    newOfDomainMax: Number.POSITIVE_INFINITY,
  })
  t.same([...story.expired], [])
  t.ok(story.counts.refused > 0)
  t.ok(story.leastDaysLeft > 20, 'renewals that were refused do not come last')
})
