// Collections of Postman, with what their scripts check, as steps.
import t from 'tap'
import { stepsIn } from '../../../support/steps-conversion.ts'

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const test = (...exec: string[]) => ({ listen: 'test', script: { type: 'text/javascript', exec } })

const shop = {
  info: { name: 'Shop', schema },
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{access-token}}', type: 'string' }] },
  variable: [
    { key: 'host', value: 'api.shop.example' },
    { key: 'baseUrl', value: 'https://{{host}}/v1' },
    { key: 'user.password', value: 'a "secret"' },
    { key: 'access-token', value: 'of the last run' },
  ],
  item: [
    {
      name: 'Account',
      item: [
        {
          name: 'Sign in',
          event: [
            test(
              'pm.test("signed in", function () {',
              '    pm.response.to.have.status(201);',
              '});',
              'const json = pm.response.json();',
              'pm.environment.set("access-token", json.data["access token"]);',
              'pm.collectionVariables.set("csrf", pm.response.headers.get("X-CSRF"))',
              "pm.test('fast', () => pm.expect(pm.response.responseTime).to.be.below(800));",
              'pm.expect(json.user.roles[0]).to.eql("admin");',
            ),
          ],
          request: {
            auth: { type: 'noauth' },
            method: 'POST',
            header: [
              { key: 'X-Request', value: '{{$guid}}' },
              { key: 'X-Off', value: '1', disabled: true },
            ],
            body: {
              mode: 'raw',
              raw: '{"user": "me", "password": "{{user.password}}", "n": {{$randomInt}}}',
              options: { raw: { language: 'json' } },
            },
            url: { raw: '{{baseUrl}}/login', host: ['{{baseUrl}}'], path: ['login'] },
          },
        },
      ],
    },
    {
      name: 'Order',
      protocolProfileBehavior: { followRedirects: false },
      request: {
        method: 'PUT',
        header: [{ key: 'X-CSRF', value: '{{csrf}}' }],
        body: {
          mode: 'urlencoded',
          urlencoded: [
            { key: 'a b', value: 'c&{{$timestamp}}' },
            { key: 'pin', value: '1234' },
          ],
        },
        url: {
          raw: '{{baseUrl}}/orders/:orderId/:part?x=1',
          variable: [{ key: 'part', value: 'lines' }],
        },
      },
    },
    {
      name: 'Search',
      request: {
        auth: { type: 'apikey', apikey: { key: 'api_key', value: 'k1', in: 'query' } },
        method: 'POST',
        body: { mode: 'graphql', graphql: { query: 'query { a }', variables: '{"n": 1}' } },
        url: 'https://search.example/graphql',
      },
    },
  ],
}

t.test('a collection becomes steps in the order of its folders', async (t) => {
  const made = stepsIn(JSON.stringify(shop))
  t.match(made, { format: 'postman', name: 'Shop', url: 'https://api.shop.example/' })
  t.match(made.steps, [
    {
      name: 'Account / Sign in',
      method: 'POST',
      url: '/v1/login',
      headers: { 'X-Request': '{{$uuid}}', 'Content-Type': 'application/json' },
      body: '{"user": "me", "password": "{{user_password}}", "n": {{$randomInt}}}',
      expectedStatus: 201,
      assertions: [
        { source: 'responseTime', type: 'lessThan', value: '800' },
        { source: 'json', path: '$.user.roles[0]', type: 'equals', value: 'admin' },
      ],
      captures: [
        { name: 'access_token', source: 'json', path: '$.data["access token"]' },
        { name: 'csrf', source: 'header', path: 'X-CSRF' },
      ],
    },
    {
      name: 'Order',
      method: 'PUT',
      url: '/v1/orders/{{orderId}}/lines?x=1',
      headers: { Authorization: 'Bearer {{access_token}}', 'X-CSRF': '{{csrf}}' },
      body: 'a%20b=c%26{{$timestamp}}&pin={{pin|url}}',
      followRedirects: false,
    },
    {
      url: 'https://search.example/graphql?api_key={{api_key|url}}',
      headers: { 'Content-Type': 'application/json' },
      body: '{"query":"query { a }","variables":{"n": 1}}',
    },
  ])
  t.same(Object.keys(made.steps[0]?.headers ?? {}), ['X-Request', 'Content-Type'])
  t.same(made.variables, {
    user_password: 'a "secret"',
    orderId: '',
    pin: '1234',
    api_key: 'k1',
  })
  t.same(made.notes, ['the variable orderId has no value here: give it one'])
})

t.test('version 2.0, and what the API of Postman wraps, are read alike', async (t) => {
  const old = {
    collection: {
      info: { name: 'Old', schema: schema.replace('2.1', '2.0') },
      item: [
        {
          name: 'Read',
          request: {
            auth: { type: 'basic', basic: { username: 'me', password: 'p:w' } },
            method: 'GET',
            header: 'Accept: text/plain\nX-A: b',
            url: 'shop.example/a b',
          },
        },
      ],
    },
  }
  const made = stepsIn(JSON.stringify(old))
  t.match(made, {
    url: 'http://shop.example/',
    steps: [
      {
        url: '/a%20b',
        headers: { Accept: 'text/plain', 'X-A': 'b', Authorization: 'Basic {{login|base64}}' },
      },
    ],
    variables: { login: 'me:p:w' },
  })
})

t.test('a script that does more is named, and never run', async (t) => {
  const made = stepsIn(
    JSON.stringify({
      info: { name: 'A', schema },
      item: [
        {
          name: 'One',
          event: [
            { listen: 'prerequest', script: { exec: 'process.exit(1)' } },
            test('pm.response.to.have.status(200)', 'while (true) {}'),
          ],
          request: { method: 'GET', url: '{{unknown}}/a', auth: { type: 'hawk' } },
        },
      ],
    }),
  )
  t.match(made, { url: '', steps: [{ url: 'a', expectedStatus: 200 }] })
  t.same(made.notes, [
    'the sign-in hawk is left out',
    'the script before "One" is left out',
    'the script after "One" is taken over in part',
    'the server {{unknown}} is left out',
    'no server is named here: enter the URL of the monitor',
  ])
})

t.test('what is no collection of requests is refused', async (t) => {
  t.throws(() => stepsIn('{"name": "Old", "requests": []}'), /version 1: export it as version 2.1/)
  t.throws(() => stepsIn('{"info": {"name": "A"}, "item": []}'), /no request/)
  t.throws(() => stepsIn('{"info": '), /is not JSON/)
})
