// Suites of Gatus become monitors with steps that a monitor accepts.
import t from 'tap'
import { parse } from 'yaml'
import { fromGatus } from '../../../../src/domain/imports/gatus/gatus.ts'
import { completedInput, inputProblems } from '../../../../src/domain/monitors/monitor-input.ts'
import { kindOf } from '../../../../src/probes/registry.ts'

const config = parse(`
suites:
  - name: order
    group: shop
    interval: 5m
    context:
      price: "19.99"
      user-name: ada
    endpoints:
      - name: sign in
        url: https://shop.example.org/login
        method: POST
        headers: {X-Api-Key: k-123, Content-Type: application/json}
        body: '{"user": "[CONTEXT].user-name"}'
        conditions: ["[STATUS] == 201", "len([BODY].id) > 0"]
        store: {token: "[BODY].token", code: "[STATUS]"}
      - name: order
        url: https://shop.example.org/orders/[CONTEXT].token
        headers: {Authorization: "Bearer [CONTEXT].token"}
        conditions: ["[STATUS] == any(200, 202)", "[BODY].price == [CONTEXT].price", "[RESPONSE_TIME] < 500"]
      - name: remove
        url: https://api.example.org/orders
        method: DELETE
        always-run: true
        client: {ignore-redirect: true, timeout: 3s}
  - name: mixed
    endpoints: [{url: "tcp://example.org:22"}]
`)

t.test('a suite keeps its order, its context and what it stores', async (t) => {
  const { monitors, notes } = fromGatus(config)
  const [order] = monitors
  t.match(order, {
    ...{ name: 'order', checkType: 'steps', url: 'https://shop.example.org/', tags: ['shop'] },
    ...{ intervalSeconds: 300, timeoutMs: 60_000 },
    variables: { price: '19.99', user_name: 'ada', x_api_key: 'k-123' },
    steps: [
      {
        ...{ name: 'sign in', method: 'POST', url: 'https://shop.example.org/login' },
        headers: { 'X-Api-Key': '{{x_api_key}}', 'Content-Type': 'application/json' },
        ...{ body: '{"user": "{{user_name}}"}', expectedStatus: 201 },
        captures: [{ name: 'token', source: 'json', path: '$.token' }],
      },
      {
        url: 'https://shop.example.org/orders/{{token}}',
        headers: { Authorization: 'Bearer {{token}}' },
        acceptedStatuses: ['200', '202'],
        assertions: [
          { source: 'json', path: '$.price', type: 'equals', value: '{{price}}' },
          { source: 'responseTime', type: 'lessThan', value: '500' },
        ],
      },
      { name: 'remove', isCleanUp: true, followRedirects: false },
    ],
  })
  t.equal(monitors.length, 1)
  const input = completedInput(order as object)
  t.same(inputProblems(input, kindOf(input)), [])
  t.same(
    notes.map(({ name, text }) => `${name}: ${text}`),
    [
      'order: "sign in": its condition len([BODY].id) > 0',
      'order: "sign in": its store of code',
      'order: "remove": its client.timeout',
      'mixed: the suite was left out: tcp://example.org:22 is no request of HTTP',
    ],
  )
})
