// Maintenance, status pages, groups and domains of Uptime Kuma's database.
import t from 'tap'
import { fromKumaDatabase } from '../../../../src/domain/imports/kuma/kuma.ts'
import type { KumaTables } from '../../../../src/domain/imports/kuma/kuma-rows.ts'

type Row = Readonly<Record<string, unknown>>

const nowMs = Date.UTC(2026, 10, 30, 12)

function converted(tables: KumaTables, unknown: readonly string[] = []) {
  return fromKumaDatabase({ tables, unknown, installation: 'one', nowMs })
}

const monitorId = (id: number) => `mon_${String(id).padStart(26, '0')}`
const monitor = (id: number, more: Row = {}): Row => {
  return { id, name: `M${id}`, type: 'ping', hostname: 'e.com', active: 1, interval: 60, ...more }
}

/** The window of a row of `maintenance`, or what is said of it. */
function windowFrom(row: Row, settings: readonly Row[] = []) {
  const { maintenance, notes } = converted({
    monitor: [monitor(1)],
    setting: settings,
    maintenance: [{ id: 5, title: 'Night', active: 1, timezone: 'UTC', ...row }],
    monitor_maintenance: [{ monitor_id: 1, maintenance_id: 5 }],
  })
  const said = notes.filter(({ origin }) => origin === 'maintenance/5').map(({ text }) => text)
  return { window: maintenance?.[0], said }
}

t.test('maintenance of each strategy becomes a window', (t) => {
  const single = {
    strategy: 'single',
    start_date: '2026-12-24T18:00',
    end_date: '2026-12-26 06:00:00',
  }
  t.same(windowFrom({ ...single, timezone: 'America/New_York' }), {
    window: {
      name: 'Night',
      origin: 'maintenance/5',
      monitorIds: [monitorId(1)],
      isPublic: false,
      startsAt: '2026-12-24T23:00:00.000Z',
      endsAt: '2026-12-26T11:00:00.000Z',
    },
    said: [],
  })
  const times = { start_time: '23:30', end_time: '01:15', start_date: '2026-10-01 08:00:00' }
  const weekly = { strategy: 'recurring-weekday', weekdays: '[1,3,0]', ...times }
  const byCron = { cron: '30 23  * * 1,3,0', duration: 6_300 }
  for (const more of [byCron, {}]) {
    const { window, said } = windowFrom({ ...weekly, ...more })
    t.match(window, { cron: '30 23 * * 1,3,0', timezone: 'UTC', durationMinutes: 105 })
    t.same(said, [])
  }
  const monthly = {
    ...times,
    strategy: 'recurring-day-of-month',
    days_of_month: '[1,15,"lastDay1"]',
  }
  t.match(windowFrom(monthly).window, { cron: '30 23 1,15,L * *' })
  const daily = {
    ...times,
    strategy: 'recurring-interval',
    interval_day: 1,
    timezone: 'SAME_AS_SERVER',
  }
  const server = [{ key: 'serverTimezone', value: '"Europe/Berlin"' }]
  t.match(windowFrom(daily, server), {
    window: { cron: '30 23 * * *', timezone: 'Europe/Berlin' },
    said: [],
  })
  t.match(windowFrom(daily), {
    window: { timezone: 'UTC' },
    said: [/that of the server: UTC is used/],
  })
  const cron = { strategy: 'cron', cron: '0 15 2 * * 6', duration: 5_400 }
  t.match(windowFrom(cron).window, { cron: '15 2 * * 6', durationMinutes: 90 })
  t.match(windowFrom({ strategy: 'manual' }), {
    window: { startsAt: '2026-11-30T00:00:00.000Z', endsAt: '2026-12-07T00:00:00.000Z' },
    said: [/until somebody ends it/],
  })
  t.end()
})

t.test('maintenance that no window says is left out with the reason', (t) => {
  const cron = { strategy: 'cron', cron: '15 2 * * 6', duration: 60 }
  const left = [
    [{ ...cron, active: 0 }, /switched off/],
    [{ ...cron, end_date: '2026-11-01 00:00:00' }, /is over/],
    [{ ...cron, cron: '*/20 8-18/2 1,15 * MON-FRI' }, /begins more than once an hour/],
    [{ ...cron, cron: 'soon' }, /schedule soon must be/],
    [{ ...cron, cron: '0 * * * *', duration: 3_600 }, /never end/],
    [
      { strategy: 'recurring-interval', interval_day: 3, start_time: '02:00', end_time: '03:00' },
      /every 3 days/,
    ],
    [{ strategy: 'single', start_date: '2026-12-24T18:00' }, /no start and end/],
    [{ strategy: 'lunar' }, /strategy "lunar"/],
  ] as const
  for (const [row, words] of left) {
    const { window, said } = windowFrom(row)
    t.equal(window, undefined)
    t.match(said.join(), words)
    t.match(said.join(), /the maintenance was left out/)
  }
  t.match(
    windowFrom({ ...cron, start_date: '2027-02-01 00:00:00', end_date: '2027-03-01 00:00:00' })
      .said,
    [/begins on 2027-02-01/, /ends on 2027-03-01/],
  )
  t.end()
})

t.test('maintenance of a group is for all that is in it, and never for everything', (t) => {
  const { maintenance, notes } = converted({
    monitor: [
      monitor(1, { type: 'group' }),
      monitor(2, { type: 'group', parent: 1 }),
      monitor(3, { parent: 2 }),
      monitor(4, { type: 'sip-options', parent: 2 }),
      monitor(6),
    ],
    maintenance: [
      { id: 1, title: 'Of a group', active: 1, strategy: 'manual' },
      { id: 2, title: 'Of what is left out', active: 1, strategy: 'manual' },
    ],
    monitor_maintenance: [
      { monitor_id: 1, maintenance_id: 1 },
      { monitor_id: 4, maintenance_id: 2 },
    ],
  })
  t.match(maintenance, [{ name: 'Of a group', monitorIds: [1, 2, 3].map(monitorId) }])
  t.equal(maintenance?.length, 1)
  t.match(
    notes.find(({ origin }) => origin === 'maintenance/2')?.text,
    /no monitor that came along: the maintenance was left out/,
  )
  t.end()
})

t.test('a status page keeps its order, and a monitor is in one section', (t) => {
  const { statusPages, monitors, notes } = converted({
    monitor: [monitor(1), monitor(2), monitor(3), monitor(4, { type: 'sip-options' })],
    status_page: [
      {
        id: 1,
        slug: 'ops',
        title: 'Ops',
        theme: 'auto',
        published: 0,
        search_engine_index: 0,
        show_powered_by: 1,
      },
      {
        id: 2,
        slug: 'Bad Slug',
        title: 'x'.repeat(300),
        icon: 'https://e.com/logo.svg',
        published: 1,
      },
    ],
    group: [
      { id: 1, name: 'Second', weight: 2, status_page_id: 1 },
      { id: 2, name: 'First', weight: 1, status_page_id: 1 },
    ],
    monitor_group: [
      { monitor_id: 2, group_id: 2, weight: 2 },
      { monitor_id: 1, group_id: 2, weight: 1 },
      { monitor_id: 1, group_id: 1, weight: 1 },
      { monitor_id: 4, group_id: 1, weight: 2 },
    ],
    incident: [
      { id: 1, title: 'Slow', content: 'We *look*', pin: 1, active: 1, status_page_id: 1 },
      { id: 2, title: 'Old', content: 'Done', pin: 0, active: 0, status_page_id: 1 },
    ],
  })
  t.match(statusPages?.[0], {
    origin: 'status_page/1',
    slug: 'ops',
    isEnabled: false,
    noindex: true,
    announcement: '**Slow**\n\nWe *look*',
    sections: [
      { name: 'First', monitorIds: [monitorId(1), monitorId(2)] },
      { name: 'Second', monitorIds: [] },
    ],
    publicMonitorIds: [monitorId(1), monitorId(2)],
  })
  t.match(statusPages?.[1], { logoUrl: 'https://e.com/logo.svg', publicMonitorIds: [] })
  t.notOk('slug' in (statusPages?.[1] ?? {}))
  t.same(
    monitors.map(({ isPublic }) => isPublic),
    [true, true, undefined],
  )
  const said = notes.map(({ text }) => text).join('\n')
  for (const words of [
    /also in its group Second/,
    /over, or not shown: 1/,
    /address Bad Slug/,
    /title of 300/,
  ]) {
    t.match(said, words)
  }
  t.end()
})

t.test('what is in a paused group is paused, and a circle of groups ends', (t) => {
  const { monitors } = converted({
    monitor: [
      monitor(1, { type: 'group', active: 0 }),
      monitor(2, { parent: 1 }),
      monitor(3, { type: 'group', parent: 4 }),
      monitor(4, { type: 'group', parent: 3 }),
    ],
  })
  t.same(
    monitors.map(({ isActive }) => isActive),
    [false, false, true, true],
  )
  t.end()
})

t.test('a domain gets one monitor, with the channels of all that look at it', (t) => {
  const web = (id: number, url: string) =>
    monitor(id, { type: 'http', url, domain_expiry_notification: 1 })
  const { monitors } = converted({
    setting: [{ key: 'domainExpiryNotifyDays', value: '[7,14]' }],
    monitor: [
      web(1, 'https://www.example.com/'),
      web(2, 'https://api.example.com/'),
      web(3, 'https://192.0.2.1/'),
      web(4, 'http://intranet/'),
    ],
    notification: [
      {
        id: 1,
        name: 'Ops',
        config: '{"type":"ntfy","ntfyserverurl":"https://ntfy.sh","ntfytopic":"a"}',
      },
    ],
    monitor_notification: [{ monitor_id: 2, notification_id: 1 }],
  })
  t.match(monitors.slice(4), [
    {
      origin: 'domain/example.com',
      url: 'domain://example.com',
      domainWarnDays: [7, 14],
      notifyChannelIds: [/^chn_/],
    },
  ])
  t.equal(monitors.length, 5)
  t.end()
})

t.test('what a newer version has, and the settings, are named', (t) => {
  const { notes, source } = converted(
    {
      monitor: [monitor(1)],
      setting: [
        { key: 'keepDataPeriodDays', value: '365' },
        { key: 'primaryBaseURL', value: '"https://ann:hidden@status.example.com/x?token=hidden"' },
      ],
      proxy: [
        { id: 1, protocol: 'http', host: '192.0.2.9', port: 3_128, auth: 1, active: 1, default: 0 },
      ],
    },
    ['monitor.colour'],
  )
  t.same(source, { product: 'kuma', installation: 'one' })
  const said = JSON.stringify(notes)
  t.match(said, /monitor\.colour, which this version/)
  t.match(said, /history for 365 days/)
  t.match(said, /https:\/\/status\.example\.com\/x:/)
  t.match(said, /checks\.proxies as http:\/\/192\.0\.2\.9:3128, with its user and password/)
  t.notMatch(said, /hidden/)
  t.end()
})
