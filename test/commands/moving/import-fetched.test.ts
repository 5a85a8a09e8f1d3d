// Better Stack, Checkly, Pingdom and OneUptime by their APIs, from stand-ins: what the key may not read is named, the rest comes once.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { movingWorld } from '../../support/moving-world.ts'

/** The time of an hour of yesterday, as the services write it. */
const at = (hour: number): string =>
  new Date(Math.floor(Date.now() / 86_400_000 - 1) * 86_400_000 + hour * 3_600_000).toISOString()

/** What a service answers below a path; a number: the status. The first request comes too soon for it. */
type Answers = Readonly<Record<string, unknown>>

async function startService(t: Test, answers: Answers) {
  const asked: string[] = []
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(url)
    const { pathname } = new URL(url, 'http://x')
    const answer = answers[pathname]
    const isKnown = [headers.authorization, headers.apikey].some((one) => one?.includes('the-key'))
    const status = typeof answer === 'number' ? answer : answer === undefined ? 404 : 200
    response.writeHead(asked.length === 1 ? 429 : isKnown ? status : 401, { 'retry-after': '0' })
    response.end(JSON.stringify(typeof answer === 'object' ? answer : {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const of = (type: string, id: string, attributes: object, more: object = {}) => ({
  ...{ id, type, attributes },
  ...more,
})

const betterstack: Answers = {
  '/api/v2/monitors': {
    data: [
      of('monitor', '1', {
        ...{ monitor_type: 'status', url: 'https://shop.example.org/', pronounceable_name: 'Shop' },
        ...{ policy_id: '7', check_frequency: 60, domain_expiration: 30 },
      }),
      of('monitor', '2', {
        ...{ monitor_type: 'playwright', scenario_name: 'Log in', request_timeout: 30 },
        playwright_script: `import { test, expect } from '@playwright/test'
test('x', async ({ page }) => {
  await page.goto('https://shop.example.org/')
  await page.click('text=Sign in')
})`,
      }),
    ],
  },
  '/api/v2/heartbeats': {
    data: [of('heartbeat', '1', { name: 'Job', period: 3_600, grace: 300 })],
  },
  '/api/v2/monitor-groups': 403,
  '/api/v2/heartbeat-groups': { data: [] },
  '/api/v2/status-pages': {
    data: [of('status_page', '3', { company_name: 'Acme', timezone: 'Berlin', theme: 'dark' })],
  },
  '/api/v2/status-pages/3/sections': {
    data: [of('status_page_section', '4', { name: 'Web' })],
  },
  '/api/v2/status-pages/3/resources': {
    data: [
      of('status_page_resource', '5', {
        ...{ resource_type: 'Monitor', resource_id: 1, public_name: 'Our shop' },
        status_page_section_id: 4,
      }),
    ],
  },
  '/api/v2/status-pages/3/subscribers': { data: [] },
  '/api/v3/policies': {
    data: [
      of('policy', '7', {
        ...{ name: 'Standard', repeat_count: 2, repeat_delay: 600 },
        steps: [
          { type: 'escalation', wait_before: 0, step_members: [{ type: 'current_on_call' }] },
          {
            ...{ type: 'escalation', wait_before: 300 },
            step_members: [
              { type: 'all_webhook_integrations' },
              { type: 'all_slack_integrations' },
              { type: 'pagerduty_integration', id: 9 },
              { type: 'all_splunk_on_call_integrations' },
            ],
          },
        ],
      }),
    ],
  },
  '/api/v2/urgencies': { data: [] },
  '/api/v2/on-calls': {
    data: [
      of(
        'on_call_calendar',
        '6',
        { name: null, default_calendar: true },
        {
          relationships: { on_call_users: { data: [{ id: '1', type: 'user' }] } },
        },
      ),
    ],
    included: [of('user', '1', { email: 'ann@example.org' })],
  },
  '/api/v2/on-calls/6/rotation': 404,
  '/api/v2/outgoing-webhooks': {
    data: [
      of('outgoing_webhook', '8', {
        ...{ url: 'https://hook.example.org/x', trigger_type: 'incident_change', name: 'Hook' },
        custom_webhook_template_attributes: {
          headers_template: [{ name: 'X-Token', value: 'hook-secret' }],
        },
      }),
    ],
  },
  '/api/v2/pager-duty-webhooks': {
    data: [
      of('pager_duty', '9', { key: 'R0123456789ABCDEF0123456789ABCDE', severity: 'critical' }),
    ],
  },
  '/api/v2/splunk-on-calls': {
    data: [
      of('splunk', '2', {
        url: 'https://alert.victorops.com/integrations/generic/20131114/alert/abc/team',
      }),
    ],
  },
  '/api/v2/slack-integrations': { data: [of('slack', '1', { slack_channel_name: '#ops' })] },
  '/api/v3/incidents': {
    data: [
      of(
        'incident',
        '1',
        { cause: 'Status 500', status: 'Resolved', started_at: at(2), resolved_at: at(3) },
        { relationships: { monitor: { data: { id: '1', type: 'monitor' } } } },
      ),
    ],
  },
}

const checkId = '73d29e72-6540-4bb5-967e-e07fa2c9465e'
const checkly: Answers = {
  '/v1/checks': [
    {
      ...{ id: checkId, name: 'API', checkType: 'API', frequency: 10, activated: true },
      ...{ request: { url: 'https://api.example.org/', method: 'GET' }, created_at: at(0) },
    },
    {
      ...{ id: checkId.replace('7', '8'), name: 'Orders', checkType: 'MULTI_STEP', frequency: 10 },
      script: `await request.post('https://api.example.org/login')
await request.get('https://api.example.org/orders')`,
    },
  ],
  '/v1/check-groups': [],
  '/v1/alert-channels': 403,
  '/v1/private-locations': [],
  '/v1/maintenance-windows': [],
  '/v1/variables': [],
  [`/v1/checks/${checkId.replace('7', '8')}`]: {},
  [`/v2/check-results/${checkId}`]: {
    entries: [{ id: 'a', startedAt: at(4), hasFailures: true, isCancelled: false }],
    nextId: null,
  },
  [`/v2/check-results/${checkId.replace('7', '8')}`]: 500,
}

const pingdom: Answers = {
  '/api/3.1/checks': { checks: [{ id: 1, name: 'Site', hostname: 'a.example.org', type: 'ping' }] },
  '/api/3.1/checks/1': { check: { id: 1, name: 'Site', type: { ping: {} }, teams: [] } },
  '/api/3.1/alerting/teams': 403,
  '/api/3.1/alerting/contacts': { contacts: [] },
  '/api/3.1/maintenance': { maintenance: [] },
  '/api/3.1/summary.outage/1': { summary: { states: [] } },
  '/api/3.1/tms/check': { checks: [{ id: 2, name: 'Buy', type: 'script', active: true }] },
  '/api/3.1/tms/check/2': {
    ...{ name: 'Buy', interval: 10, contact_ids: [], team_ids: [], integration_ids: [] },
    steps: [
      { fn: 'go_to', args: { url: 'https://shop.example.org/' } },
      { fn: 'fill', args: { input: 'E-mail', value: 'ann' } },
      { fn: 'contains', args: { element: 'h1', value: 'Welcome' } },
      { fn: 'not_contains', args: { element: 'body', value: 'Error' } },
    ],
  },
  '/api/3.1/tms/check/2/report/status': {
    report: { states: [{ status: 'down', from: at(5), to: at(6), message: 'No field' }] },
  },
}

const uuid = (end: number): string => `f81d4fae-7dec-41d0-a765-00a0c91e6b${end}`
const oneuptime: Answers = {
  '/api/monitor/get-list': {
    data: [{ _id: uuid(10), projectId: uuid(11), name: 'Manual one', monitorType: 'Manual' }],
  },
  '/api/monitor-status/get-list': {
    data: [
      { _id: uuid(12), name: 'Up', isOperationalState: true, isOfflineState: false },
      { _id: uuid(13), name: 'Off', isOperationalState: false, isOfflineState: true },
    ],
  },
  '/api/monitor-status-timeline/get-list': {
    data: [
      { monitorId: uuid(10), monitorStatusId: uuid(13), startsAt: at(7), endsAt: at(8) },
      { monitorId: uuid(10), monitorStatusId: uuid(12), startsAt: at(8), endsAt: null },
    ],
  },
  '/api/status-page/get-list': {
    data: [{ _id: uuid(14), name: 'Uptime page', pageTitle: 'Uptime', isPublicStatusPage: true }],
  },
  '/api/status-page-group/get-list': {
    data: [{ _id: uuid(15), name: 'Web', statusPageId: uuid(14), order: 1 }],
  },
  '/api/status-page-resource/get-list': {
    data: [
      {
        ...{ _id: uuid(16), statusPageId: uuid(14), monitorId: uuid(10), displayName: 'The one' },
        statusPageGroupId: uuid(15),
      },
    ],
  },
  '/api/status-page-header-link/get-list': { data: [] },
  '/api/status-page-domain/get-list': 403,
  '/api/status-page-subscriber/get-list': { data: [] },
  '/api/scheduled-maintenance/get-list': {
    data: [
      {
        ...{ _id: uuid(17), title: 'New disks', monitors: [{ _id: uuid(10) }] },
        ...{ startsAt: at(1_000), endsAt: at(1_001) },
      },
    ],
  },
}

const products = [
  {
    product: 'betterstack',
    answers: betterstack,
    left: 'groups of monitors',
    made: 4,
    down: 'Shop',
  },
  { product: 'checkly', answers: checkly, left: 'alert channels', made: 2, down: 'API' },
  { product: 'pingdom', answers: pingdom, left: 'teams', made: 2, down: 'Buy' },
  {
    ...{ product: 'oneuptime', answers: oneuptime, left: 'addresses of status pages', made: 1 },
    down: 'Manual one',
  },
] as const

t.test('what a key may read comes with its past, once, and one line names the rest', async (t) => {
  const { daemon, alice, cwd, cli } = await movingWorld(t)
  const { cookie, org } = alice
  writeFileSync(join(cwd, 'key'), 'the-key\n')
  for (const { product, answers, left, made, down } of products) {
    const before = await daemon.need('GET', `${org}/monitors`, { cookie })
    const { url, asked } = await startService(t, answers)
    const command = ['import', url, '--from', product, '--key-file', 'key', '--org', alice.orgId]
    const first = await cli(...command)
    t.equal(first.code, 0, first.err)
    t.match(first.err.replaceAll(/\s+/g, ' '), `${left} (answers with the status 403)`, product)
    t.notMatch(first.out + first.err, /the-key|hook-secret|R0123456789/)
    const unknown = asked.filter((one) => answers[new URL(one, url).pathname] === undefined)
    t.same(unknown, [], `nothing else is asked of ${product}`)
    const monitors = await daemon.need('GET', `${org}/monitors`, { cookie })
    t.equal(monitors.length, before.length + made, first.err)
    const failed = monitors.find(({ name }: { readonly name: string }) => name === down)
    const path = `${org}/incidents?monitorId=${failed?.id}`
    t.match(await daemon.need('GET', path, { cookie }), [{ state: 'resolved' }], product)
    const again = await cli(...command)
    t.match(again.out, /Created: nothing new/, product)
  }
  const channels = await daemon.need('GET', `${org}/alert-channels`, { cookie })
  const imported = channels.filter(({ name }: { readonly name: string }) =>
    /min$|^On call/.test(name),
  )
  t.match(
    imported
      .map((one: { readonly type: string; readonly delayMinutes: number }) => [
        one.type,
        one.delayMinutes,
      ])
      .sort(),
    [
      ['email', 0],
      ['pagerduty', 5],
      ['slack', 5],
      ['splunk-oncall', 5],
      ['webhook', 5],
    ],
  )
  const pages = await daemon.need('GET', `${org}/status-pages`, { cookie })
  const page = pages.find(({ name }: { readonly name: string }) => name === 'Acme')
  t.match(page, { timezone: 'Europe/Berlin', isEnabled: false })
  const other = pages.find(({ name }: { readonly name: string }) => name === 'Uptime page')
  t.match(other, { title: 'Uptime', sections: [{ name: 'Web', monitorIds: { length: 1 } }] })
  t.match(await daemon.need('GET', `${org}/maintenance-windows`, { cookie }), [
    { name: 'New disks', isPublic: true },
  ])
})
