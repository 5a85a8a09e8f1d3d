// What version 3.1 of the API of Pingdom answers, each field that it documents with a value.

const check = {
  id: 85_975,
  name: 'Site',
  created: 1_764_000_000,
  hostname: 'www.example.org',
  resolution: 1,
  status: 'up',
  paused: false,
  ipv6: false,
  lasterrortime: 1_767_139_200,
  lasttesttime: 1_767_139_200,
  lastresponsetime: 355,
  lastdownstart: 1_767_139_100,
  lastdownend: 1_767_139_200,
  integrationids: [] as number[],
  notifyagainevery: 0,
  notifywhenbackup: true,
  probe_filters: [] as string[],
  sendnotificationwhendown: 2,
  responsetime_threshold: 30_000,
  severity_level: 'HIGH',
  custom_message: '',
  tags: [] as object[],
  teams: [] as object[],
  userids: [] as number[],
}

const userAgent = { 'User-Agent': 'Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)' }

const checks = [
  {
    ...check,
    ...{ teams: [{ id: 1, name: 'Ops' }], userids: [3] },
    type: { http: { url: '/', encryption: true, port: 443, requestheaders: userAgent } },
  },
  {
    ...check,
    ...{ id: 85_976, name: 'Shop', resolution: 5, ipv6: true, responsetime_threshold: 2_300 },
    ...{ integrationids: [33], notifyagainevery: 6, notifywhenbackup: false },
    ...{ probe_filters: ['region: NA'], sendnotificationwhendown: 3, severity_level: 'LOW' },
    ...{ custom_message: 'Call Ann.', tags: [{ name: 'apache', type: 'a', count: 2 }] },
    type: {
      http: {
        url: '/cart?a=1',
        encryption: true,
        port: 8_443,
        username: 'ann',
        password: 'pass-word-1',
        shouldcontain: 'Cart',
        shouldnotcontain: '',
        postdata: 'a=1&b=2',
        requestheaders: { ...userAgent, 'X-Shop': 'yes' },
        verify_certificate: true,
        ssl_down_days_before: 7,
      },
    },
  },
  {
    ...check,
    ...{ id: 85_977, name: 'Status', status: 'paused' },
    type: {
      httpcustom: {
        url: 'status.xml',
        encryption: false,
        port: 80,
        additionalurls: 'b.example.org/status.xml',
        verify_certificate: false,
      },
    },
  },
  { ...check, id: 85_978, name: 'Router', hostname: '192.0.2.1', type: { ping: {} } },
  {
    ...check,
    ...{ id: 85_979, name: 'Port' },
    type: { tcp: { port: 22, stringtosend: 'a\\b\n', stringtoexpect: 'SSH' } },
  },
  {
    ...check,
    ...{ id: 85_980, name: 'Game' },
    type: { udp: { port: 53, stringtosend: 'x', stringtoexpect: 'y' } },
  },
  {
    ...check,
    ...{ id: 85_981, name: 'Names', hostname: 'example.org' },
    type: { dns: { nameserver: '192.0.2.53', expectedip: '192.0.2.7' } },
  },
  {
    ...check,
    ...{ id: 85_982, name: 'Mail' },
    type: { smtp: { port: 25, encryption: false, auth: 'u:smtp-secret', stringtoexpect: '220' } },
  },
  {
    ...check,
    ...{ id: 85_983, name: 'Box' },
    type: { imap: { port: 993, encryption: true, stringtoexpect: 'OK' } },
  },
]

export const pingdomAnswer = {
  checks: [
    ...checks.map(({ type, ...one }) => ({ ...one, type: Object.keys(type)[0] })),
    // What is told of it could not be read.
    { ...check, id: 85_984, name: 'Unread', type: 'http' },
    { ...check, id: 85_985, name: 'New', type: 'teapot' },
  ],
  details: checks.map((one) => ({ check: one })),
  teams: [
    {
      id: 1,
      name: 'Ops',
      members: [
        { id: 1, name: 'Ann', type: 'user' },
        { id: 2, name: 'Bob', type: 'contact' },
      ],
    },
    { id: 2, name: 'Unused', members: [] },
  ],
  contacts: [
    {
      id: 1,
      name: 'Ann',
      paused: false,
      type: 'user',
      owner: true,
      notification_targets: {
        email: [{ severity: 'HIGH', address: 'ann@example.org' }],
        sms: [{ severity: 'HIGH', country_code: '00', number: '1111111111', provider: 'p' }],
      },
      teams: [{ id: 1, name: 'Ops' }],
    },
    {
      id: 2,
      name: 'Bob',
      paused: true,
      type: 'contact',
      owner: false,
      notification_targets: {
        email: [
          { severity: 'HIGH', address: 'bob@example.org' },
          { severity: 'LOW', address: 'ann@example.org' },
        ],
        apns: [{ severity: 'HIGH', device_name: 'phone', apns_device: 'x' }],
      },
      teams: [],
    },
    {
      id: 3,
      name: 'Eve',
      paused: true,
      type: 'contact',
      owner: false,
      notification_targets: { email: [{ severity: 'HIGH', address: 'eve@example.org' }] },
      teams: [],
    },
  ],
  maintenance: [
    {
      id: 7,
      description: 'Sundays',
      from: Date.parse('2025-12-07T06:30Z') / 1_000,
      to: Date.parse('2025-12-07T08:00Z') / 1_000,
      recurrencetype: 'week',
      repeatevery: 1,
      effectiveto: Date.parse('2026-12-07T00:00Z') / 1_000,
      checks: { uptime: [85_975, 85_976], tms: [3] },
    },
    {
      id: 8,
      description: 'Coming',
      from: Date.parse('2026-02-07T06:30Z') / 1_000,
      to: Date.parse('2026-02-07T08:00Z') / 1_000,
      recurrencetype: 'none',
      repeatevery: 0,
      effectiveto: 0,
      checks: { uptime: [85_975], tms: [] },
    },
    {
      id: 9,
      description: 'Odd',
      from: Date.parse('2025-02-07T06:30Z') / 1_000,
      to: Date.parse('2025-02-07T08:00Z') / 1_000,
      recurrencetype: 'week',
      repeatevery: 2,
      effectiveto: 0,
      checks: { uptime: [85_975], tms: [] },
    },
  ],
  transactions: [{ id: 3, name: 'Buy', active: true, type: 'recording', interval: 10 }],
  outages: {
    85975: {
      summary: {
        states: [
          {
            status: 'up',
            timefrom: Date.parse('2025-12-31T00:00Z') / 1_000,
            timeto: Date.parse('2025-12-31T23:00Z') / 1_000,
          },
          {
            status: 'down',
            timefrom: Date.parse('2025-12-31T23:00Z') / 1_000,
            timeto: Date.parse('2026-01-01T01:00Z') / 1_000,
          },
          {
            status: 'unknown',
            timefrom: Date.parse('2026-01-01T01:00Z') / 1_000,
            timeto: Date.parse('2026-01-02T00:00Z') / 1_000,
          },
        ],
      },
    },
  },
  readAt: '2026-01-02T00:00:00.000Z',
}
