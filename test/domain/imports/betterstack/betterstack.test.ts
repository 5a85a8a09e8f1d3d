// Monitors, heartbeats and pages of Better Stack become ours; each field that its API documents is counted.
import t from 'tap'
import { fromBetterstack } from '../../../../src/domain/imports/betterstack/betterstack.ts'
import { betterstackAnswer, betterstackMonitor } from '../../../support/betterstack-samples.ts'

t.test('each kind of monitor has its counterpart', async (t) => {
  const { source, monitors, notes, maintenance, statusPages } = fromBetterstack([betterstackAnswer])
  t.same(source, { product: 'betterstack', installation: 'uptime.betterstack.com' })
  t.same(monitors[0], {
    id: `mon_${'1'.padStart(26, '0')}`,
    origin: 'monitor/1',
    name: 'Site',
    intervalSeconds: 60,
    failureThreshold: 1,
    recoveryThreshold: 1,
    timeoutMs: 15_000,
    checkType: 'endpoint',
    url: 'https://www.example.org/',
    method: 'GET',
    acceptedStatuses: ['200-299'],
    followRedirects: true,
    certificateWarnDays: [7],
    isActive: true,
    tags: ['Web'],
    isPublic: true,
    publicName: 'Our site',
  })
  t.match(monitors[1], {
    ...{ method: 'POST', body: 'a=1', headers: { 'X-Shop': 'yes' }, bodyContains: 'Cart' },
    ...{ username: 'ann', password: 'pass-word-1', ignoreTlsErrors: true, ipFamily: 'ipv4' },
    failureThreshold: 4,
  })
  t.match(monitors[2], { checkType: 'smtp', url: 'smtps://mx.example.org:465' })
  t.match(monitors[3], { acceptedStatuses: ['200', '404'], isActive: false })
  t.match(monitors[4], { checkType: 'ping', url: 'ping://192.0.2.1', timeoutMs: 500 })
  t.match(monitors[5], {
    ...{ origin: 'heartbeat/1', checkType: 'push', intervalSeconds: 10_800, graceSeconds: 300 },
    tags: ['Jobs'],
  })
  t.equal(monitors.length, 6)
  t.match(maintenance, [
    {
      cron: '30 23 * * 0,6',
      durationMinutes: 90,
      timezone: 'Europe/Prague',
      origin: 'monitor/2/maintenance',
    },
  ])
  t.match(statusPages, [
    { name: 'Acme', isEnabled: false, sections: [{ name: 'Web', monitorIds: [monitors[0]?.id] }] },
  ])
  const lines = notes.map(({ name, text }) => `${name}: ${text}`).join('\n')
  t.match(lines, /Mail: its other ports 587/)
  t.match(lines, /Script: its script opens no page by its address: the monitor was left out/)
  t.match(lines, /Job: its address for heartbeats is a new one/)
  t.match(lines, /Acme: its domain status\.example\.org/)
  t.match(lines, /Acme: its "Hook"/)
  t.notMatch(lines, /pass-word-1/)
})

/** Fields that mean nothing here, or that one note names for all monitors. */
const meaningless = new Set(
  (
    'last_checked_at team_name call sms push critical_alert remember_cookies created_at updated_at regions ' +
    'proxy_port playwright_script scenario_name environment_variables'
  ).split(' '),
)

t.test('every field of a monitor does something', async (t) => {
  const window = { maintenance_from: '01:00:00', maintenance_to: '02:00:00' }
  const changes: Readonly<Record<string, readonly [object, RegExp | object]>> = {
    url: [{ url: 'https://x.example/' }, { url: 'https://x.example/' }],
    pronounceable_name: [{ pronounceable_name: 'Other' }, { name: 'Other' }],
    monitor_type: [{ monitor_type: 'tcp', port: '99' }, { checkType: 'tcp' }],
    monitor_group_id: [{ monitor_group_id: '4' }, { tags: ['Four'] }],
    status: [{ status: 'paused' }, { isActive: false }],
    required_keyword: [
      { monitor_type: 'keyword_absence', required_keyword: 'a' },
      { bodyNotContains: 'a' },
    ],
    verify_ssl: [{ verify_ssl: false }, { ignoreTlsErrors: true }],
    check_frequency: [{ check_frequency: 30 }, { intervalSeconds: 30 }],
    http_method: [{ http_method: 'head' }, { method: 'HEAD' }],
    request_timeout: [{ request_timeout: 5 }, { timeoutMs: 5_000 }],
    recovery_period: [{ recovery_period: 60 }, { recoveryThreshold: 2 }],
    request_headers: [{ request_headers: [{ name: 'A', value: 'b' }] }, { headers: { A: 'b' } }],
    request_body: [{ http_method: 'put', request_body: 'x' }, { body: 'x' }],
    follow_redirects: [{ follow_redirects: false }, { followRedirects: false }],
    ssl_expiration: [{ ssl_expiration: 30 }, { certificateWarnDays: [30] }],
    domain_expiration: [{ domain_expiration: 30 }, { checkType: 'domain', domainWarnDays: [30] }],
    expiration_policy_id: [{ expiration_policy_id: 3 }, /others are told of what expires/],
    policy_id: [{ policy_id: '8' }, { alertsNobody: true }],
    team_wait: [{ team_wait: 180 }, /its team is told after 3 min/],
    email: [{ email: false, push: false }, { alertsNobody: true }],
    port: [{ monitor_type: 'imap', port: '993' }, { url: /^imaps:.*:993$/ }],
    paused_at: [{ paused_at: '2026-01-01T00:00:00Z' }, { isActive: false }],
    confirmation_period: [{ confirmation_period: 61 }, { failureThreshold: 3 }],
    expected_status_codes: [
      { monitor_type: 'expected_status_code', expected_status_codes: [503] },
      { acceptedStatuses: ['503'] },
    ],
    maintenance_days: [{ ...window, maintenance_days: ['mon'] }, /^$/],
    maintenance_from: [window, /^$/],
    maintenance_to: [window, /^$/],
    maintenance_timezone: [{ ...window, maintenance_timezone: 'Atlantis' }, /time zone "Atlantis"/],
    ip_version: [{ ip_version: 'ipv6' }, { ipFamily: 'ipv6' }],
    proxy_host: [{ proxy_host: 'p' }, /its proxy/],
    auth_username: [{ auth_username: 'ann' }, { username: 'ann' }],
    auth_password: [{ auth_password: 'p' }, { password: 'p' }],
  }
  const group = { id: '4', type: 'monitor_group', attributes: { name: 'Four' } }
  const silent = { id: '8', type: 'policy', attributes: { name: 'Silent', steps: [] } }
  for (const field of Object.keys(betterstackMonitor)) {
    const [change, seen] = changes[field] ?? []
    t.ok((change !== undefined) !== meaningless.has(field), field)
    const item = { id: '1', type: 'monitor', attributes: { ...betterstackMonitor, ...change } }
    const { monitors, notes, maintenance } = fromBetterstack([
      { data: [item, group, ...(field === 'policy_id' ? [silent] : [])] },
    ])
    const own = notes.filter(({ name }) => name !== null).map(({ text }) => text)
    if (seen instanceof RegExp) t.match(own.join('\n'), seen, field)
    else if (seen) t.match(monitors.at(-1), seen, field)
    t.equal(maintenance?.length, field.startsWith('maintenance') ? 1 : 0)
  }
})

t.test('a script of Playwright becomes the actions of a browser, and UDP is asked', async (t) => {
  const script = `import { test, expect } from '@playwright/test'
test('login', async ({ page }) => {
  await page.goto('https://shop.example.org/')
  await page.fill('#mail', process.env.EMAIL)
  await expect(page.locator('body')).toContainText('Cart')
})`
  const of = (id: string, attributes: object) => ({ id, type: 'monitor', attributes })
  const data = [
    of('1', {
      ...{ monitor_type: 'playwright', scenario_name: 'Log in', playwright_script: script },
      ...{ environment_variables: { EMAIL: 'ann@example.org' }, request_timeout: 30 },
    }),
    of('2', {
      ...{ monitor_type: 'udp', url: 'ntp.example.org', port: '123', pronounceable_name: 'U' },
      ...{ request_body: 'ping', required_keyword: 'pong', request_timeout: 2_000 },
    }),
  ]
  const { monitors, notes } = fromBetterstack([{ data }])
  t.match(monitors, [
    {
      ...{ name: 'Log in', checkType: 'browser', url: 'https://shop.example.org/' },
      ...{ isActive: false, timeoutMs: 30_000 },
    },
    {
      ...{ checkType: 'udp', url: 'udp://ntp.example.org:123', body: 'ping', bodyContains: 'pong' },
      timeoutMs: 2_000,
    },
  ])
  t.match(JSON.stringify(monitors[0]), 'ann@example.org')
  t.match(notes.map(({ text }) => text).join('\n'), /its variables stand as texts/)
  t.notMatch(JSON.stringify(notes), 'ann@example.org')
})

t.test('what is paused with its group is paused, and zones have the names of Rails', async (t) => {
  const window = { maintenance_from: '01:00:00', maintenance_to: '02:00:00' }
  const item = {
    ...{ id: '1', type: 'monitor' },
    attributes: {
      ...betterstackMonitor,
      ...window,
      ...{ monitor_group_id: '4', maintenance_timezone: 'Eastern Time (US & Canada)' },
    },
  }
  const group = { id: '4', type: 'monitor_group', attributes: { name: 'Four', paused: true } }
  const { monitors, maintenance } = fromBetterstack([{ data: [item, group] }])
  t.match(monitors, [{ isActive: false, tags: ['Four'] }])
  t.match(maintenance, [{ timezone: 'America/New_York' }])
})

t.test('nonsense becomes nothing', async (t) => {
  for (const answer of [null, 'x', [], {}, { data: 7 }, { data: [null, { type: 'monitor' }] }]) {
    t.same(fromBetterstack([answer]).monitors, [])
  }
})

t.test(
  'subscribers who confirmed come along with their sections, and the others are counted',
  async (t) => {
    const of = (type: string, id: string, attributes: object) => ({ id, type, attributes })
    const subscriber = (id: string, resources: readonly number[], confirmed_at: string | null) => ({
      ...of('status_page_subscriber', id, {
        email: `${id}@reader.test`,
        status_page_resource_ids: resources,
        confirmed_at,
        created_at: '2026-04-29T14:00:00.000Z',
      }),
      statusPageId: '9',
    })
    const shown = { resource_type: 'Monitor', public_name: 'Shop' }
    const data = [
      of('monitor', '1', { monitor_type: 'ping', url: 'a.test', pronounceable_name: 'A' }),
      of('monitor', '2', { monitor_type: 'ping', url: 'b.test', pronounceable_name: 'B' }),
      of('status_page', '9', { company_name: 'Acme', custom_domain: 'status.acme.test' }),
      of('status_page_section', '3', { name: 'Sales' }),
      of('status_page_resource', '4', { ...shown, resource_id: 1, status_page_section_id: 3 }),
      of('status_page_resource', '5', { ...shown, resource_id: 2, status_page_section_id: null }),
      subscriber('ann', [], '2026-04-29T14:30:00.000Z'),
      subscriber('bob', [4], '2026-04-30T14:30:00.000Z'),
      subscriber('cara', [4, 5], '2026-04-30T14:30:00.000Z'),
      subscriber('dan', [], null),
    ]
    const { statusPages, notes } = fromBetterstack([{ data }])
    const source = 'status.acme.test (Better Stack)'
    t.match(statusPages, [
      {
        subscribers: [
          {
            address: 'ann@reader.test',
            consent: { source, confirmedAt: '2026-04-29T14:30:00.000Z' },
            sectionNames: undefined,
          },
          { address: 'bob@reader.test', sectionNames: ['Sales'] },
          { address: 'cara@reader.test', sectionNames: undefined },
        ],
      },
    ])
    const texts = notes.map(({ text }) => text).join('\n')
    t.match(texts, '1 of its subscribers had not confirmed')
    t.match(texts, '2 of its subscribers chose resources')
    t.notMatch(texts, '@reader.test')
  },
)
