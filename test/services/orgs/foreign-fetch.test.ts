// What the API of another product tells is read within bounds, and its key goes nowhere else.
import t from 'tap'
import type { WebAnswer, WebRequest } from '../../../src/net/http-client/guarded-client.ts'
import { createForeignFetch, type ForeignSite } from '../../../src/services/orgs/foreign-fetch.ts'
import { convertFile } from '../../../src/services/orgs/foreign-files.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import {
  healthchecksAnswer,
  healthchecksChannels,
  healthchecksCheck,
  healthchecksReadOnly,
} from '../../support/foreign-samples.ts'

type Reply = Partial<Extract<WebAnswer, { kind: 'answered' }>> | WebAnswer

const json = (value: unknown): Reply => ({ body: JSON.stringify(value) })
const flips = { flips: [{ timestamp: '2025-12-31T00:00:00+00:00', up: 1 }] }
const [first] = healthchecksAnswer.checks

function begin(reply: (path: string, request: WebRequest) => Reply) {
  const clock = new FakeClock()
  const asked: WebRequest[] = []
  const request = async (one: WebRequest): Promise<WebAnswer> => {
    asked.push(one)
    const { pathname } = new URL(one.url)
    const answer = { kind: 'answered', status: 200, headers: {}, body: '' } as const
    return { ...answer, ...reply(pathname, one) }
  }
  const fetch = createForeignFetch({ clock, request })
  const site = { product: 'healthchecks', url: 'https://hc.example.org', key: 'the-key' } as const
  const read = (more: Partial<ForeignSite> = {}, msMax = 60_000) =>
    fetch({ ...site, ...more }, { msMax })
  return { clock, asked, read }
}

const told = (path: string): Reply => {
  if (path.endsWith('/checks/')) return json(healthchecksAnswer)
  return path.endsWith('/channels/') ? json(healthchecksChannels) : json(flips)
}

t.test('checks, integrations and status changes become what the converter reads', async (t) => {
  const { asked, read } = begin(told)
  const { document, history } = convertFile('healthchecks', await read())
  t.equal(document.monitors.length, healthchecksAnswer.checks.length)
  t.match(document.channels, [{ name: 'Ops mail' }])
  t.equal(history.length, healthchecksAnswer.checks.length)
  t.match(asked, { length: 3 + healthchecksAnswer.checks.length })
  for (const { url, method, headers, body } of asked) {
    t.match(url, /^https:\/\/hc\.example\.org\/api\/v3\//)
    t.equal(method, 'GET')
    t.equal(headers['x-api-key'], 'the-key')
    t.notMatch(url + body, /the-key/)
  }
})

t.test('the ping key that somebody knows keeps the addresses with slugs', async (t) => {
  const { asked, read } = begin(told)
  const { document } = convertFile('healthchecks', await read({ pingKey: 'of-the-project' }))
  t.same(document.keptPingKeys, ['of-the-project'])
  t.notMatch(JSON.stringify(asked), /of-the-project/, 'it is not sent there')
  await t.rejects(read({ product: 'uptimerobot', pingKey: 'of-the-project' }), {
    errors: [{ pointer: '/pingKey' }],
  })
})

t.test('a key that may only read is refused integrations, and all else is read', async (t) => {
  const key = 'a6c7b0a8a66bed0df66abfdab3c77736861703ee'
  const checks = [healthchecksReadOnly(healthchecksCheck(1, { name: 'One', timeout: 60 }), key)]
  const { asked, read } = begin((path) => {
    if (path.endsWith('/channels/')) return { status: 401 }
    return path.endsWith('/checks/') ? json({ checks }) : json(flips)
  })
  const { document, history, notes } = convertFile('healthchecks', await read())
  t.match(document.monitors, [{ origin: `check/${key}` }])
  t.match(history, [{ origin: `check/${key}` }])
  t.ok(asked.some(({ url }) => url.endsWith(`/api/v3/checks/${key}/flips/`)))
  t.match(notes.map(({ text }) => text).join('\n'), /the key may only read/)
})

t.test('a service below a path is asked there', async (t) => {
  const { asked, read } = begin(told)
  await read({ url: 'http://127.0.0.1:8000/hc/' })
  t.ok(asked.every(({ url }) => url.startsWith('http://127.0.0.1:8000/hc/api/v3/')))
})

t.test('a service that wants to be asked more slowly is', async (t) => {
  let busy = 3
  const { clock, asked, read } = begin((path) => {
    busy -= 1
    return busy >= 0 ? { status: 429, headers: { 'retry-after': '7' } } : told(path)
  })
  const reading = read()
  for (let turn = 0; turn < 10; turn += 1) await clock.advance(7_000)
  t.match(JSON.parse(await reading), { checks: { length: healthchecksAnswer.checks.length } })
  t.equal(asked.length, 3 + healthchecksAnswer.checks.length + 3)
})

t.test('what is not read in time is named, if all else is there', async (t) => {
  const busy = { status: 429, headers: { 'retry-after': '59' } }
  const { asked, read } = begin((path) => (path.includes('/flips/') ? busy : told(path)))
  const text = await read({ key: 'k' }, 10_000)
  t.ok(asked.length <= 3 + 4, 'it is not asked on and on')
  const { notes, history } = convertFile('healthchecks', text)
  t.same(history, [])
  t.match(
    notes.map((note) => note.text).join('\n'),
    /the status changes of 6 checks, which could not/,
  )
})

t.test('what is wrong is said at the address or the key, without what was answered', async (t) => {
  const secret = 'do-not-repeat'
  const answers: readonly (readonly [Reply, pointer: string, message: RegExp])[] = [
    [{ status: 401, body: secret }, '/key', /is not accepted: the answer has the status 401/],
    [{ status: 404, body: secret }, '/url', /answers with the status 404/],
    [{ status: 302, headers: { location: secret } }, '/url', /status 302/],
    [{ body: `<html>${secret}` }, '/url', /something other than JSON/],
    [
      { kind: 'refused', reason: 'The URL is private.' },
      '/url',
      /cannot be read: The URL is private/,
    ],
    [{ kind: 'failed', cause: 'timeout', reason: 'No answer.' }, '/url', /No answer/],
  ]
  for (const [reply, pointer, message] of answers) {
    const { read } = begin(() => reply)
    const refusal = await read().catch((error: unknown) => error)
    t.match(refusal, { code: 'validation_failed', errors: [{ pointer, message }] })
    t.notMatch(JSON.stringify(refusal), secret)
  }
})

t.test('an address or a key that cannot be one is refused before anything is asked', async (t) => {
  const { asked, read } = begin(told)
  const urls = [
    '',
    'hc.example.org',
    'ftp://x',
    'file:///etc/passwd',
    'https://a:b@x',
    'https://x?q',
  ]
  for (const url of urls) {
    await t.rejects(
      read({ url }),
      { code: 'validation_failed', errors: [{ pointer: '/url' }] },
      url,
    )
  }
  for (const key of ['', ' ', 'a\r\nb: c', 'ключ', 'x'.repeat(1_001)]) {
    await t.rejects(read({ url: 'https://x', key }), { errors: [{ pointer: '/key' }] })
  }
  t.same(asked, [])
})

t.test('ids of a hostile service lead nowhere else', async (t) => {
  const ids = ['../../../admin', 'x'.repeat(40), '?a=b', '__proto__', `${'a'.repeat(40)}/`]
  const checks = ids.map((uuid) => ({ ...first, uuid }))
  const { asked, read } = begin((path) =>
    path.endsWith('/checks/') ? json({ checks }) : told(path),
  )
  await read()
  t.equal(asked.length, 3)
})

t.test('a service that tells too much is cut off', async (t) => {
  const body = JSON.stringify({ ...flips, more: 'x'.repeat(4_000_000) })
  const { read } = begin((path) => (path.includes('/flips/') ? { body } : told(path)))
  await t.rejects(read(), { errors: [{ pointer: '/url', message: /more than \d+ bytes/ }] })
})

t.test('an answer that is made to take long, or much memory, is not parsed', async (t) => {
  const many = 1_300_000
  const bodies = {
    empty: `[${'{},'.repeat(many)}{}]`,
    deep: '['.repeat(many) + ']'.repeat(many),
    names: `[${Array.from({ length: 40_000 }, (_, at) => `{"n${at}":1}`).join()}]`,
  }
  for (const [name, body] of Object.entries(bodies)) {
    const { read } = begin(() => ({ body: `{"checks":${body}}` }))
    const told = { errors: [{ pointer: '/url', message: /more values than are read/ }] }
    await t.rejects(read(), told, name)
  }
  const { asked, read } = begin(() => ({ body: `{"data":[${'1,'.repeat(95_000)}1]}` }))
  await t.rejects(read({ product: 'betterstack' }), {
    errors: [{ message: 'answers with more than 1000000 values' }],
  })
  t.ok(asked.length < 15)
})

t.test('one line names the lists that a key may not read, or that never end', async (t) => {
  const monitor = { id: '1', type: 'monitor', attributes: { monitor_type: 'ping', url: 'a.test' } }
  const { asked, read } = begin((path, { url }) => {
    if (path.endsWith('/monitors')) return json({ data: [monitor] })
    if (path.endsWith('/policies')) return { status: 403, body: 'do-not-repeat' }
    if (path.endsWith('/urgencies')) return { status: 500 }
    if (!path.endsWith('/incidents')) return json({ data: [] })
    const data = Array.from({ length: 500 }, () => ({}))
    return json({ data, pagination: { next: `${url}&again=1` } })
  })
  const url = 'https://uptime.betterstack.com'
  const { document, notes } = convertFile(
    'betterstack',
    await read({ product: 'betterstack', url }),
  )
  t.equal(document.monitors.length, 1)
  t.ok(asked.length < 40)
  const [first] = notes
  t.match(first, { name: null, text: /^what could not be read there, and is missing: / })
  t.match(first?.text, 'escalation policies (answers with the status 403)')
  t.match(first?.text, 'severities (answers with the status 500)')
  t.match(first?.text, 'incidents (beyond the first 5500)')
  t.notMatch(JSON.stringify(notes), 'do-not-repeat')
})
