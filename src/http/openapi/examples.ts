// The examples of requests that several operations share. They tell one story: the shop of Acme, its
// monitors, and the people who look after it.

export const exampleMonitorIds = [
  'mon_01kar2d4f6h8k0n2q4s6v8x0z2',
  'mon_01kar3e5g7j9m1p3r5t7w9y1a3',
]

export const exampleEmail = 'ada@example.com'

export const examplePassword = 'a long sentence is a good password'

export const exampleLinkToken = 'Vn3kX8qLz0Yw5RbT7mPdC2sHfJ9gAeU4iO6tKxB1yZo'

export const exampleMonitor = {
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

export const exampleCertificate = {
  name: 'Shop: certificate',
  url: 'https://shop.example.com',
  checkType: 'ssl',
  certificateWarnDays: [21, 7],
  intervalMinutes: 60,
}

export const exampleChannelDraft = {
  name: 'On call',
  type: 'webhook',
  config: { url: 'https://hooks.example.com/stillup' },
}

export const exampleChannel = {
  ...exampleChannelDraft,
  isActive: true,
  isDefault: true,
  tags: ['shop'],
  quietHours: { timezone: 'Europe/Berlin', from: '22:00', to: '07:00', allowDown: true },
}

export const exampleMaintenance = {
  name: 'Database upgrade',
  description: 'The shop is read-only for some minutes.',
  tags: ['shop'],
  cron: '30 2 * * 0',
  durationMinutes: 90,
  timezone: 'Europe/Berlin',
  isPublic: true,
}
