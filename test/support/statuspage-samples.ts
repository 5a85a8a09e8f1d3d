// Answers of the Manage API of Statuspage, in the forms of its documents, with made-up values.

/** Each field of a page in the documents of the API. */
export function statuspagePage(more: object = {}) {
  const words = [
    ...['page_description', 'headline', 'branding', 'url', 'support_url', 'twitter_username'],
    ...['notifications_from_email', 'notifications_email_footer', 'ip_restrictions'],
    ...['city', 'state', 'country', 'css_body_background_color', 'css_font_color'],
    ...['css_light_font_color', 'css_greens', 'css_yellows', 'css_oranges', 'css_blues'],
    ...['css_reds', 'css_border_color', 'css_graph_color', 'css_no_data', 'favicon_logo'],
    ...['transactional_logo', 'hero_cover', 'email_logo', 'twitter_logo'],
  ]
  return {
    ...Object.fromEntries(words.map((name) => [name, null])),
    id: 'p1',
    created_at: '2020-01-01T00:00:00.000Z',
    updated_at: '2020-01-01T00:00:00.000Z',
    name: 'Acme',
    subdomain: 'acme',
    domain: 'status.acme.test',
    hidden_from_search: false,
    allow_page_subscribers: true,
    allow_incident_subscribers: false,
    allow_email_subscribers: true,
    allow_sms_subscribers: true,
    allow_rss_atom_feeds: true,
    allow_webhook_subscribers: true,
    activity_score: 1,
    viewers_must_be_team_members: false,
    time_zone: 'Europe/Berlin',
    css_link_color: '0c71c3',
    ...more,
  }
}

/** Each field of a component. */
export function statuspageComponent(more: object = {}) {
  return {
    id: 'c1',
    page_id: 'p1',
    group_id: 'g1',
    created_at: '2020-01-01T00:00:00.000Z',
    updated_at: '2020-01-01T00:00:00.000Z',
    group: false,
    name: 'Shop',
    description: null,
    position: 1,
    status: 'operational',
    showcase: true,
    only_show_if_degraded: false,
    automation_email: null,
    start_date: '2020-01-01',
    ...more,
  }
}

const update = (status: string, body: string, atHour: string, state: string) => ({
  id: `u${atHour}`,
  incident_id: 'i1',
  affected_components: [{ code: 'c1', name: 'Shop', old_status: 'operational', new_status: state }],
  body,
  created_at: `2026-11-20T${atHour}:00:00.000Z`,
  custom_tweet: null,
  deliver_notifications: true,
  display_at: `2026-11-20T${atHour}:00:00.000Z`,
  status,
  tweet_id: null,
  twitter_updated_at: null,
  updated_at: `2026-11-20T${atHour}:00:00.000Z`,
  wants_twitter_update: false,
})

/** Each field of an incident. */
export function statuspageIncident(more: object = {}) {
  return {
    id: 'i1',
    components: [statuspageComponent()],
    created_at: '2026-11-20T10:00:00.000Z',
    impact: 'major',
    impact_override: null,
    // The newest first, as it answers.
    incident_updates: [
      update('resolved', 'Done.', '12', 'operational'),
      update('investigating', 'We look.', '10', 'major_outage'),
    ],
    incident_impacts: [],
    metadata: {},
    monitoring_at: null,
    name: 'Checkout fails',
    page_id: 'p1',
    postmortem_body: 'It was the bank.',
    postmortem_body_last_updated_at: null,
    postmortem_ignored: false,
    postmortem_notified_subscribers: false,
    postmortem_notified_twitter: false,
    postmortem_published_at: null,
    resolved_at: '2026-11-20T12:00:00.000Z',
    scheduled_auto_completed: false,
    scheduled_auto_in_progress: false,
    scheduled_for: null,
    auto_transition_deliver_notifications_at_end: null,
    auto_transition_deliver_notifications_at_start: null,
    auto_transition_to_maintenance_state: null,
    auto_transition_to_operational_state: null,
    scheduled_remind_prior: false,
    scheduled_reminded_at: null,
    scheduled_until: null,
    shortlink: 'https://stspg.io/x',
    status: 'resolved',
    updated_at: '2026-11-20T12:00:00.000Z',
    reminder_intervals: null,
    ...more,
  }
}

/** Each field of a subscriber. */
export function statuspageSubscriber(more: object = {}) {
  return {
    id: 's1',
    skip_confirmation_notification: false,
    mode: 'email',
    email: 'ann@reader.test',
    endpoint: null,
    phone_number: null,
    phone_country: null,
    display_phone_number: null,
    obfuscated_channel_name: null,
    workspace_name: null,
    quarantined_at: null,
    purge_at: null,
    components: ['c1'],
    page_access_user_id: null,
    created_at: '2025-03-01T09:30:00.000Z',
    ...more,
  }
}

/** What all answers become, of one page. */
export function statuspageSample(more: object = {}) {
  const window = {
    ...{ id: 'i2', name: 'New disks', status: 'scheduled', resolved_at: null },
    components: [statuspageComponent({ id: 'c2', name: 'Mail' })],
    scheduled_for: '2026-12-05T22:00:00.000Z',
    scheduled_until: '2026-12-05T23:00:00.000Z',
    incident_updates: [
      {
        status: 'scheduled',
        body: 'We change them.',
        display_at: '2026-11-29T10:00:00.000Z',
        affected_components: null,
      },
    ],
  }
  return {
    readAt: '2026-11-30T12:00:00.000Z',
    statusPages: [
      {
        page: statuspagePage(),
        components: [
          statuspageComponent({ id: 'g1', group: true, group_id: null, name: 'Sales' }),
          statuspageComponent(),
          statuspageComponent({ id: 'c2', name: 'Mail', group_id: null, position: 2 }),
        ],
        groups: [{ id: 'g1', page_id: 'p1', name: 'Sales', components: ['c1'], position: 1 }],
        incidents: [statuspageIncident(), statuspageIncident(window)],
        subscribers: [statuspageSubscriber()],
        counts: {
          email: { active: 1, unconfirmed: 7, quarantined: 0, total: 8 },
          sms: { active: 3, unconfirmed: 0, quarantined: 0, total: 3 },
        },
        metrics: [],
        templates: [
          {
            ...{ id: 't1', name: 'Payments', title: 'Payments are slow', body: 'We look at it.' },
            ...{ update_status: 'investigating', components: [{ id: 'c1' }, { id: 'nowhere' }] },
          },
        ],
        accessGroups: [],
        ...more,
      },
    ],
  }
}
