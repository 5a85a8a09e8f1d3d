// The made-up shop whose console is shown: its monitors, channels and pages, as the API takes them, and
// what happened to them. Nothing here is random, and the time is a morning of one day.

export const nowMs = Date.UTC(2026, 9, 14, 9, 42)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** When the shop began to be watched. */
export const bornMs = nowMs - 94 * dayMs

const at = (month: number, day: number, hour: number, minute: number, second = 0) =>
  Date.UTC(2026, month - 1, day, hour, minute, second)

/** What checks saw instead of an answer as usual. */
export interface Trouble {
  readonly fromMs: number
  /** Absent: it goes on. */
  readonly toMs?: number
  readonly kind: 'slow' | 'status' | 'timeout' | 'refused' | 'assertion'
  /** Only from these places; absent: from everywhere. */
  readonly from?: readonly string[]
}

export interface ShopMonitor {
  /** As it is sent to the API. */
  readonly body: {
    readonly name: string
    readonly checkType: string
    readonly url?: string
    readonly tags?: readonly string[]
    readonly isPublic?: boolean
    readonly isActive?: boolean
    readonly locations?: readonly string[]
    readonly [field: string]: unknown
  }
  /** A usual response time; of push monitors how often they report. */
  readonly usualMs: number
  readonly troubles?: readonly Trouble[]
}

/** Where the shop is checked from, and how much longer an answer takes there. */
export const places: Readonly<Record<string, number>> = {
  Frankfurt: 1,
  Ashburn: 1.4,
  Singapore: 2.1,
}

const shop = ['shop']
const watched = { intervalMinutes: 5, isPublic: true }

export const checkout = 'Checkout API'

export const monitors: readonly ShopMonitor[] = [
  {
    body: {
      ...watched,
      name: checkout,
      checkType: 'endpoint',
      url: 'https://api.acme.example/v1/checkout/health',
      description: 'Carts, prices and orders. Runs in both regions behind the same name.',
      runbookUrl: 'https://wiki.acme.example/runbooks/checkout',
      tags: [...shop, 'on-call'],
      degradedThresholdMs: 800,
      assertions: [{ source: 'json', path: '$.database', type: 'equals', value: 'ok' }],
      sloPercent: 99.9,
      // By their names, in place of ids.
      locations: Object.keys(places),
    },
    usualMs: 142,
    troubles: [
      { kind: 'slow', fromMs: at(10, 14, 9, 2), toMs: at(10, 14, 9, 18) },
      { kind: 'status', fromMs: at(10, 14, 9, 18, 12), from: ['Frankfurt', 'Ashburn'] },
      { kind: 'status', fromMs: at(9, 22, 16, 0), toMs: at(9, 22, 16, 55) },
      { kind: 'slow', fromMs: at(9, 8, 11, 0), toMs: at(9, 8, 12, 30) },
      { kind: 'timeout', fromMs: at(8, 3, 19, 30), toMs: at(8, 3, 19, 52) },
    ],
  },
  {
    body: {
      ...watched,
      name: 'Storefront',
      checkType: 'keyword',
      url: 'https://www.acme.example/',
      bodyContains: 'Add to basket',
      tags: [...shop, 'on-call'],
    },
    usualMs: 118,
    troubles: [
      { kind: 'timeout', fromMs: at(10, 6, 14, 5), toMs: at(10, 6, 14, 41) },
      { kind: 'timeout', fromMs: at(8, 19, 7, 15), toMs: at(8, 19, 7, 41) },
    ],
  },
  {
    body: {
      ...watched,
      name: 'Search API',
      checkType: 'endpoint',
      url: 'https://api.acme.example/v1/search?q=lamp',
      tags: shop,
      degradedThresholdMs: 600,
    },
    usualMs: 214,
    troubles: [
      { kind: 'slow', fromMs: at(10, 14, 9, 6) },
      { kind: 'slow', fromMs: at(10, 2, 17, 0), toMs: at(10, 2, 20, 0) },
    ],
  },
  {
    body: {
      ...watched,
      name: 'Payment webhooks',
      checkType: 'health',
      url: 'https://pay.acme.example/health',
      tags: [...shop, 'on-call'],
    },
    usualMs: 63,
    troubles: [{ kind: 'refused', fromMs: at(9, 28, 3, 10), toMs: at(9, 28, 3, 22) }],
  },
  {
    body: {
      ...watched,
      name: 'Sign-in',
      checkType: 'endpoint',
      url: 'https://login.acme.example/',
      tags: ['accounts', 'on-call'],
    },
    usualMs: 71,
  },
  {
    body: {
      ...watched,
      name: 'Live order updates',
      checkType: 'websocket',
      url: 'wss://live.acme.example/orders',
      tags: shop,
    },
    usualMs: 48,
    troubles: [{ kind: 'timeout', fromMs: at(10, 9, 21, 12), toMs: at(10, 9, 21, 31) }],
  },
  {
    body: {
      ...watched,
      name: 'DNS acme.example',
      checkType: 'dns',
      url: 'dns://acme.example?type=MX',
      tags: ['network'],
    },
    usualMs: 12,
  },
  {
    body: {
      ...watched,
      name: 'Certificate www.acme.example',
      checkType: 'ssl',
      url: 'tls://www.acme.example:443',
      intervalMinutes: 60,
      tags: ['network'],
      isPublic: false,
    },
    usualMs: 44,
  },
  {
    body: {
      ...watched,
      name: 'Mail server',
      checkType: 'smtp',
      url: 'smtp://mx.acme.example',
      tags: ['network'],
    },
    usualMs: 96,
    troubles: [{ kind: 'timeout', fromMs: at(10, 13, 16, 20), toMs: at(10, 13, 16, 48) }],
  },
  {
    body: {
      ...watched,
      name: 'Orders database',
      checkType: 'tcp',
      url: 'tcp://db1.acme.example:5433',
      tags: ['on-call', 'network'],
      isPublic: false,
    },
    usualMs: 3,
  },
  {
    body: {
      ...watched,
      name: 'Warehouse VPN',
      checkType: 'ping',
      url: 'ping://198.51.100.17',
      tags: ['network'],
      isPublic: false,
    },
    usualMs: 27,
    troubles: [
      { kind: 'timeout', fromMs: at(9, 30, 22, 0), toMs: at(9, 30, 22, 14) },
      { kind: 'timeout', fromMs: at(10, 14, 1, 7), toMs: at(10, 14, 1, 33) },
    ],
  },
  {
    body: {
      ...watched,
      name: 'Help centre',
      checkType: 'endpoint',
      url: 'https://help.acme.example/',
    },
    usualMs: 187,
  },
  {
    body: {
      name: 'Nightly backup',
      checkType: 'push',
      intervalMinutes: 1_440,
      graceSeconds: 3_600,
      tags: ['jobs'],
    },
    usualMs: dayMs,
    troubles: [{ kind: 'status', fromMs: at(10, 3, 2, 0), toMs: at(10, 3, 3, 0) }],
  },
  {
    body: {
      name: 'Invoices',
      checkType: 'push',
      intervalMinutes: 60,
      graceSeconds: 600,
      tags: ['jobs'],
    },
    usualMs: hourMs,
  },
  {
    body: {
      ...watched,
      name: 'Staging',
      checkType: 'endpoint',
      url: 'https://staging.acme.example/',
      isPublic: false,
    },
    usualMs: 260,
  },
]

/** The same of a day on which all is well. */
export const calmMonitors: readonly ShopMonitor[] = monitors.map((life) => ({
  ...life,
  troubles: life.troubles?.filter(({ toMs = nowMs }) => toMs < nowMs - dayMs) ?? [],
}))

/** Paused since yesterday evening. */
export const pausedName = 'Staging'
export const pausedAtMs = at(10, 13, 18, 5)

export const channels = [
  {
    name: 'On call',
    type: 'pagerduty',
    config: { routingKey: 'R0123456789ABCDEF0123456789ABCDE' },
    isDefault: true,
    tags: ['on-call'],
    minSeverity: 'down',
  },
  {
    name: '#shop-alerts',
    type: 'slack',
    config: { webhookUrl: 'https://hooks.slack.com/services/T00000000/B00000000/picture' },
    isDefault: true,
  },
  {
    name: 'Operations',
    type: 'email',
    config: { to: ['ops@acme.example', 'ada@acme.example'] },
    isDefault: true,
    quietHours: { timezone: 'Europe/Berlin', from: '22:00', to: '07:00', allowDown: true },
  },
  {
    name: "Ada's phone",
    type: 'ntfy',
    config: { server: 'https://ntfy.acme.example', topic: 'ada-7Qm3xT' },
    isDefault: true,
    delayMinutes: 30,
    minSeverity: 'down',
  },
  {
    name: 'Data warehouse',
    type: 'webhook',
    config: { url: 'https://hooks.acme.example/stillup' },
    isDefault: true,
    tags: ['jobs'],
  },
] as const

export const windows = [
  {
    name: 'Database upgrade',
    description: 'Orders may be slow for some minutes.',
    tags: ['shop'],
    startsAt: new Date(at(10, 17, 4, 0)).toISOString(),
    endsAt: new Date(at(10, 17, 5, 30)).toISOString(),
    isPublic: true,
  },
  {
    name: 'Reindexing of the search',
    tags: ['shop'],
    cron: '30 2 * * 0',
    durationMinutes: 45,
    timezone: 'Europe/Berlin',
    isPublic: false,
  },
  {
    name: 'Carrier works at the warehouse',
    tags: ['network'],
    startsAt: new Date(at(10, 21, 21, 0)).toISOString(),
    endsAt: new Date(at(10, 21, 23, 0)).toISOString(),
    isPublic: false,
  },
] as const

/** What people wrote of the open incident. */
export const acknowledgedAtMs = at(10, 14, 9, 24, 5)
export const updates = [
  {
    atMs: at(10, 14, 9, 27, 40),
    status: 'investigating',
    message: 'Some orders fail. We are looking into it.',
  },
  {
    atMs: at(10, 14, 9, 30, 10),
    status: 'identified',
    message:
      'The database has no free connections since this morning’s release. We are rolling it back.',
  },
] as const

export const postmortem = `## What happened

A release at 15:58 UTC opened two connections for each order. The pool of the database was empty two
minutes later, and every second order failed.

## What we change

- The release is rolled out to one region first.
- An alert tells when 80 % of the connections are in use.`
