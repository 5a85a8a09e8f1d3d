// Recordings of browsers as steps: what later requests send of earlier answers is taken from them anew.
import t from 'tap'
import { stepsIn } from '../../../support/steps-conversion.ts'

interface Exchange {
  readonly url: string
  readonly method?: string
  readonly type?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly sentType?: string
  readonly status?: number
  readonly answered?: Record<string, string>
  readonly mimeType?: string
  readonly text?: string
  readonly encoding?: string
}

const pairs = (all: Record<string, string> = {}) =>
  Object.entries(all).map(([name, value]) => ({ name, value }))

/** An entry as Chrome writes it. */
const entry = (one: Exchange) => ({
  ...(one.type === undefined ? {} : { _resourceType: one.type }),
  startedDateTime: '2026-11-30T06:00:00.000Z',
  time: 12,
  request: {
    method: one.method ?? 'GET',
    url: one.url,
    httpVersion: 'http/2.0',
    headers: pairs(one.headers),
    queryString: [],
    cookies: [],
    ...(one.body === undefined ? {} : { postData: { mimeType: one.sentType, text: one.body } }),
  },
  response: {
    status: one.status ?? 200,
    headers: pairs(one.answered),
    redirectURL: one.answered?.location ?? '',
    content: {
      mimeType: one.mimeType ?? 'application/json',
      text: one.text,
      encoding: one.encoding,
    },
  },
})

const har = (...all: Exchange[]) =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: 'WebInspector', version: '537.36' },
      pages: [{ id: 'page_1', title: 'https://shop.example/' }],
      entries: all.map(entry),
    },
  })

const csrf = 'c5rf-70ken-1234567'
const token = 'eyJhbGciOi.abc123def456.x'
const form = 'application/x-www-form-urlencoded'

const journey = har(
  {
    url: 'https://shop.example/',
    type: 'document',
    headers: {
      ':authority': 'shop.example',
      'accept-encoding': 'br',
      'user-agent': 'Mozilla/5.0',
      accept: 'text/html',
      cookie: '_ga=GA1.2.3; consent=yes',
    },
    mimeType: 'text/html',
    answered: { 'set-cookie': 'sid=abcdef123456; Path=/\nlang=en' },
    text: `<form><input type="hidden" name="_csrf" value="${csrf}"></form>`,
  },
  { url: 'https://shop.example/app.css', type: 'stylesheet', mimeType: 'text/css' },
  { url: 'https://counter.example/collect', type: 'fetch', method: 'POST', body: '{}' },
  {
    url: 'https://shop.example/login',
    method: 'POST',
    type: 'document',
    headers: {
      'content-type': form,
      cookie: 'sid=abcdef123456; lang=en',
      origin: 'https://shop.example',
    },
    sentType: form,
    body: `user=me&password=p%26w&_csrf=${csrf}`,
    status: 302,
    mimeType: '',
    answered: { location: '/home' },
  },
  { url: 'https://shop.example/home', type: 'document', mimeType: 'text/html', text: '<p>Hi</p>' },
  {
    url: 'https://api.shop.example/session',
    type: 'xhr',
    text: JSON.stringify({
      data: { token, user: { id: 84736251, name: 'me' } },
      items: [{ ref: 'order-00001' }, { ref: 'order-00002' }],
      state: 'published',
    }),
  },
  {
    url: 'https://api.shop.example/users/84736251/orders?state=published&ref=order-00002',
    type: 'fetch',
    headers: {
      authorization: `Bearer ${token}`,
      referer: 'https://shop.example/home',
      'if-none-match': '"1"',
    },
    status: 304,
  },
  { url: 'https://api.shop.example/poll', type: 'xhr' },
  { url: 'https://api.shop.example/poll', type: 'xhr' },
  {
    url: 'https://api.shop.example/orders',
    method: 'POST',
    type: 'fetch',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    sentType: 'application/json',
    body: '{"user": 84736251, "refs": ["order-00001"], "note": "{{name}}"}',
    status: 201,
  },
  { url: 'https://api.shop.example/broken', type: 'xhr', status: 0 },
)

t.test(
  'a recording becomes the requests of its site, which take along what answers said',
  async (t) => {
    const made = stepsIn(journey)
    t.match(made, { format: 'har', name: 'shop.example', url: 'https://shop.example/' })
    t.match(made.steps, [
      {
        name: 'GET /',
        url: '/',
        headers: { accept: 'text/html', cookie: '{{cookie}}' },
        captures: [{ name: 'csrf', source: 'html', path: 'input[name="_csrf"]@value' }],
      },
      {
        method: 'POST',
        url: '/login',
        headers: { 'content-type': form, origin: 'https://shop.example' },
        body: 'user=me&password={{password|url}}&_csrf={{csrf|url}}',
        expectedStatus: 200,
        followRedirects: true,
      },
      {
        url: 'https://api.shop.example/session',
        captures: [
          { name: 'user_id', source: 'json', path: '$.data.user.id' },
          { name: 'ref', source: 'json', path: '$.items[1].ref' },
          { name: 'token', source: 'json', path: '$.data.token' },
          { name: 'ref_2', source: 'json', path: '$.items[0].ref' },
        ],
      },
      {
        url: 'https://api.shop.example/users/{{user_id|url}}/orders?state=published&ref={{ref|url}}',
        headers: { authorization: 'Bearer {{token}}' },
        expectedStatus: 200,
      },
      { url: 'https://api.shop.example/poll' },
      {
        url: 'https://api.shop.example/orders',
        body: '{"user": {{user_id}}, "refs": ["{{ref_2|json}}"], "note": "{{braces}}name}}"}',
        expectedStatus: 201,
      },
    ])
    t.same(
      made.steps.map(({ headers }) => Object.keys(headers)),
      [
        ['accept', 'cookie'],
        ['content-type', 'origin'],
        [],
        ['authorization'],
        [],
        ['authorization', 'content-type'],
      ],
    )
    t.same(made.variables, { cookie: 'consent=yes', password: 'p&w', braces: '{{' })
    t.same(made.notes, [
      'requests for files that are left out: 1',
      'requests to other sites that are left out: 1 (counter.example)',
      'requests without an answer that are left out: 1',
      'repeated requests that are left out: 1',
      'these cookies are older than the recording, and may expire: consent',
    ])
    t.notMatch(JSON.stringify(made.steps), /eyJhb|p%26w|consent=yes/)
  },
)

t.test(
  'a recording without types of resources, as Firefox writes it, is read by what was answered',
  async (t) => {
    const made = stepsIn(
      har(
        { url: 'http://a.example/', mimeType: 'text/html; charset=utf-8' },
        { url: 'http://a.example/a.png', mimeType: 'image/png' },
        { url: 'http://a.example/b.js', mimeType: '' },
        {
          url: 'http://a.example/c',
          mimeType: 'application/json',
          encoding: 'base64',
          text: Buffer.from('{"key one": "abcdef-12345678"}').toString('base64'),
          answered: {
            'Set-Cookie': 'XSRF-TOKEN=xyz12345678; Path=/',
            'X-Auth-Token': 'aaaa1111bbbb',
          },
        },
        {
          url: 'http://a.example/d/abcdef-12345678',
          method: 'DELETE',
          headers: {
            'X-XSRF-TOKEN': 'xyz12345678',
            Cookie: 'XSRF-TOKEN=xyz12345678',
            'X-Auth-Token': 'aaaa1111bbbb',
          },
          status: 204,
        },
      ),
    )
    t.match(made.steps, [
      { url: '/' },
      {
        url: '/c',
        captures: [
          { name: 'key_one', source: 'json', path: '$["key one"]' },
          { name: 'XSRF_TOKEN', source: 'header', path: 'Set-Cookie: XSRF-TOKEN=([^;]+)' },
          { name: 'x_auth_token', source: 'header', path: 'X-Auth-Token' },
        ],
      },
      {
        method: 'DELETE',
        url: '/d/{{key_one|url}}',
        headers: { 'X-XSRF-TOKEN': '{{XSRF_TOKEN}}', 'X-Auth-Token': '{{x_auth_token}}' },
        expectedStatus: 204,
      },
    ])
    t.same(made.variables, {})
  },
)

t.test('a value that the browser sent first is none of an answer', async (t) => {
  const made = stepsIn(
    har(
      { url: 'http://a.example/x?id=client-1234', type: 'xhr', text: '{"echo": "client-1234"}' },
      { url: 'http://a.example/y?id=client-1234', type: 'xhr' },
    ),
  )
  t.same(
    made.steps.map(({ captures }) => captures),
    [[], []],
  )
})

t.test('a recording of many requests becomes as many steps as a monitor has', async (t) => {
  const many = Array.from({ length: 30 }, (_, at) => ({
    url: `http://a.example/${at}`,
    type: 'xhr',
  }))
  const made = stepsIn(har(...many))
  t.equal(made.steps.length, 20)
  t.same(made.notes, ['requests that are left out because a monitor has at most 20 steps: 10'])
  t.throws(() => stepsIn(har({ url: 'data:,', type: 'document' })), /no request/)
})

t.test('parts of URLs that pages and redirects made are taken anew', async (t) => {
  const uid = 'p8cvggwfkCuyneWLbZtw'
  const page = `<form action="https://shop.example/interaction/${uid}"><a href="/x?sid=${uid}x">`
  const { steps } = stepsIn(
    har(
      { url: 'https://shop.example/in', mimeType: 'text/html', text: page },
      { url: `https://shop.example/interaction/${uid}`, method: 'POST' },
      { url: `https://shop.example/x?sid=${uid}x` },
    ),
  )
  t.match(steps, [
    {
      captures: [
        { source: 'body', path: `/interaction/([^"'\\s/?#&<>]+)` },
        { source: 'body', path: `sid=([^"'\\s/?#&<>]+)` },
      ],
    },
    { url: '/interaction/{{interaction|url}}' },
    { url: '/x?sid={{sid|url}}' },
  ])
  const place = `https://shop.example/interaction/${uid}`
  const lost = stepsIn(
    har(
      { url: 'https://shop.example/in', status: 303, answered: { location: place } },
      { url: place, mimeType: 'text/html', text: '' },
      { url: place, method: 'POST' },
    ),
  )
  t.match(lost.steps, [
    {
      followRedirects: false,
      expectedStatus: 303,
      captures: [{ source: 'header', path: 'Location: /interaction/([^/?#&]+)' }],
    },
    { url: '/interaction/{{interaction|url}}', method: 'GET' },
    { url: '/interaction/{{interaction|url}}', method: 'POST' },
  ])
})

t.test('a recording that begins in the middle is told', async (t) => {
  const { notes } = stepsIn(
    har({ url: 'https://shop.example/in', method: 'POST', type: 'document' }),
  )
  t.match(notes, [/^the recording begins in the middle: let the browser keep its log/])
})
