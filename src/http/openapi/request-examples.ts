// An example of every request body, by the name of its operation. They tell one story: the shop of
// Acme, its monitors, and the people who look after it.

const userId = 'usr_01kaqyd2f4h6k8n0q2s4v6x8z0'
const monitorIds = ['mon_01kar2d4f6h8k0n2q4s6v8x0z2', 'mon_01kar3e5g7j9m1p3r5t7w9y1a3']
const statusPageId = 'pag_01kar4f6h8k0n2q4s6v8x0z2b4'
const email = 'ada@example.com'
const password = 'a long sentence is a good password'
const linkToken = 'Vn3kX8qLz0Yw5RbT7mPdC2sHfJ9gAeU4iO6tKxB1yZo'

const monitor = {
  name: 'Shop: front page',
  url: 'https://shop.example.com/',
  checkType: 'endpoint',
  method: 'GET',
  expectedStatus: 200,
  bodyContains: 'Add to basket',
  intervalMinutes: 1,
  timeoutMs: 10_000,
  degradedThresholdMs: 3_000,
  isActive: true,
  isPublic: true,
  reminderMinutes: 30,
  tags: ['shop'],
}

const certificate = {
  name: 'Shop: certificate',
  url: 'https://shop.example.com',
  checkType: 'ssl',
  certificateWarnDays: [21, 7],
  intervalMinutes: 60,
}

const api = {
  name: 'Shop: API answers with stock',
  url: 'https://api.example.com/v1/stock?limit=1',
  checkType: 'endpoint',
  headers: { Authorization: 'Bearer example-token' },
  responseFormat: 'json',
  assertions: [
    { source: 'json', path: '$.items[0].id', type: 'exists' },
    { source: 'responseTime', type: 'lessThan', value: '800' },
  ],
  intervalMinutes: 5,
}

const channelDraft = {
  name: 'On call',
  type: 'webhook',
  config: { url: 'https://hooks.example.com/stillup' },
}
const channel = {
  ...channelDraft,
  isActive: true,
  isDefault: true,
  tags: ['shop'],
  quietHours: { timezone: 'Europe/Berlin', from: '22:00', to: '07:00', allowDown: true },
}

const page = {
  name: 'Acme status',
  slug: 'acme',
  title: 'Is Acme up?',
  description: 'The state of our shop and its API.',
  isEnabled: true,
  showHistory: true,
  showUptime: true,
  showIncidents: true,
  showMonitors: true,
  publicMonitorIds: [monitorIds[0]],
}

const maintenance = {
  name: 'Database upgrade',
  description: 'The shop is read-only for some minutes.',
  tags: ['shop'],
  cron: '30 2 * * 0',
  durationMinutes: 90,
  timezone: 'Europe/Berlin',
  isPublic: true,
}

const report = {
  status: 'ok',
  message: 'Backup finished',
  durationMs: 84_000,
  metadata: { files: 1_204, host: 'db-1' },
}

/** Each fits the schema of its body. */
export const requestExamples: Readonly<Record<string, object>> = {
  'auth.register': { email, password, name: 'Ada', organizationName: 'Acme' },
  'auth.login': { email, password },
  'auth.reauthenticate': { password },
  'auth.forgotPassword': { email },
  'auth.resetPassword': { token: linkToken, password },
  'auth.changePassword': {
    currentPassword: password,
    newPassword: 'another long sentence, better',
  },
  'auth.verifyEmail': { token: linkToken },
  'auth.changeEmail': { token: linkToken, answer: 'confirm' },
  'totp.turnOff': { code: '492039' },
  'totp.confirm': { code: '492039' },
  'oidc.confirm': { totp: '492039' },
  'magic-link.request': { email, redirectUri: '/' },
  'magic-link.verify': { token: linkToken },
  'user.change': { name: 'Ada Lovelace' },
  'user.changeReferralCode': { code: 'ada-recommends' },
  'orgs.create': { name: 'Acme', language: 'de', timezone: 'Europe/Berlin' },
  'orgs.change': { name: 'Acme Ltd', timezone: 'Europe/London' },
  'orgs.import': {
    format: 'stillup/1',
    organization: { name: 'Acme' },
    channels: [channel],
    monitors: [monitor, certificate],
    statusPages: [{ name: 'Acme status', slug: 'acme' }],
    maintenance: [maintenance],
  },
  'orgs.tryImport': { format: 'stillup/1', monitors: [monitor] },
  'orgs.convert': {
    product: 'healthchecks',
    text: '{"checks": [{"name": "Nightly backup", "timeout": 86400, "grace": 3600}]}',
  },
  'orgs.transfer': { userId },
  'members.change': { userId, role: 'admin' },
  'invites.create': { email: 'grace@example.com', role: 'member' },
  'invites.join': { password, name: 'Grace' },
  'status-pages.addSubscribers': { emails: ['grace@example.com'] },
  'api-keys.create': {
    name: 'deploy script',
    role: 'member',
    expiresAt: '2027-12-31T00:00:00.000Z',
  },
  'api-keys.change': { name: 'deploy script of the shop' },
  'api-keys.rotate': { revokeNow: false },
  'monitors.create': monitor,
  'monitors.change': { intervalMinutes: 5, failureThreshold: 2 },
  'monitors.changeMany': { tag: 'shop', isActive: false },
  'monitors.removeMany': { ids: monitorIds },
  'monitors.test': api,
  'monitors.createMany': { monitors: [monitor, certificate, api] },
  'monitors.simulate': { failureThreshold: 2, degradedThresholdMs: 800 },
  'monitors.testAlerts': { severity: 'down', at: '2026-03-29T02:30:00.000Z', send: false },
  'incidents.declare': {
    title: 'Checkout is unavailable',
    severity: 'down',
    monitorIds: [monitorIds[0]],
    message: 'Customers cannot pay. We are looking into it.',
    isPublic: true,
  },
  'incidents.acknowledge': { message: 'I am looking into it.' },
  'incidents.change': {
    title: 'Checkout is unavailable',
    isPublic: true,
    postmortem: '## What happened\n\nThe disk of the database was full.',
  },
  'incidents.previewPostmortem': {
    postmortem: '## What happened\n\nThe disk of the database was **full**.',
  },
  'incidents.resolve': { message: 'The database has room again.', isPublic: true },
  'incidents.update': {
    status: 'identified',
    message: 'The database ran out of connections. We are adding more.',
    isPublic: true,
  },
  'maintenance-windows.create': maintenance,
  'maintenance-windows.change': { durationMinutes: 120 },
  'maintenance-windows.extend': { minutes: 30 },
  'maintenance-windows.cancel': { startsAt: '2027-01-03T01:30:00.000Z' },
  'alert-channels.create': channel,
  'alert-channels.change': { isActive: false },
  'alert-channels.testDraft': channelDraft,
  'alert-channels.test': { config: channelDraft.config },
  'alert-channels.redeliverAll': { state: 'dead', since: '2026-01-01T00:00:00.000Z' },
  'status-pages.create': page,
  'status-pages.preview': page,
  'status-pages.change': { title: 'Acme: is it up?', publicMonitorIds: monitorIds },
  'status-pages.setSubdomain': { subdomain: 'acme' },
  'custom-domains.create': { hostname: 'status.example.com', statusPageId },
  'kyc.verify': {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email,
    phone: '+44 20 7946 0958',
    dateOfBirth: '1990-12-10',
    country: 'GB',
    identityNumbers: { passport: '925665416' },
    gender: 'female',
    address: {
      street: '12 St James Square',
      city: 'London',
      postalCode: 'SW1Y 4JH',
      country: 'GB',
    },
  },
  'kyc.decide': { decision: 'approve', reason: 'The passport and the person match.' },
  'kyc.callback': { verificationId: 'kyc_01karp3m5p7r9t1w3y5a7c9e1g', status: 'approved' },
  'system.reportError': {
    message: 'TypeError: basket is undefined',
    source: 'shop',
    stack: 'TypeError: basket is undefined\n    at pay (shop.js:81:12)',
    context: { page: '/checkout' },
  },
  'system.chooseNotices': { channelIds: ['chn_01k0000000000000000000000a'] },
  'system.changeUser': { isDisabled: true },
  'system.changeOrg': { quotas: { monitors: 500 } },
  'monitors.replaceToken': { revokeNow: false },
  'push.report': report,
  'push.word': { message: report.message, durationMs: report.durationMs },
}
