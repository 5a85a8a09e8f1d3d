// Custom domains through the API of a whole daemon, with name servers on loopback: proofs, races,
// what is served where, and which hosts may have certificates.
import t, { type Test } from 'tap'
import { apiRoutes } from '../../../../src/http/api/api.ts'
import { subscriptionPages } from '../../../../src/http/public/subscriptions.ts'
import { siteRoutes } from '../../../../src/http/site/site.ts'
import type { DomainRecord } from '../../../../src/services/pages/custom-domains.ts'
import { proofPath } from '../../../../src/services/pages/domain-sights.ts'
import { getAtHost, statusAtHost } from '../../../support/at-host.ts'
import { mintKey, type Owner, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { type RecordsZone, rdata, startRecordsServer } from '../../../support/dns-records-server.ts'

const baseHost = 'up.example.test'
const host = 'status.example.com'
const proof = `TXT _status-challenge.${host}`
const here = { records: [rdata.address('127.0.0.1')] }
const elsewhere = { records: [rdata.address('127.0.0.9')] }
const text = (value: string) => ({ records: [rdata.text('v=spf1 -all'), rdata.text(value)] })

async function open(t: Test, env: Record<string, string> = {}) {
  const servers = [await startRecordsServer({}), await startRecordsServer({})] as const
  const daemon = await startDaemon(t, {
    env: {
      DNS_SERVERS: servers.map(({ server }) => server).join(','),
      HTTP_BASE_URL: `http://${baseHost}:8080`,
      HTTP_STATUS_DOMAIN: 'pages.test',
      ...env,
    },
  })
  t.teardown(() => Promise.all(servers.map((server) => server.close())))
  /** What both name servers know, beside the addresses of the service. */
  function setZone(zone: RecordsZone): void {
    for (const server of servers) server.zone = { [`A ${baseHost}`]: here, ...zone }
  }
  setZone({})
  const pageFor = ({ org, cookie }: Owner, slug: string, more: object = {}) =>
    daemon.need('POST', `${org}/status-pages`, { cookie, json: { name: slug, slug, ...more } })
  const claim = ({ org, cookie }: Owner, statusPageId: string, hostname = host, headers = {}) =>
    daemon.need('POST', `${org}/custom-domains`, {
      ...{ cookie, headers },
      json: { hostname, statusPageId },
    })
  const verify = ({ org, cookie }: Owner, id: string) =>
    daemon.need('POST', `${org}/custom-domains/${id}/verify`, { cookie })
  const get = ({ org, cookie }: Owner, id: string) =>
    daemon.need('GET', `${org}/custom-domains/${id}`, { cookie })
  const remove = ({ org, cookie }: Owner, id: string) =>
    daemon.need('DELETE', `${org}/custom-domains/${id}`, { cookie })
  const at = (path: string, where = host, headers = {}) =>
    getAtHost(`${daemon.url}${path}`, where, headers)
  const mayHave = async (domain: string, headers = {}) =>
    (await at(`/internal/tls-ask?domain=${domain}`, '127.0.0.1', headers)).status
  return { daemon, servers, setZone, pageFor, claim, verify, get, remove, at, mayHave }
}

t.test('a host name is proven by a record, and then its page is there', async (t) => {
  const { daemon, setZone, pageFor, claim, verify, get, remove, at, mayHave } = await open(t)
  const alice = await register(daemon, 'alice')
  const page = await pageFor(alice, 'acme')
  const domain = await claim(alice, page.id, 'Status.EXAMPLE.com.')
  t.match(domain, {
    id: /^dom_/,
    orgId: alice.orgId,
    hostname: host,
    statusPageId: page.id,
    status: 'pending',
    problem: null,
    reason: null,
    records: [
      { type: 'TXT', name: `_status-challenge.${host}`, value: /^[0-9a-f]{40}$/ },
      { type: 'CNAME', name: host, value: baseHost },
    ],
    verifiedAt: null,
    lastCheckedAt: null,
    revision: 1,
  })
  const { value: token } = domain.records[0]
  t.equal((await at('/')).status, 404, 'not yet')
  t.equal(await mayHave(host), 404)

  setZone({ [`A ${host}`]: elsewhere })
  t.match(await verify(alice, domain.id), { status: 'pending', problem: 'proof_missing' })
  setZone({ [proof]: text('wrong'), [`A ${host}`]: elsewhere })
  t.match(await verify(alice, domain.id), { status: 'pending', problem: 'proof_other' })

  setZone({ [proof]: text(token), [`A ${host}`]: elsewhere })
  t.match(await verify(alice, domain.id), {
    status: 'verified',
    problem: 'leads_elsewhere',
    reason: /leads elsewhere/,
  })
  const first = await at('/')
  t.equal(first.status, 200)
  t.match(first.text, 'acme')
  t.equal(await mayHave(host), 200)

  t.match(await get(alice, domain.id), { status: 'verified', hostname: host })

  t.equal((await at('/', `${host.toUpperCase()}.:8080`)).status, 200, 'however it is written')
  t.equal((await at('/', 'other.example.com')).status, 404)
  t.equal((await at(`/status/acme`)).status, 404, 'pages by slug are at the service')
  t.equal((await at('/sign-in')).status, 404, 'and so is signing in')

  await daemon.need('PATCH', `${alice.org}/status-pages/${page.id}`, {
    cookie: alice.cookie,
    json: { isEnabled: false },
  })
  t.equal((await at('/')).status, 404, 'a disabled page is nowhere')
  t.equal(await mayHave(host), 404)
  await daemon.need('PATCH', `${alice.org}/status-pages/${page.id}`, {
    cookie: alice.cookie,
    json: { isEnabled: true },
  })
  t.equal((await at('/')).status, 200)
  await remove(alice, domain.id)
  t.equal((await at('/')).status, 404, 'at once')
  t.equal(await mayHave(host), 404)
})

t.test('a name that leads here is active', async (t) => {
  const { daemon, setZone, pageFor, claim, verify, at } = await open(t)
  const alice = await register(daemon, 'alice')
  const page = await pageFor(alice, 'acme')
  const domain = await claim(alice, page.id)
  setZone({ [proof]: text(domain.records[0].value), [`A ${host}`]: here })
  t.match(await verify(alice, domain.id), { status: 'active', problem: null, reason: null })
  t.match((await at('/')).text, 'acme')
})

t.test('of two organizations only the one with the proof gets a host name', async (t) => {
  const { daemon, setZone, pageFor, claim, verify, get, remove, at } = await open(t)
  const alice = await register(daemon, 'alice')
  const bob = await register(daemon, 'bob')
  const [herPage, hisPage] = [await pageFor(alice, 'hers'), await pageFor(bob, 'his')]
  const hers = await claim(alice, herPage.id)
  const his = await claim(bob, hisPage.id)
  const tokenOf = ({ records }: Pick<DomainRecord, 'records'>) => records[0]?.value ?? ''
  t.not(tokenOf(hers), tokenOf(his), 'each has a token of its own')

  setZone({ [proof]: text(tokenOf(his)), [`A ${host}`]: here })
  t.match(await verify(alice, hers.id), { status: 'pending', problem: 'proof_other' })
  t.match(await verify(bob, his.id), { status: 'active' })
  const lost = await get(alice, hers.id)
  t.match(lost, { status: 'failed', problem: 'taken', nextCheckAt: null })
  t.notMatch(JSON.stringify(lost), bob.orgId, 'it does not say who has it')
  t.match((await at('/')).text, 'his')

  // Even with her own proof beside his.
  setZone({
    [proof]: { records: [rdata.text(tokenOf(his)), rdata.text(tokenOf(hers))] },
    [`A ${host}`]: here,
  })
  t.match(await verify(alice, hers.id), { status: 'failed', problem: 'taken' })
  const json = { hostname: host, statusPageId: herPage.id }
  const again = await daemon.ask('POST', `/api/v1${alice.org}/custom-domains`, {
    cookie: alice.cookie,
    json,
  })
  t.match([again.status, again.json.code], [409, 'hostname_taken'])

  await remove(bob, his.id)
  t.equal((await at('/')).status, 404)
  setZone({ [proof]: text(tokenOf(his)), [`A ${host}`]: here })
  t.match(await claim(alice, herPage.id), { id: hers.id, status: 'pending', problem: null })
  t.match(await verify(alice, hers.id), { status: 'pending' }, 'a record left behind is not hers')
  setZone({ [proof]: text(tokenOf(hers)), [`A ${host}`]: here })
  t.match(await verify(alice, hers.id), { status: 'active' })
  t.match((await at('/')).text, 'hers')
})

t.test('a claim can be repeated, and moves between the pages of an organization', async (t) => {
  const { daemon, setZone, pageFor, claim, verify, at } = await open(t)
  const alice = await register(daemon, 'alice')
  const [one, two] = [await pageFor(alice, 'one'), await pageFor(alice, 'two')]
  const domain = await claim(alice, one.id)
  t.same(await claim(alice, one.id), domain, 'a retry changes nothing')
  const key = { 'idempotency-key': 'again' }
  t.same(await claim(alice, one.id, host, key), domain, 'nor one with a key')
  t.same(await claim(alice, one.id, host, key), domain, 'which is answered alike')
  setZone({ [proof]: text(domain.records[0].value), [`A ${host}`]: here })
  await verify(alice, domain.id)
  t.match((await at('/')).text, 'one')
  const moved = await claim(alice, two.id)
  t.match(moved, { id: domain.id, status: 'active', statusPageId: two.id })
  t.match((await at('/')).text, 'two')
  const path = `${alice.org}/status-pages/${two.id}`
  await daemon.need('DELETE', path, { cookie: alice.cookie })
  t.equal((await at('/')).status, 404)
  const list = await daemon.need('GET', `${alice.org}/custom-domains`, { cookie: alice.cookie })
  t.same(list, [], 'a domain goes with its page')
  const log = await daemon.need('GET', `${alice.org}/audit-log`, { cookie: alice.cookie })
  const actions = log.map(({ action }: { action: string }) => action)
  for (const action of ['created', 'activated', 'moved', 'deleted']) {
    t.ok(actions.includes(`domain.${action}`), action)
  }
})

t.test('two name servers have to agree, where anyone may register', async (t) => {
  const { daemon, servers, setZone, pageFor, claim, verify } = await open(t)
  const alice = await register(daemon, 'alice')
  const page = await pageFor(alice, 'acme')
  const domain = await claim(alice, page.id)
  const known = { [proof]: text(domain.records[0].value), [`A ${host}`]: here }
  setZone(known)
  servers[1].zone = {}
  t.match(await verify(alice, domain.id), { status: 'pending', problem: 'proof_spreading' })
  servers[1].zone = { [proof]: { code: 2 } }
  t.match(await verify(alice, domain.id), { status: 'pending', problem: 'proof_spreading' })
  setZone({ [proof]: { code: 2 }, [`A ${host}`]: { code: 2 } })
  t.match(await verify(alice, domain.id), { status: 'pending', problem: 'names_unanswered' })
  setZone(known)
  t.match(await verify(alice, domain.id), { status: 'active' })
  setZone({ [proof]: { code: 2 }, [`A ${host}`]: { code: 2 } })
  t.match(await verify(alice, domain.id), { status: 'active' }, 'SERVFAIL is no missing record')
})

t.test('what cannot be a custom domain is refused with the field and the rule', async (t) => {
  const { daemon, pageFor } = await open(t, { QUOTAS_DOMAINS: '1' })
  const alice = await register(daemon, 'alice')
  const bob = await register(daemon, 'bob')
  const { id: statusPageId } = await pageFor(alice, 'acme')
  const { id: foreign } = await pageFor(bob, 'his')
  const { cookie } = alice
  const post = (json: object, more: object = { cookie }) =>
    daemon.ask('POST', `/api/v1${alice.org}/custom-domains`, { json, ...more })
  const refusals = {
    '127.0.0.1': 'format',
    'co.uk': 'publicSuffix',
    [baseHost]: 'reserved',
    'acme.pages.test': 'reserved',
    'a_b.example.com': 'format',
  }
  for (const [hostname, keyword] of Object.entries(refusals)) {
    const { status, json } = await post({ hostname, statusPageId })
    t.equal(status, 422)
    t.match(json.errors, [{ pointer: '/hostname', keyword }], hostname)
  }
  const wrongPage = await post({ hostname: host, statusPageId: foreign })
  t.match(wrongPage.json.errors, [{ pointer: '/statusPageId', keyword: 'reference' }])
  const both = await post({ hostname: 'co.uk', statusPageId: foreign, more: 1 })
  t.equal(both.json.errors.length, 3, 'all at once')

  const member = await mintKey(daemon, alice, 'member')
  t.equal((await post({ hostname: host, statusPageId }, { key: member })).status, 403)
  const admin = await mintKey(daemon, alice, 'admin')
  const made = await post({ hostname: 'bücher.example', statusPageId }, { key: admin })
  t.equal(made.json.data.hostname, 'xn--bcher-kva.example')
  t.equal((await post({ hostname: host, statusPageId })).json.code, 'conflict', 'beyond the quota')
  const id = made.json.data.id
  const other = await daemon.ask('GET', `/api/v1${bob.org}/custom-domains/${id}`, {
    cookie: bob.cookie,
  })
  t.equal(other.status, 404, 'the domain of another organization does not exist')
})

t.test('a name at the top of its domain gets addresses in place of a CNAME', async (t) => {
  const { daemon, pageFor, claim } = await open(t)
  const alice = await register(daemon, 'alice')
  const page = await pageFor(alice, 'acme')
  const { records } = await claim(alice, page.id, 'example.com')
  t.match(records[1], { type: 'A', name: 'example.com', value: '127.0.0.1' })
  await daemon.need('PATCH', `${alice.org}/status-pages/${page.id}/subdomain`, {
    cookie: alice.cookie,
    json: { subdomain: 'acme' },
  })
  const below = await claim(alice, page.id)
  t.match(below.records[1], { type: 'CNAME', value: 'acme.pages.test' })
})

t.test('checks by hand are limited', async (t) => {
  const { daemon, pageFor, claim, verify } = await open(t)
  const alice = await register(daemon, 'alice')
  const page = await pageFor(alice, 'acme')
  const { id } = await claim(alice, page.id)
  for (let n = 0; n < 20; n += 1) await verify(alice, id)
  const { status, headers } = await daemon.ask(
    'POST',
    `/api/v1${alice.org}/custom-domains/${id}/verify`,
    { cookie: alice.cookie },
  )
  t.equal(status, 429)
  t.ok(Number(headers.get('retry-after')) > 0)
})

t.test('a proxy is told which hosts may have a certificate, and nobody else is', async (t) => {
  const { daemon, setZone, pageFor, claim, verify, at, mayHave } = await open(t, {
    SYSTEM_TOKEN: 'the-token-of-the-operator',
    HTTP_TRUSTED_PROXIES: '192.0.2.0/24',
  })
  const alice = await register(daemon, 'alice')
  const page = await pageFor(alice, 'acme')
  await daemon.need('PATCH', `${alice.org}/status-pages/${page.id}/subdomain`, {
    cookie: alice.cookie,
    json: { subdomain: 'acme' },
  })
  const name = 'bücher.example'
  const encoded = 'xn--bcher-kva.example'
  const domain = await claim(alice, page.id, name)
  setZone({
    [`TXT _status-challenge.${encoded}`]: text(domain.records[0].value),
    [`A ${encoded}`]: here,
  })
  t.match(await verify(alice, domain.id), { status: 'active' })
  const yes = [
    encoded,
    'XN--BCHER-KVA.Example',
    `${encoded}.`,
    encodeURIComponent(name),
    baseHost,
    'acme.pages.test',
  ]
  for (const one of yes) t.equal(await mayHave(one), 200, one)
  const no = [
    '',
    'other.example',
    `a.${encoded}`,
    'pages.test',
    'other.pages.test',
    'a.acme.pages.test',
    '127.0.0.1',
    '%00',
    'a'.repeat(3_000),
  ]
  for (const one of no) t.equal(await mayHave(one), 404, one.slice(0, 40))
  t.equal((await at('/internal/tls-ask', '127.0.0.1')).status, 404, 'without a name')
  const passedOn = { 'x-forwarded-for': '198.51.100.1' }
  t.equal(await mayHave(encoded, passedOn), 401, 'whose requests a proxy passes on may not ask')
  const token = { ...passedOn, authorization: 'Bearer the-token-of-the-operator' }
  t.equal(await mayHave(encoded, token), 200, 'but the operator may')
  t.equal(await mayHave(encoded, { authorization: 'Bearer wrong' }), 401)
})

t.test('behind a CDN a name leads here if this service answers there', async (t) => {
  const { daemon, setZone, pageFor, claim, verify, at } = await open(t)
  const alice = await register(daemon, 'alice')
  const page = await pageFor(alice, 'acme')
  const domain = await claim(alice, page.id)
  setZone({ [proof]: text(domain.records[0].value), [`A ${host}`]: elsewhere })
  const question = '0123456789abcdef'.repeat(2)
  const path = `${proofPath}/${question}`
  t.equal((await at(path)).status, 404)
  t.equal((await verify(alice, domain.id)).status, 'verified')
  const { status, text: answer } = await at(path)
  t.equal(status, 200)
  t.match(answer, /^[0-9a-f]{32}$/)
  t.equal((await at(path, baseHost)).status, 404)
  t.equal((await at(`${proofPath}/other`)).status, 404)
})

t.test('at the hosts of pages there is nothing of the service', async (t) => {
  const { daemon, setZone, pageFor, claim, verify, at } = await open(t)
  const alice = await register(daemon, 'alice')
  const page = await pageFor(alice, 'acme')
  const { org, cookie } = alice
  const json = { subdomain: 'acme' }
  await daemon.need('PATCH', `${org}/status-pages/${page.id}/subdomain`, { cookie, json })
  const domain = await claim(alice, page.id)
  setZone({ [proof]: text(domain.records[0].value), [`A ${host}`]: here })
  await verify(alice, domain.id)

  const raw = ['/app', '/app/incidents', '/docs', '/docs/monitors.create', '/problems', '/metrics']
  const more = ['/api/v1/openapi.json', '/internal/tls-ask', '/.well-known/stillup.json']
  const routes = [
    ...apiRoutes,
    ...siteRoutes.filter(({ path }) => path !== '/'),
    ...subscriptionPages.map(({ method = 'GET', path }) => ({ method, path })),
    ...[...raw, ...more].map((path) => ({ method: 'GET', path })),
  ]
  // A key that may do everything is of no use here either.
  const key = await mintKey(daemon, alice)
  const credential = { authorization: `Bearer ${key}` }
  const asked = (path: string) => path.replace(':orgId', alice.orgId).replace(/:\w+/g, 'x')
  for (const where of [host, `${host.toUpperCase()}.:8080`, 'acme.pages.test', 'none.pages.test']) {
    const wrong: string[] = []
    const isWhole = where === host || where === 'acme.pages.test'
    for (const { method, path } of isWhole ? routes : routes.slice(-20)) {
      for (const one of isWhole ? [method] : [method, 'OPTIONS', 'TRACE']) {
        const options = { host: where, method: one, headers: credential }
        const status = await statusAtHost(daemon.url + asked(path), options)
        if (status !== 404) wrong.push(`${one} ${path}: ${status}`)
      }
    }
    t.same(wrong, [], where)
    const isPage = where !== 'none.pages.test'
    t.equal((await at('/', where)).status, isPage ? 200 : 404)
    t.equal((await at('/api/v2/summary.json', where)).status, isPage ? 200 : 404)
    t.equal((await at('/healthz', where)).status, 200, 'for those who watch the service')
  }
  const own = await at(`/api/v1${org}/monitors`, baseHost, credential)
  t.equal(own.status, 200)
  t.equal(
    (await at('/docs', '127.0.0.1')).status,
    200,
    'other names of the machine are not for pages',
  )
})
