// The check of somebody else's status page, by the documents that the products publish for programs.
import t, { type Test } from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { verdictOn } from '../../../src/domain/checks/verdict.ts'
import { parseStatusPageUrl } from '../../../src/probes/status-page/status-page.ts'
import { probeContract } from '../../contracts/probe.contract.ts'
import { registerWithKey } from '../../support/cast.ts'
import { startDaemon } from '../../support/daemon.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openProbe } from '../../support/open-probe.ts'
import {
  answer,
  answerJson,
  closedPort,
  endless,
  hangUp,
  raw,
  redirectTo,
  type Script,
  silent,
  startTarget,
} from '../../support/target.ts'
import { until } from '../../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
const probe = openProbe(t, clock, { checkType: 'status-page' })

async function serve(t: Test, script: Script | Readonly<Record<string, Script>>) {
  const target = await startTarget(script)
  t.after(() => target.close())
  return target
}

const check = (url: string, fields: TargetFields = {}) =>
  probe(makeTarget({ url, ...fields }), { clock })

/** As https://www.githubstatus.com/api/v2/summary.json answers. */
function statuspage(indicator: string, components: Readonly<Record<string, string>>) {
  const own = { page_id: 'kctbh9vrtdwd', group_id: null, group: false, showcase: false }
  return {
    page: {
      id: 'kctbh9vrtdwd',
      name: 'GitHub',
      url: 'https://www.githubstatus.com',
      time_zone: 'Etc/UTC',
      updated_at: '2026-11-29T22:10:31.123Z',
    },
    components: Object.entries(components).map(([name, status], index) => ({
      id: `8l4ygp009s5${index}`,
      name,
      status,
      position: index + 1,
      description: null,
      ...own,
    })),
    incidents: [{ id: 'p31zjtct2jer', name: 'Delays of webhooks', status: 'investigating' }],
    scheduled_maintenances: [],
    status: { indicator, description: 'Partial System Outage' },
  }
}

const instatusSummary = {
  page: { name: 'Dagger', url: 'https://status.dagger.example', status: 'HASISSUES' },
  activeIncidents: [
    {
      id: 'cl0',
      name: 'Slow builds',
      started: '2026-11-29T20:00:00.000Z',
      status: 'INVESTIGATING',
      impact: 'PARTIALOUTAGE',
      url: 'https://status.dagger.example/cl0',
    },
  ],
}
const instatusComponents = {
  components: [
    { id: 'a1', name: 'Cloud', status: 'PARTIALOUTAGE', isParent: true, children: [] },
    { id: 'a2', name: 'Website', status: 'OPERATIONAL', isParent: false, children: [] },
    {
      id: 'a3',
      name: 'Regions',
      status: 'OPERATIONAL',
      isParent: true,
      children: [{ id: 'a4', name: 'Paris', status: 'MAJOROUTAGE' }],
    },
  ],
}

function betterStack(aggregate: string, resource: string) {
  return {
    data: {
      id: '165',
      type: 'status_page',
      attributes: { company_name: 'Render', aggregate_state: aggregate, timezone: 'UTC' },
      relationships: { resources: { data: [{ id: '7', type: 'status_page_resource' }] } },
    },
    included: [
      {
        id: '7',
        type: 'status_page_resource',
        attributes: { public_name: 'Background Workers', status: resource, availability: 0.999 },
      },
      { id: '3', type: 'status_page_section', attributes: { name: 'Services' } },
      {
        id: '9',
        type: 'status_report',
        attributes: { title: 'Workers are late', report_type: 'manual', ends_at: null },
      },
    ],
  }
}

const policy = { checkType: 'status-page', degradedThresholdMs: null } as const

t.test('the page as a whole is up, degraded or down, as its indicator says', async (t) => {
  const target = await serve(t, answer())
  const said: Record<string, [verdict: string, words?: string]> = {
    none: ['up'],
    maintenance: ['degraded', 'the page reports maintenance'],
    minor: ['degraded', 'the page reports degraded performance'],
    major: ['degraded', 'the page reports a partial outage'],
    critical: ['down', 'the page reports a major outage'],
  }
  for (const [indicator, [verdict, words]] of Object.entries(said)) {
    const document = statuspage(indicator, { 'Git Operations': 'operational' })
    target.script = { '/api/v2/summary.json': answerJson(document) }
    const reading = await check(`${target.url}/`)
    t.equal(verdictOn(policy, reading), verdict, indicator)
    t.equal(reading.error?.message ?? reading.message, words)
    t.match(reading.found, { page: 'GitHub', product: 'statuspage' })
  }
})

t.test('of named components only these count, by name in any case, or by id', async (t) => {
  const document = statuspage('critical', {
    'API Requests': 'operational',
    Webhooks: 'partial_outage',
    Pages: 'major_outage',
  })
  const target = await serve(t, { '/api/v2/summary.json': answerJson(document) })
  const at = (query: string) => check(`${target.url}?${query}`)
  t.match(await at('component=API%20Requests'), { result: 'good', message: undefined })
  t.match(await at('component=api+requests&component=webhooks'), {
    result: 'good',
    isDegraded: true,
    message: 'the page reports a partial outage: webhooks',
  })
  t.match(await at('component=8l4ygp009s52'), {
    result: 'failed',
    error: { kind: 'reported', message: 'the page reports a major outage: 8l4ygp009s52' },
    evidence: { body: /"name":"Pages","status":"major_outage"/ },
  })
  t.match(await at('component=Billing'), {
    result: 'failed',
    error: { kind: 'assertion', message: 'the page has no component named Billing' },
  })
})

t.test('what was found is JSON for assertions, the worst first', async (t) => {
  const document = statuspage('minor', { A: 'operational', B: 'degraded_performance' })
  const target = await serve(t, { '/api/v2/summary.json': answerJson(document) })
  const reading = await check(target.url)
  t.same(reading.found, {
    page: 'GitHub',
    product: 'statuspage',
    status: 'degraded',
    components: [
      { name: 'B', status: 'degraded' },
      { name: 'A', status: 'operational' },
    ],
    incidents: ['Delays of webhooks'],
  })
  const strict = {
    responseAssertionType: 'equals',
    responseAssertionPath: '$.status',
    responseAssertionValue: 'operational',
  } as const
  t.match(await check(target.url, { expect: strict }), {
    result: 'failed',
    error: { kind: 'assertion' },
  })
})

t.test('pages of Instatus and Better Stack are recognized, and then asked directly', async (t) => {
  const target = await serve(t, {
    '/summary.json': answerJson(instatusSummary),
    '/v2/components.json': answerJson(instatusComponents),
  })
  t.match(await check(target.url), {
    isDegraded: true,
    message: 'the page reports a partial outage',
    found: { product: 'instatus', page: 'Dagger', incidents: ['Slow builds'] },
  })
  t.match(await check(`${target.url}?component=Paris`), {
    result: 'failed',
    error: { kind: 'reported' },
  })
  const before = target.calls.length
  t.match(await check(`${target.url}?component=Website`), { result: 'good' })
  const asked = target.calls.slice(before).map(({ path }) => path)
  t.same(asked, ['/summary.json', '/v2/components.json'])

  target.script = { '/index.json': answerJson(betterStack('degraded', 'downtime')) }
  t.match(
    await check(target.url),
    {
      isDegraded: true,
      found: { product: 'betterstack', incidents: ['Workers are late'] },
    },
    'the page moved to another product',
  )
  t.match(await check(`${target.url}?component=Background+Workers`), { result: 'failed' })
})

t.test('a page that answers badly says why', async (t) => {
  const target = await serve(t, answer({ body: '<html></html>' }))
  t.match(await check(target.url), {
    result: 'failed',
    error: { kind: 'invalid_response', message: /^no status page that we can read/ },
  })
  target.script = answer({ status: 503 })
  t.match(await check(target.url), {
    result: 'failed',
    status: 503,
    error: { kind: 'status', message: 'expected status 200, found 503' },
  })
  t.equal(target.calls.length, 4, 'it is not asked for more')
  target.script = redirectTo('/api/v2/summary.json')
  t.match(await check(target.url), { error: { kind: 'redirect_loop' } })
})

t.test('a redirect is followed, but not to where checks may not go', async (t) => {
  const inner = await serve(t, answerJson(statuspage('none', {})))
  const outside = { address: '127.0.0.9' }
  const target = await startTarget(redirectTo(`${inner.url}/summary`), outside)
  t.after(() => target.close())
  t.match(await check(target.url), { result: 'good', found: { page: 'GitHub' } })
  const asked = inner.calls.length
  const open = { checkType: 'status-page', targets: 'public', allow: ['127.0.0.9/32'] } as const
  const guarded = openProbe(t, clock, open)
  const reading = await guarded(makeTarget({ url: target.url }), { clock })
  t.match(reading, { result: 'failed', error: { kind: 'blocked' } })
  t.notMatch(reading.error?.message, '127.0.0.1', 'nor is it named')
  t.equal(inner.calls.length, asked)
})

t.test('an address has components in its query, and nothing else', (t) => {
  const rule = (url: string) => parseStatusPageUrl(url).problem
  t.equal(rule('https://status.example.com/?component=API&component=Web'), undefined)
  t.equal(rule('https://example.com/status/acme'), undefined)
  t.equal(rule('https://status.example.com/?token=x'), 'must have no parameters but component')
  t.equal(rule('https://status.example.com/?component='), 'must name a component after component=')
  t.equal(rule('https://status.example.com/#API'), 'must not contain a #')
  t.match(rule(`https://x.example/?${'component=a&'.repeat(21)}`), 'at most 20')
  t.match(rule('ftp://status.example.com/'), 'must start with http:// or https://')
  t.end()
})

t.test('the contract of probes', async (t) => {
  const stuck = await serve(t, silent)
  const scripts = { endless, hangUp, raw: raw('\0\0'), large: answer({ body: 'x'.repeat(2e6) }) }
  const cases: (TargetFields & { title: string })[] = [
    { title: 'nobody', url: `http://127.0.0.1:${await closedPort()}/` },
    { title: 'silence', url: stuck.url, timeoutMs: 300 },
  ]
  for (const [title, script] of Object.entries(scripts)) {
    cases.push({ title, url: (await serve(t, script)).url })
  }
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const odd = answer({ body: deep, headers: { 'content-type': 'application/json' } })
  cases.push({ title: 'deep JSON', url: (await serve(t, odd)).url })
  await probeContract(t, {
    probe,
    clock,
    cases: cases.map(({ title, ...fields }) => ({ title, target: makeTarget(fields) })),
  })
})

t.test('a page of this program is watched by another one', async (t) => {
  // What is on loopback is only shown where the service is closed to strangers.
  const daemon = await startDaemon(t, { env: { AUTH_REGISTRATION: 'first-user' } })
  const { org, key, cookie } = await registerWithKey(daemon, 'alice', daemon.setupToken)
  const shop = await serve(t, answer())
  const need = (method: string, path: string, json: object) =>
    daemon.need(method, `${org}/${path}`, { key, json })
  const once = { failureThreshold: 1, recoveryThreshold: 1, intervalMinutes: 1_440 }
  const website = await need('POST', 'monitors', {
    name: 'Website',
    url: shop.url,
    isPublic: true,
    ...once,
  })
  const page = await daemon.need('POST', `${org}/status-pages`, {
    cookie,
    json: {
      name: 'Acme',
      slug: 'acme',
      isEnabled: true,
      sections: [{ name: 'Shop', monitorIds: [website.id] }],
    },
  })
  const watched = await need('POST', 'monitors', {
    name: 'Acme',
    checkType: 'status-page',
    url: `${daemon.url}/status/${page.slug}?component=Website`,
    ...once,
  })
  // A page is made anew some milliseconds after it was made.
  const shows = async (indicator: string): Promise<boolean> => {
    const summary = await fetch(`${daemon.url}/status/${page.slug}/api/v2/summary.json`)
    return JSON.parse(await summary.text()).status.indicator === indicator
  }
  const look = async (indicator: string) => {
    await need('POST', `monitors/${website.id}`, {})
    await until(() => shows(indicator))
    return need('POST', `monitors/${watched.id}`, {})
  }
  t.match(await look('none'), { outcome: 'up', found: { page: 'Acme', status: 'operational' } })
  shop.script = answer({ status: 500 })
  t.match(await look('critical'), {
    state: 'down',
    error: { message: 'the page reports a major outage: Website' },
  })
  shop.script = answer()
  t.match(await look('none'), { state: 'up' })
})
