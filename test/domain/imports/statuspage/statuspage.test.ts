// Statuspage: what its pages, components, incidents, maintenance and subscribers become, field by field.
import t from 'tap'
import { statuspageApi } from '../../../../src/domain/imports/statuspage/api.ts'
import { documentIdOf } from '../../../../src/domain/imports/statuspage/parts.ts'
import { fromStatuspage } from '../../../../src/domain/imports/statuspage/statuspage.ts'
import {
  statuspageComponent,
  statuspageIncident,
  statuspagePage,
  statuspageSample,
  statuspageSubscriber,
} from '../../../support/statuspage-samples.ts'

const convert = (more: object = {}) => fromStatuspage(statuspageSample(more))
const textsOf = ({ notes }: ReturnType<typeof fromStatuspage>) =>
  notes.map(({ name, text }) => `${name}: ${text}`).join('\n')

t.test('each list is asked page after page, and only subscribers who confirmed', async (t) => {
  t.same(statuspageApi.authorized('k'), { headers: { authorization: 'OAuth k' } })
  const asks = statuspageApi.asks(0)
  t.same(asks.next([]).value, [{ path: '/v1/pages' }])
  const path = (name: string) => [{ path: new RegExp(name), isOptional: true }]
  t.match(asks.next([[{ id: 'p1' }, { id: '../x' }]]).value, path('p1/components.*page=1$'))
  const full = Array.from({ length: 100 }, () => ({}))
  t.match(asks.next([full]).value, path('p1/components.*page=2$'))
  t.match(asks.next([[]]).value, path('p1/component-groups'))
  t.match(asks.next([undefined]).value, path('p1/incidents'))
  t.match(asks.next([[]]).value, path('subscribers\\?type=email&state=active.*page=0$'))
  t.equal((asks.next([[{ id: 's' }]]).value as readonly object[]).length, 4)
  t.match(asks.next([{}, [], [], []]), {
    done: true,
    value: { statusPages: [{ page: { id: 'p1' }, subscribers: [{ id: 's' }] }], readAt: /^1970/ },
  })
})

t.test('templates come with what they are about, for incidents or for maintenance', async (t) => {
  const sample = statuspageSample()
  const [first] = sample.statusPages
  const planned = { id: 't2', name: 'Disks', update_status: 'scheduled', body: 'We add disks.' }
  const more = { ...first, templates: [...(first?.templates ?? []), planned] }
  t.same(fromStatuspage({ ...sample, statusPages: [more] }).templates, [
    {
      ...{ name: 'Payments', origin: 'template/t1', kind: 'incident', isPublic: true },
      ...{ title: 'Payments are slow', text: 'We look at it.', monitorIds: [documentIdOf('c1')] },
    },
    {
      ...{ name: 'Disks', origin: 'template/t2', kind: 'maintenance', isPublic: true },
      ...{ text: 'We add disks.', monitorIds: [] },
    },
  ])
})

t.test('a page comes with its groups, components and subscribers', async (t) => {
  const made = convert()
  const shop = documentIdOf('c1')
  t.match(made, {
    source: { product: 'statuspage', installation: 'api.statuspage.io' },
    monitors: [
      { id: shop, origin: 'component/c1', name: 'Shop', checkType: 'manual', isPublic: true },
      { id: documentIdOf('c2'), name: 'Mail' },
    ],
    statusPages: [
      {
        origin: 'page/p1',
        name: 'Acme',
        isEnabled: false,
        timezone: 'Europe/Berlin',
        theme: { accent: '#0c71c3' },
        publicMonitorIds: [shop, documentIdOf('c2')],
        sections: [{ name: 'Sales', monitorIds: [shop] }],
        subscribers: [
          {
            address: 'ann@reader.test',
            sectionNames: ['Sales'],
            consent: {
              source: 'status.acme.test (Statuspage)',
              confirmedAt: '2025-03-01T09:30:00.000Z',
            },
          },
        ],
      },
    ],
  })
  t.match(textsOf(made), '7 of its subscribers had not confirmed')
  t.match(textsOf(made), '3 of its subscribers by SMS')
  t.notMatch(textsOf(made), 'reader.test')
})

t.test(
  'incidents are the past of their components, with their words; maintenance to come is a window',
  async (t) => {
    const { history = [], maintenance } = convert()
    const [shop, mail] = history
    t.equal(shop?.origin, 'component/c1')
    t.match(shop?.outages, [
      {
        fromMs: Date.UTC(2026, 10, 20, 10),
        toMs: Date.UTC(2026, 10, 20, 12),
        title: 'Checkout fails',
        text: /2026-11-20T10:00Z investigating: We look\.\n2026-11-20T12:00Z resolved: Done\.\nPost-mortem: It was the bank\./,
      },
    ])
    const day = shop?.days.find(({ startMs }) => startMs === Date.UTC(2026, 10, 20))
    t.match(day, { upMs: 22 * 3_600_000, downMs: 2 * 3_600_000 })
    t.same(mail?.outages, [])
    t.match(maintenance, [
      {
        name: 'New disks',
        origin: 'incident/i2',
        monitorIds: [documentIdOf('c2')],
        startsAt: '2026-12-05T22:00:00.000Z',
        endsAt: '2026-12-05T23:00:00.000Z',
        description: 'We change them.',
      },
    ])
    const degraded = statuspageIncident({
      incident_updates: [
        {
          status: 'resolved',
          display_at: '2026-11-20T10:00:00.000Z',
          affected_components: [{ code: 'c1', new_status: 'degraded_performance' }],
        },
      ],
    })
    const [slow] = convert({ incidents: [degraded] }).history ?? []
    t.match(slow?.outages, [{ isDegraded: true }])
    t.equal(
      slow?.days.reduce((sum, { downMs }) => sum + downMs, 0),
      0,
    )
  },
)

const meaningless = {
  page: new Set([
    // Its own name for the service, times of the record, a figure of theirs, and how it is laid out there.
    ...['id', 'created_at', 'updated_at', 'activity_score', 'branding', 'subdomain'],
    // Where the company is: nothing shows it.
    ...['city', 'state', 'country'],
  ]),
  component: new Set([
    // A group is told again in the list of groups; nobody else reads what a showcase is.
    ...['id', 'page_id', 'created_at', 'updated_at', 'start_date', 'showcase', 'group'],
  ]),
  incident: new Set([
    ...['id', 'page_id', 'created_at', 'updated_at', 'monitoring_at', 'shortlink', 'metadata'],
    // Of messages that were sent, and of what an incident did by itself.
    ...['postmortem_body_last_updated_at', 'postmortem_ignored', 'postmortem_notified_subscribers'],
    ...['postmortem_notified_twitter', 'postmortem_published_at', 'scheduled_auto_completed'],
    ...['scheduled_auto_in_progress', 'auto_transition_deliver_notifications_at_end'],
    ...['auto_transition_deliver_notifications_at_start', 'auto_transition_to_maintenance_state'],
    ...['auto_transition_to_operational_state', 'scheduled_remind_prior', 'scheduled_reminded_at'],
    ...['reminder_intervals', 'incident_impacts', 'impact', 'impact_override', 'status'],
  ]),
  subscriber: new Set([
    ...['id', 'skip_confirmation_notification', 'purge_at', 'page_access_user_id'],
    // Of other types, which are counted.
    ...['endpoint', 'phone_number', 'phone_country', 'display_phone_number'],
    ...['obfuscated_channel_name', 'workspace_name'],
  ]),
}

t.test('every field does something, or means nothing here', async (t) => {
  const base = JSON.stringify(convert())
  const differs = (more: object) => JSON.stringify(convert(more)) !== base
  const pages: Readonly<Record<string, unknown>> = {
    name: 'Other',
    page_description: 'What we do',
    headline: 'All of Acme',
    domain: 'other.test',
    url: 'https://acme.test/',
    support_url: 'https://help.acme.test/',
    hidden_from_search: true,
    allow_page_subscribers: false,
    allow_incident_subscribers: true,
    allow_rss_atom_feeds: false,
    notifications_from_email: 'a@acme.test',
    notifications_email_footer: 'Bye',
    twitter_username: 'acme',
    viewers_must_be_team_members: true,
    ip_restrictions: '192.0.2.0/24',
    time_zone: 'Mars',
    css_link_color: '112233',
    allow_email_subscribers: false,
    allow_sms_subscribers: false,
    allow_webhook_subscribers: false,
  }
  const ways = { allow_email_subscribers: false, allow_sms_subscribers: false }
  for (const field of Object.keys(statuspagePage())) {
    if (meaningless.page.has(field)) continue
    const isLook = /^css_(?!link)|_logo$|^hero_cover$/.test(field)
    const others = field in ways || field === 'allow_webhook_subscribers' ? ways : {}
    const all = { ...others, ...(others === ways ? { allow_webhook_subscribers: false } : {}) }
    const change = { ...all, [field]: isLook ? 'ff0000' : pages[field] }
    t.ok(isLook || field in pages, field)
    t.ok(differs({ page: statuspagePage(change) }), field)
  }
  const components: Readonly<Record<string, unknown>> = {
    group_id: null,
    name: 'Other',
    description: 'Where people buy',
    position: 9,
    status: 'major_outage',
    only_show_if_degraded: true,
    automation_email: 'x@y.test',
  }
  for (const field of Object.keys(statuspageComponent())) {
    if (meaningless.component.has(field)) continue
    const one = statuspageComponent({ [field]: components[field] })
    t.ok(field in components, field)
    t.ok(
      differs({
        components: [
          one,
          statuspageComponent({ id: 'c2', name: 'Mail', group_id: null, position: 2 }),
        ],
      }),
      field,
    )
  }
  const incidents: Readonly<Record<string, unknown>> = {
    components: [],
    incident_updates: [],
    name: 'Other',
    postmortem_body: '',
    resolved_at: null,
    scheduled_for: 'x',
    scheduled_until: 'x',
  }
  for (const field of Object.keys(statuspageIncident())) {
    if (meaningless.incident.has(field)) continue
    t.ok(field in incidents, field)
    if (field.startsWith('scheduled')) continue
    t.ok(differs({ incidents: [statuspageIncident({ [field]: incidents[field] })] }), field)
  }
  const subscribers: Readonly<Record<string, unknown>> = {
    mode: 'webhook',
    email: '',
    quarantined_at: '2026-01-01T00:00:00Z',
    components: [],
    created_at: '2024-01-01T00:00:00Z',
  }
  for (const field of Object.keys(statuspageSubscriber())) {
    if (meaningless.subscriber.has(field)) continue
    t.ok(field in subscribers, field)
    t.ok(differs({ subscribers: [statuspageSubscriber({ [field]: subscribers[field] })] }), field)
  }
})

t.test('nonsense becomes nothing', async (t) => {
  for (const answer of [null, 'x', [], {}, { statusPages: [null, 7, { page: { id: 1 } }] }]) {
    t.same(fromStatuspage(answer).monitors, [])
  }
  const windows = [
    statuspageIncident({
      status: 'scheduled',
      components: [],
      incident_updates: [],
      scheduled_until: '2027-01-01T00:00:00Z',
    }),
  ]
  const made = convert({ incidents: windows })
  t.same(made.maintenance, [], 'a window for nothing would be for all')
  t.match(textsOf(made), 'left out: it is about no component')
})
