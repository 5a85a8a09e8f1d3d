// Status pages: creating and changing them, and the addresses that only one page can have.
import t, { type Test } from 'tap'
import { type MonitorId, newId, type OrgId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { StatusPage } from '../../../src/domain/pages/page.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { createPageUrls } from '../../../src/services/pages/page-urls.ts'
import { createPages } from '../../../src/services/pages/pages.ts'
import { openAddressChanges } from '../../support/address-changes.ts'
import { openCore } from '../../support/core.ts'
import { makeMonitor, monitorNo, orgOne, orgTwo } from '../../support/make-page.ts'
import { makeSubscriber } from '../../support/make-subscriber.ts'

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

async function open(t: Test) {
  const core = openCore(t, { baseUrl: 'https://up.test:8443', quotas: { pages: 20 } })
  const { store, clock, baseUrl } = core
  const told: OrgId[] = []
  const pages = createPages(core, {
    urls: createPageUrls({ store, baseUrl, statusDomain: 'status.test' }),
    addresses: openAddressChanges(),
    listsPages: () => true,
    mustBeApproved() {},
  })
  await store.write((tx) => {
    store.monitors.put(tx, makeMonitor())
    store.monitors.put(tx, makeMonitor({ id: monitorNo(2), isPublic: false }))
    store.monitors.put(tx, makeMonitor({ id: monitorNo(3), orgId: orgTwo }))
  })
  store.signals.pagesChanged.listen((orgId) => told.push(orgId))
  return { store, clock, pages, told }
}

t.test('a page needs a name only; the rest has defaults', async (t) => {
  const { pages, told } = await open(t)
  const page = await pages.create(alice, { name: 'Ünïted Café & Söhne' })
  t.match(page, {
    slug: 'united-cafe-sohne',
    isEnabled: true,
    isDefault: false,
    subdomain: null,
    showHistory: true,
    showUptime: true,
    showIncidents: true,
    showMonitors: true,
    publicMonitorIds: null,
    logoUrl: null,
    revision: 1,
    url: 'https://up.test:8443/status/united-cafe-sohne',
  })
  t.same(told, [orgOne])
  t.match(await pages.create(alice, { name: '日本語' }), { slug: 'status' })
  t.match(await pages.create(alice, { name: 'x'.repeat(120) }), { slug: 'x'.repeat(63) })
})

t.test('two creations of one slug at once: exactly one wins, in any organization', async (t) => {
  const { pages, store } = await open(t)
  const results = await Promise.allSettled(
    [alice, charlie, alice, charlie].map((scope) =>
      pages.create(scope, { name: 'Acme', slug: 'acme' }),
    ),
  )
  const lost = results.filter((result) => result.status === 'rejected')
  t.equal(lost.length, 3)
  for (const { reason } of lost) t.match(reason, { code: 'slug_taken', status: 409 })
  t.equal(store.pages.count(orgOne) + store.pages.count(orgTwo), 1)
})

t.test('a slug made from a taken name gets a suffix', async (t) => {
  const { pages } = await open(t)
  const names = [alice, charlie, alice].map((scope) => pages.create(scope, { name: 'Acme' }))
  const slugs = (await Promise.all(names)).map(({ slug }) => slug)
  t.equal(new Set(slugs).size, 3)
  for (const slug of slugs) t.match(slug, /^acme(-[a-z0-9]{6})?$/)
})

t.test('a released slug is free for anybody, also by deletion', async (t) => {
  const { pages } = await open(t)
  const page = await pages.create(alice, { name: 'Acme' })
  await pages.change(alice, page.id, { slug: 'other' })
  const second = await pages.create(charlie, { name: 'Acme', slug: 'acme' })
  await pages.remove(charlie, second.id)
  t.match(await pages.change(alice, page.id, { slug: 'acme' }), { slug: 'acme' })
  t.match(await pages.change(alice, page.id, { slug: null, name: 'Zeta' }), { slug: 'zeta' })
})

t.test('listed monitors must be public ones of the organization', async (t) => {
  const { pages } = await open(t)
  const create = (...publicMonitorIds: MonitorId[]) =>
    pages.create(alice, { name: 'Acme', publicMonitorIds })
  t.match(await create(monitorNo(1), monitorNo(1)), { publicMonitorIds: [monitorNo(1)] })
  const bad = { private: monitorNo(2), foreign: monitorNo(3), unknown: monitorNo(9) }
  for (const [kind, id] of Object.entries(bad)) {
    const message = `${id} must be a public monitor of this organization`
    await t.rejects(
      create(monitorNo(1), id),
      { status: 422, errors: [{ pointer: '/publicMonitorIds/1', keyword: 'reference', message }] },
      kind,
    )
  }
})

t.test('a merge patch changes the fields it names; null restores defaults', async (t) => {
  const { pages, clock } = await open(t)
  const logoUrl = 'https://logo.test/a.png'
  const page = await pages.create(alice, { name: 'Acme', title: 'T', description: 'D', logoUrl })
  await clock.advance(5)
  const changed = await pages.change(alice, page.id, { isEnabled: false }, 1)
  t.match(changed, { isEnabled: false, title: 'T', description: 'D', logoUrl, revision: 2 })
  t.equal(changed.updatedAtMs, page.updatedAtMs + 5)
  const cleared = { title: null, description: null, logoUrl: null, isEnabled: null }
  t.match(await pages.change(alice, page.id, cleared), {
    title: '',
    description: '',
    logoUrl: null,
    isEnabled: true,
    name: 'Acme',
    slug: 'acme',
  })
  await t.rejects(pages.change(alice, page.id, {}, 1), { code: 'precondition_failed' })
  await t.rejects(pages.remove(alice, page.id, 1), { code: 'precondition_failed' })
})

t.test('a logo is an https URL without a password in it', async (t) => {
  const { pages } = await open(t)
  const bad = [
    'http://a.test/x',
    'javascript:alert(1)',
    'data:image/png;base64,',
    '/x.png',
    'https:',
  ]
  for (const logoUrl of [...bad, 'https://me:pw@a.test/', '//a.test/x']) {
    const creation = pages.create(alice, { name: 'Acme', logoUrl })
    await t.rejects(creation, { errors: [{ pointer: '/logoUrl' }] }, logoUrl)
  }
  t.equal((await pages.create(alice, { name: 'Acme', logoUrl: '' })).logoUrl, null)
})

t.test('one page is the default: setting it unsets the other', async (t) => {
  const { pages } = await open(t)
  const first = await pages.create(alice, { name: 'One', isDefault: true })
  const foreign = await pages.create(charlie, { name: 'Far', isDefault: true })
  const second = await pages.create(alice, { name: 'Two', isDefault: true })
  t.match(pages.get(alice, first.id), { isDefault: false, revision: 2, slug: 'one' })
  await pages.change(alice, first.id, { isDefault: true })
  t.match(pages.get(alice, second.id), { isDefault: false })
  t.match(pages.get(charlie, foreign.id), { isDefault: true, revision: 1 })
})

t.test('an organization has at most its quota of pages', async (t) => {
  const { pages } = await open(t)
  const many = Array.from({ length: 22 }, (_, index) =>
    pages.create(alice, { name: `Page ${index}` }),
  )
  const refused = (await Promise.allSettled(many)).filter(({ status }) => status === 'rejected')
  t.equal(refused.length, 2)
  t.match(refused[0], { reason: { code: 'conflict' } })
  const { items, nextAfter = '' } = pages.list(alice, { limit: 15 })
  t.equal(items.length, 15)
  t.equal(pages.list(alice, { limit: 15, after: nextAfter }).items.length, 5)
})

t.test("another organization's page is as unknown as one that never was", async (t) => {
  const { pages } = await open(t)
  const page = await pages.create(alice, { name: 'Acme' })
  for (const id of [page.id, 'pag_01k00000000000000000000000', 'nonsense', '']) {
    const missing = { code: 'not_found', message: 'There is no such status page.' }
    t.throws(() => pages.get(charlie, id), missing)
    await t.rejects(pages.change(charlie, id, { name: 'Mine' }), missing)
    await t.rejects(pages.setSubdomain(charlie, id, 'mine'), missing)
    await t.rejects(pages.remove(charlie, id), missing)
  }
})

t.test('a subdomain is one label that nobody would associate with the operator', async (t) => {
  const { pages } = await open(t)
  const page = await pages.create(alice, { name: 'Acme' })
  const good = ['acme', 'a', '7', 'a-b', 'a--b', 'x'.repeat(63)]
  for (const label of good) {
    const set = await pages.setSubdomain(alice, page.id, label)
    t.match(set, { subdomain: label, subdomainUrl: `https://${label}.status.test:8443/` })
  }
  const bad = [
    '-a',
    'a-',
    'A',
    'a.b',
    'a_b',
    'é',
    'a b',
    'x'.repeat(64),
    ' ',
    'a\n',
    '*',
    'xn--80ak6',
  ]
  for (const label of [...bad, 'up', 'www', 'api', 'app', 'admin', 'mail', 'status', 'wpad']) {
    const setting = pages.setSubdomain(alice, page.id, label)
    await t.rejects(setting, { status: 422, errors: [{ pointer: '/subdomain' }] }, label)
  }
  for (const nothing of [null, '']) {
    await pages.setSubdomain(alice, page.id, 'acme')
    t.match(await pages.setSubdomain(alice, page.id, nothing), { subdomain: null })
  }
})

t.test('a released subdomain is blocked for a month', async (t) => {
  const { pages, clock } = await open(t)
  const mine = await pages.create(alice, { name: 'Mine' })
  const theirs = await pages.create(charlie, { name: 'Theirs' })
  const both = await Promise.allSettled([
    pages.setSubdomain(alice, mine.id, 'acme'),
    pages.setSubdomain(charlie, theirs.id, 'acme'),
  ])
  t.match(both, [{ status: 'fulfilled' }, { reason: { code: 'subdomain_taken', status: 409 } }])
  t.match(
    await pages.setSubdomain(alice, mine.id, 'acme'),
    { subdomain: 'acme' },
    'setting it again',
  )
  await pages.setSubdomain(alice, mine.id, null)
  await t.rejects(pages.setSubdomain(charlie, theirs.id, 'acme'), { code: 'subdomain_taken' })
  await pages.setSubdomain(alice, mine.id, 'acme')
  await pages.remove(alice, mine.id)
  await clock.advance(limits.subdomainQuarantineMs - 1)
  await t.rejects(pages.setSubdomain(charlie, theirs.id, 'acme'), { code: 'subdomain_taken' })
  await clock.advance(1)
  t.match(await pages.setSubdomain(charlie, theirs.id, 'acme'), { subdomain: 'acme' })
})

t.test('links at the head lead to the web or to a mailbox, and nowhere else', async (t) => {
  const { pages } = await open(t)
  const headLinks = [
    { label: 'Home', url: 'https://acme.example/' },
    { label: 'Write to us', url: 'mailto:help@acme.example' },
  ]
  const { id } = await pages.create(alice, { name: 'Acme', headLinks, layout: 'tiles' })
  t.match(pages.get(alice, id), { headLinks, layout: 'tiles', announcement: '', footer: '' })
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'home', '']) {
    const changed = pages.change(alice, id, { headLinks: [{ label: 'x', url }] }, undefined)
    const message = 'must be an http, https or mailto URL'
    await t.rejects(changed, { errors: [{ pointer: '/headLinks/0/url', message }] }, url)
  }
  await pages.change(alice, id, { headLinks: null, layout: null }, undefined)
  t.match(pages.get(alice, id), { headLinks: [], layout: 'rows' })
})

t.test('a field that was added since is no change of an older page', async (t) => {
  const { pages, store } = await open(t)
  const { id } = await pages.create(alice, { name: 'Acme' })
  const { isListed, ...older } = store.pages.get(orgOne, id) as StatusPage
  await store.write((tx) => store.pages.put(tx, older as StatusPage, 0))
  t.match(pages.get(alice, id), { isListed: false })
  await pages.change(alice, id, { title: 'Acme Inc.' }, undefined)
  t.match(store.audit.list(orgOne, 1), [{ action: 'page.changed', fields: ['title'] }])
})

t.test('the members are read once for a list of pages that are for them', async (t) => {
  const { store, pages } = await open(t)
  for (const name of ['One', 'Two', 'Three']) {
    const { id: pageId } = await pages.create(alice, { name, visibility: 'members' })
    const subscriber = makeSubscriber({
      ...{ id: newId('subscriber', 1), orgId: orgOne, pageId },
      ...{ kind: 'email', mark: name, state: 'active' },
    })
    await store.write((tx) => store.subscribers.put(tx, subscriber))
  }
  const reads = t.capture(store.memberships, 'list', store.memberships.list)
  const { items } = pages.list(alice, { limit: 10 })
  t.same(
    items.map(({ subscribers }) => subscribers.silent),
    [1, 1, 1],
  )
  t.equal(reads().length, 1)
})
