// The steps of a monitor: what is refused, what is kept of its variables, and where these may go.
import t from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import type { MonitorFields } from '../../../src/domain/monitors/monitor-fields.ts'
import { secretMask } from '../../../src/domain/secret-mask.ts'
import { targetOf } from '../../../src/services/monitors/monitor-request.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'

const url = 'https://inside.test/api/'
const variables = { password: 'hunter22', user: 'ada' }
const signIn = {
  ...{ name: 'Sign in', method: 'POST', url: 'login', body: '{{user}} {{password|json}}' },
  captures: [{ name: 'token', source: 'json', path: '$.token' }],
}
const look = { name: 'Look', url: 'orders', headers: { Authorization: 'Bearer {{token}}' } }
const least = { name: 'Shop', checkType: 'steps', url, variables, steps: [signIn, look] }

async function problems(call: () => Promise<unknown>): Promise<Record<string, string>> {
  const error = await call().catch((thrown: unknown) => thrown)
  if (!(error instanceof Fault)) throw error ?? new Error('nothing was wrong')
  return Object.fromEntries(error.errors.map(({ pointer, message }) => [pointer, message]))
}

t.test(
  'steps come back as they were given, with what was left out; variables are masked',
  async (t) => {
    const { monitors, alice, done, box } = startMonitorServices(t)
    const { monitor, ...view } = await done(monitors.create(alice, least))
    t.match(view.steps, [signIn, { ...look, method: 'GET', expectedStatus: 200, isCleanUp: false }])
    t.same(view.variables, { password: secretMask, user: secretMask })
    t.notOk(JSON.stringify(monitor).includes('hunter22'))
    t.match(targetOf(box, monitor), { variables, steps: [signIn, look] })
  },
)

t.test('what is wrong with a step is said of its field', async (t) => {
  const { monitors, alice } = startMonitorServices(t)
  const wrong = (step: object, more: MonitorFields = {}) =>
    problems(() => monitors.create(alice, { ...least, steps: [{ ...look, ...step }], ...more }))
  const headers = { Authorization: 'Bearer tok-1', 'X-A': '{{token}}', Host: 'a' }
  t.match(await wrong({ headers }), {
    '/steps/0/headers/Authorization': /is shown to everybody who edits the monitor/,
    '/steps/0/headers/X-A':
      'names {{token}}, which is no variable and which no earlier step captures',
    '/steps/0/headers/Host': 'is a header that cannot be set',
  })
  const plain = { headers: {} }
  t.match(await wrong({ ...plain, url: '/{{to ken}}' }), {
    '/steps/0/url': /^has \{\{to ken\}\}, which is no placeholder: they are \{\{name\}\}/,
  })
  for (const bad of ['https://{{user}}.test/', '//evil.test/', 'ftp://evil.test/', 'file:///etc']) {
    t.match(
      await wrong({ ...plain, url: bad }),
      { '/steps/0/url': /must be relative, or begin/ },
      bad,
    )
  }
  for (const bad of [
    '\\\\evil.test/',
    '/\\evil.test',
    ' https://evil.test',
    'ht\ntps://evil.test',
  ]) {
    t.match(await wrong({ ...plain, url: bad }), { '/steps/0/url': /must not contain spaces/ }, bad)
  }
  t.match(await wrong({ ...plain, url: 'https://ada:pw@inside.test/' }), {
    '/steps/0/url': /must be relative|user name or password/,
  })
  t.match(await wrong({ ...plain, captures: [{ name: 'user', source: 'json', path: '$[' }] }), {
    '/steps/0/captures/0/path': /is not a valid JSONPath/,
    '/steps/0/captures/0/name': 'is the name of a variable',
  })
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    const captures = [{ name, source: 'json', path: '$' }]
    t.match(await wrong({ ...plain, captures }), {
      '/steps/0/captures/0/name': `must not be ${name}`,
    })
  }
  const assertions = [{ source: 'status', type: 'lessThan', value: 'many' }]
  t.match(await wrong({ ...plain, assertions }), { '/steps/0/assertions/0/value': /number/ })
  t.match(await wrong({ ...plain, isCleanUp: true }), {
    '/steps': 'must have a step that is not for cleaning up',
  })
  t.match(await wrong({ ...plain, degradedThresholdMs: 10_000 }), {
    '/steps/0/degradedThresholdMs': 'must be below timeoutMs',
  })
  t.match(await wrong({ ...plain, body: 'x'.repeat(49_152) }), {
    '/steps': 'must have at most 49152 bytes in all, as JSON',
  })
  const secrets = Array.from({ length: 21 }, (_, at) => `{{secret.S${at}}}`).join('')
  t.match(await wrong({ ...plain, body: secrets }), { '/steps': 'must name at most 20 secrets' })
  const much = Object.fromEntries(
    Array.from({ length: 9 }, (_, at) => [`v${at}`, 'x'.repeat(4_000)]),
  )
  t.match(await wrong(plain, { variables: much }), {
    '/variables': 'must have at most 32768 bytes in all',
  })
  const value = `${'x'.repeat(22)} {{no}} such`
  const accepted = [{ source: 'body', path: null, type: 'unchanged', value }]
  t.strictSame(
    Object.keys(await wrong({ ...plain, assertions: accepted, url: '//' })),
    ['/steps/0/url'],
    'what was accepted of an answer is no template',
  )
  t.match(await problems(() => monitors.create(alice, { ...least, steps: [] })), {
    '/steps': /must have a step/,
  })
  t.match(await problems(() => monitors.create(alice, { ...least, checkType: 'endpoint' })), {
    '/steps': 'does not apply to checkType endpoint',
    '/variables': 'does not apply to checkType endpoint',
  })
})

t.test('a step may lead nowhere where a monitor may not', async (t) => {
  const { monitors, alice } = startMonitorServices(t)
  const inner = { ...look, headers: {}, url: 'http://169.254.169.254/latest/' }
  t.match(await problems(() => monitors.create(alice, { ...least, steps: [signIn, inner] })), {
    '/steps/1/url': /leads to|is /,
  })
})

t.test('variables that a change leaves out or masks stay, but go to no other server', async (t) => {
  const { monitors, alice, done, box } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, least))
  const change = (patch: MonitorFields) => done(monitors.change(alice, monitor.id, patch))
  const sent = async (patch: MonitorFields) =>
    targetOf(box, (await change(patch)).monitor).variables
  t.same(await sent({ name: 'Store' }), variables)
  t.same(await sent({ variables: { password: secretMask, user: 'bob' } }), {
    ...{ password: 'hunter22', user: 'bob' },
  })
  const elsewhere = { name: 'Out', url: 'https://evil.test/?{{password}}' }
  const given = await problems(() => change({ steps: [elsewhere] }))
  t.match(given, {
    '/variables/password': /must be given again/,
    '/variables/user': /must be given again/,
  })
  t.match(await problems(() => change({ url: 'https://evil.test/' })), {
    '/variables/password': /must be given again/,
  })
  t.same(await sent({ steps: [{ ...look, url: 'https://inside.test/other', headers: {} }] }), {
    ...{ password: 'hunter22', user: 'bob' },
  })
  t.match(await problems(() => change({ variables: { extra: secretMask } })), {
    '/variables/extra': /is the mask/,
  })
})
