// How often an organization may give its status pages other addresses, whichever kind they are.
import t, { type Test } from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import { newId, type OrgId } from '../../../src/base/ids.ts'
import { createLimiter } from '../../../src/base/limiter.ts'
import { createDomainProofs } from '../../../src/seal/domain-proof.ts'
import { domainVerifications } from '../../../src/services/assembly/domains.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { createCustomDomains } from '../../../src/services/pages/custom-domains.ts'
import { createPageUrls } from '../../../src/services/pages/page-urls.ts'
import { createPages } from '../../../src/services/pages/pages.ts'
import { portablePages } from '../../../src/services/pages/portable-pages.ts'
import { openAddressChanges } from '../../support/address-changes.ts'
import { openCore } from '../../support/core.ts'
import { makePage, orgOne, orgTwo } from '../../support/make-page.ts'

function scopeOf(orgId: OrgId): OrgScope {
  const caller = {
    principal: { kind: 'system' },
    requestId: 'req_1',
    address: '',
    userAgent: '',
    language: 'en',
  }
  return { caller, orgId, role: 'admin' } as OrgScope
}
const alice = scopeOf(orgOne)
const charlie = scopeOf(orgTwo)

function open(t: Test, quota: number) {
  const core = openCore(t, { inMemory: true })
  const { store, clock, baseUrl } = core
  const urls = createPageUrls({ store, baseUrl, statusDomain: 'status.test' })
  const places = {
    urls,
    addresses: openAddressChanges({ quota, windowSeconds: 86_400 }),
    mustBeApproved() {},
  }
  const domains = createCustomDomains(core, {
    ...places,
    proofs: createDomainProofs(Buffer.alloc(32)),
    keeper: { check: async () => undefined },
    resolver: { resolve: async () => ({ addresses: [] }) },
    verifyLimiter: createLimiter(domainVerifications, 10),
  })
  return {
    store,
    clock,
    domains,
    pages: createPages(core, { ...places, listsPages: () => true }),
    portable: portablePages(core, places),
  }
}

t.test(
  'a page that is renamed again and again is refused, and no other organization',
  async (t) => {
    const { pages, clock } = open(t, 2)
    const mine = await pages.create(alice, { name: 'Mine' })
    const theirs = await pages.create(charlie, { name: 'Theirs' })
    await pages.setSubdomain(alice, mine.id, 'acme-1')
    await pages.setSubdomain(alice, mine.id, 'acme-1')
    await pages.setSubdomain(alice, mine.id, null)
    await pages.setSubdomain(alice, mine.id, 'acme-2')
    await t.rejects(pages.setSubdomain(alice, mine.id, 'acme-3'), {
      code: 'rate_limited',
      status: 429,
      message: /^subdomain .* 200 times in 24 hours; try again in \d+ s\.$/,
      errors: [{ pointer: '/subdomain', keyword: 'rate' }],
      headers: [['Retry-After', /^\d+$/]],
    })
    t.match(pages.get(alice, mine.id), { subdomain: 'acme-2' })
    await pages.setSubdomain(alice, mine.id, null)
    t.match(await pages.setSubdomain(charlie, theirs.id, 'other'), { subdomain: 'other' })
    await clock.advance(12 * 3_600_000)
    t.match(await pages.setSubdomain(alice, mine.id, 'acme-3'), { subdomain: 'acme-3' })
  },
)

t.test('slugs and custom domains count too', async (t) => {
  const { pages, domains } = open(t, 2)
  const mine = await pages.create(alice, { name: 'Mine' })
  await pages.change(alice, mine.id, { slug: 'mine-1' })
  await pages.change(alice, mine.id, { slug: 'mine-1', title: 'Mine' })
  const claim = (hostname: string) => domains.create(alice, { hostname, statusPageId: mine.id })
  await claim('status.example.com')
  await claim('status.example.com')
  await t.rejects(claim('other.example.com'), {
    code: 'rate_limited',
    errors: [{ pointer: '/hostname', keyword: 'rate' }],
  })
  await t.rejects(pages.change(alice, mine.id, { slug: 'mine-2' }), {
    code: 'rate_limited',
    errors: [{ pointer: '/slug', keyword: 'rate' }],
  })
  t.match(await pages.change(alice, mine.id, { title: 'Still' }), { title: 'Still' })
})

t.test('an import gives no more addresses than other requests', async (t) => {
  const { store, portable } = open(t, 1)
  const ready = ['one', 'two'].map((subdomain, at) => ({
    page: makePage({ id: newId('page', at), slug: '', subdomain }),
    slug: subdomain,
    files: [],
  }))
  const importing = store.write((tx) => portable.put(tx, orgOne, ready, '/statusPages'))
  const error = await importing.catch((thrown: unknown) => thrown)
  if (!(error instanceof Fault)) throw error
  t.match(error, {
    code: 'rate_limited',
    errors: [{ pointer: '/statusPages/1/subdomain' }],
    headers: [['Retry-After', /^\d+$/]],
  })
  t.equal(store.pages.count(orgOne), 0)
})
