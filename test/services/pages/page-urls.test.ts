// Which host leads to which page, and under which address a page is known.
import { createHash } from 'node:crypto'
import t, { type Test } from 'tap'
import { certificateHostsMax } from '../../../src/actors/tasks/certificate-keeper.ts'
import { required } from '../../../src/base/assert.ts'
import { type DomainId, newId } from '../../../src/base/ids.ts'
import { type CustomDomain, newDomain } from '../../../src/domain/pages/custom-domain.ts'
import { createPageUrls } from '../../../src/services/pages/page-urls.ts'
import { putOrgs } from '../../support/make-org.ts'
import { makePage, orgOne } from '../../support/make-page.ts'
import { openTempStore } from '../../support/temp-store.ts'

const host = 'status.example.com'
const page = makePage({ subdomain: 'acme' })

function open(t: Test) {
  const { store, clock } = openTempStore(t)
  putOrgs(store, [orgOne])
  const urlsWith = (baseUrl = 'https://up.test', statusDomain: string | null = 'pages.test') =>
    createPageUrls({ store, baseUrl, statusDomain })
  const put = (changes: Partial<CustomDomain> = {}) => {
    const nowMs = clock.nowMs()
    const id: DomainId = newId('domain', nowMs)
    const base = { id, orgId: orgOne, pageId: page.id, hostname: host, token: 'token', nowMs }
    const domain = { ...newDomain(base), ...changes }
    return store.write((tx) => {
      store.customDomains.put(tx, domain)
      return domain
    })
  }
  const putPage = (changes = {}) =>
    store.write((tx) => store.pages.put(tx, { ...page, ...changes }, clock.nowMs()))
  return { store, urlsWith, put, putPage }
}

t.test('readers are sent to the custom domain, else the subdomain, else the slug', async (t) => {
  const { urlsWith, put, putPage } = open(t)
  await putPage()
  const urls = urlsWith()
  t.equal(urls.of(makePage()), 'https://up.test/status/acme')
  const domain = await put({ state: 'verified' })
  t.equal(urls.of(page), 'https://acme.pages.test')
  await put({ ...domain, state: 'active' })
  t.equal(urls.of(page), 'https://status.example.com')
  t.equal(urlsWith('http://up.test:8080').of(page), 'http://status.example.com:8080')
  await put({ ...domain, state: 'failed' })
  t.equal(urls.of(page), 'https://acme.pages.test')
})

t.test('a host leads to its page as soon as it is proven, also after a restart', async (t) => {
  const { urlsWith, put, putPage } = open(t)
  await putPage()
  const urls = urlsWith()
  const domain = await put()
  t.notOk(urls.isPageHost(host))
  t.equal(urls.pageAt(host), undefined)
  await put({ ...domain, state: 'verified' })
  for (const one of [urls, urlsWith()]) {
    t.ok(one.isPageHost(host))
    t.equal(one.pageAt(host)?.id, page.id)
  }
  t.equal(urls.pageAt('acme.pages.test')?.id, page.id)
})

t.test('a name that has become one of the service itself is no custom domain', async (t) => {
  const { urlsWith, put, putPage } = open(t)
  await putPage()
  await put({ state: 'active' })
  t.notOk(urlsWith(`https://${host}`).isPageHost(host))
  t.equal(urlsWith('https://up.test', 'example.com').pageAt(host), undefined)
})

t.test('released subdomains, however many, displace no host', async (t) => {
  const { store, urlsWith } = open(t)
  const urls = urlsWith()
  // The index is in the order of hashes: this one is among the last.
  const last = required(
    Array.from({ length: 100_000 }, (_, at) => `page${at}`).find((label) =>
      createHash('sha256').update(label).digest('base64url').startsWith('zz'),
    ),
    'such a label',
  )
  await store.write((tx) => {
    for (let at = 0; at < certificateHostsMax + 1_000; at += 1) {
      store.pages.put(tx, { ...page, subdomain: `former${at}` }, 0)
    }
    store.pages.put(tx, { ...page, subdomain: last }, 0)
  })
  t.equal(urls.hosts()[0]?.host, `${last}.pages.test`)
})

t.test('the hosts with certificates are told, and when they change', async (t) => {
  const { store, urlsWith, put, putPage } = open(t)
  const urls = urlsWith()
  let changes = 0
  store.signals.pageHostsChanged.listen(() => {
    changes += 1
  })
  const names = () => urls.hosts().map((one) => one.host)
  await putPage()
  t.same(urls.hosts(), [
    { host: 'acme.pages.test', orgId: orgOne, isShared: true, sinceMs: page.createdAtMs },
  ])
  const domain = await put({ state: 'verified' })
  t.same(names(), ['acme.pages.test'], 'not one that leads elsewhere')
  t.ok(urls.mayHaveCertificate(host), 'but a proxy may have one')
  await put({ ...domain, state: 'active' })
  t.same(names(), [host, 'acme.pages.test'])
  t.equal(changes, 3)
  await putPage({ title: 'Other' })
  await put({ ...domain, state: 'active', attempts: 1 })
  t.equal(changes, 3, 'what changes no host is not told')
  await putPage({ isEnabled: false })
  t.same(names(), [])
  t.equal(changes, 4)
})

t.test(
  'the host of the service is never that of a page, even of one that had its label',
  async (t) => {
    const { urlsWith, putPage } = open(t)
    await putPage()
    const urls = urlsWith('https://acme.pages.test')
    t.notOk(urls.isPageHost('acme.pages.test'))
    t.equal(urls.pageAt('acme.pages.test'), undefined)
    t.equal(urls.subdomainUrl(page), null)
    t.equal(urls.of(page), 'https://acme.pages.test/status/acme')
    t.same(urls.hosts(), [])
    t.ok(urls.isPageHost('other.pages.test'))
  },
)
