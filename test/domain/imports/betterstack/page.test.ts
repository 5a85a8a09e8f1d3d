// Status pages of Better Stack: each field that its API documents arrives or is named.
import t from 'tap'
import { fromBetterstack } from '../../../../src/domain/imports/betterstack/betterstack.ts'

const usual = {
  ...{ company_name: 'Acme', company_url: 'https://acme.test', subdomain: 'acme' },
  ...{ timezone: 'UTC', custom_domain: null, contact_url: null, logo_url: null },
  ...{ dark_logo_url: null, announcement: null, custom_css: null, custom_javascript: null },
  ...{ google_analytics_id: null, min_incident_length: 0, history: 90, ip_allowlist: [] },
  ...{ password_enabled: false, require_sso: false, subscribable: false, whitelabeled: false },
  ...{ hide_from_search_engines: false, automatic_reports: true, layout: 'vertical' },
  ...{ theme: 'light', navigation_links: [] },
  ...{ announcement_embed_visible: false, announcement_embed_link: '', announcement_embed_css: '' },
  ...{ design: 'v2', published: true, status_page_group_id: null, team_name: 'Ops' },
  ...{ aggregate_state: 'operational', created_at: '', updated_at: '', password: null },
}

const read = (change: object) => {
  const data = [
    { id: '1', type: 'monitor', attributes: { monitor_type: 'ping', url: 'a.test' } },
    { id: '7', type: 'status_page', attributes: { ...usual, ...change } },
  ]
  const { statusPages = [], notes } = fromBetterstack([{ data }])
  return { page: statusPages[0], lines: notes.map(({ text }) => text).join('\n') }
}

/** The name of the page's address is not free here; embeds and groups are not there; the rest is of the service. */
const meaningless = new Set(
  (
    'subdomain announcement_embed_visible announcement_embed_link announcement_embed_css design ' +
    'published status_page_group_id team_name aggregate_state created_at updated_at password'
  ).split(' '),
)

t.test('every field of a page does something', async (t) => {
  const changes: Readonly<Record<string, readonly [value: unknown, RegExp | object]>> = {
    company_name: ['Other', { name: 'Other' }],
    company_url: ['https://x.test', { headLinks: [{ label: 'Website', url: 'https://x.test' }] }],
    contact_url: ['mailto:a@x.test', { headLinks: [{}, { url: 'mailto:a@x.test' }] }],
    navigation_links: [
      [{ text: 'Docs', href: 'https://d.test' }, { href: '/incidents' }],
      { headLinks: [{}, { label: 'Docs' }] },
    ],
    timezone: ['Berlin', { timezone: 'Europe/Berlin' }],
    custom_domain: ['status.acme.test', /its domain status.acme.test/],
    logo_url: ['https://acme.test/l.png', { logoUrl: 'https://acme.test/l.png' }],
    dark_logo_url: ['https://acme.test/d.png', /its logo for dark screens/],
    announcement: ['Hello', /its announcement/],
    custom_css: ['a{}', /its CSS/],
    custom_javascript: ['x()', /its JavaScript/],
    google_analytics_id: ['G-1', /Google Analytics/],
    min_incident_length: [300, /short incidents/],
    history: [30, /it shows 30 days/],
    ip_allowlist: [['192.0.2.1'], /only some networks/],
    password_enabled: [true, /its password is not told/],
    require_sso: [true, { visibility: 'members' }],
    subscribable: [true, { allowsSubscribers: true }],
    whitelabeled: [true, { showMonitoredBy: false }],
    hide_from_search_engines: [true, { noindex: true }],
    automatic_reports: [false, /not reported by themselves/],
    layout: ['horizontal', { layout: 'compact' }],
    theme: ['dark', { theme: { mode: 'dark' } }],
  }
  const before = read({})
  for (const field of Object.keys(usual)) {
    const [value, seen] = changes[field] ?? []
    t.ok((seen !== undefined) !== meaningless.has(field), field)
    const { page, lines } = read({ [field]: value ?? 'x' })
    if (seen instanceof RegExp) t.match(lines, seen, field)
    else if (seen) t.match(page, seen, field)
    else t.same(page, before.page, field)
  }
  t.match(read({ timezone: 'Atlantis' }).lines, /its time zone "Atlantis"/)
})

t.test('a group on a page is what is in it', async (t) => {
  const monitor = (id: string) => ({
    ...{ id, type: 'monitor' },
    attributes: { monitor_type: 'ping', url: `${id}.test`, monitor_group_id: 4 },
  })
  const resource = (id: string, resource_type: string, resource_id: number) => ({
    ...{ id, type: 'status_page_resource', statusPageId: '7' },
    attributes: { resource_type, resource_id, public_name: 'All', status_page_section_id: 3 },
  })
  const data = [
    ...[monitor('1'), monitor('2')],
    { id: '7', type: 'status_page', attributes: usual },
    { id: '3', type: 'status_page_section', statusPageId: '7', attributes: { name: 'Web' } },
    ...[resource('5', 'Monitor', 1), resource('6', 'MonitorGroup', 4)],
    ...[resource('8', 'MonitorGroup', 404), resource('9', 'ManuallyTrackedItem', 1)],
  ]
  const { monitors, statusPages, notes } = fromBetterstack([{ data }])
  t.match(statusPages, [{ sections: [{ name: 'Web', monitorIds: monitors.map(({ id }) => id) }] }])
  t.match(monitors, [{ publicName: 'All' }, { publicName: undefined, isPublic: true }])
  const left = notes.filter(({ text }) => text.startsWith('its "All"'))
  t.equal(left.length, 2)
})
