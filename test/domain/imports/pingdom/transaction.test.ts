// Transactions of Pingdom become the actions of a browser, and each step arrives or is named.
import t from 'tap'
import { completedAction } from '../../../../src/domain/browser/action.ts'
import { actionsProblems } from '../../../../src/domain/browser/action-rules.ts'
import { fieldsOf } from '../../../../src/domain/imports/foreign.ts'
import { fromPingdom } from '../../../../src/domain/imports/pingdom/pingdom.ts'
import { transactionOf } from '../../../../src/domain/imports/pingdom/transaction.ts'

const begin = { fn: 'go_to', args: { url: 'shop.example.org' } }

const read = (steps: readonly object[], more: object = {}) => {
  const lines: string[] = []
  const made = transactionOf({ steps, ...more }, (line) => lines.push(line))
  return { made, actions: fieldsOf(made).actions, lines: lines.join('\n') }
}

/** Each step of the vocabulary: with its arguments, the action; or what is said of it. */
const vocabulary: readonly (readonly [string, object, object | RegExp])[] = [
  ['click', { element: 'Sign in' }, { action: 'click', selector: 'text=Sign in' }],
  ['wpm_click', { element: '#go' }, { action: 'click', selector: '#go' }],
  ['wpm_click_xy', { element: '#go', x: 1, y: 2 }, { action: 'click', selector: '#go' }],
  [
    'fill',
    { input: 'email', value: 'a' },
    { action: 'fill', selector: '[name="email"]', value: 'a' },
  ],
  ['wpm_fill', { input: 'E-mail', value: 'a' }, { action: 'fill', selector: 'label=E-mail' }],
  ['check', { checkbox: 'terms' }, { action: 'check', selector: '[name="terms"]' }],
  ['uncheck', { checkbox: '.terms' }, { action: 'uncheck', selector: '.terms' }],
  ['sleep', { seconds: '0.1' }, { action: 'wait', value: '100' }],
  ['wpm_wait', { seconds: 3 }, { action: 'wait', value: '3000' }],
  ['sleep', { seconds: 60 }, /\(sleep\): it waits longer than 10 s/],
  ['select_radio', { radio: 'size' }, { action: 'check', selector: 'input[name="size"]' }],
  ['select', { select: 'country', option: 'Peru' }, { action: 'select', value: 'Peru' }],
  ['wpm_select_dropdown', { select: '#c', option: 'Peru' }, { action: 'select', selector: '#c' }],
  ['basic_auth', { username: 'ann', password: 'pass-word-1' }, /\(basic_auth\): a sign-in/],
  ['submit', { form: 'login' }, { selector: 'form[name="login"] [type="submit"]' }],
  ['wait_for_element', { element: '#x' }, { action: 'wait', selector: '#x' }],
  ['wait_for_contains', { element: '#x', value: 'y' }, { action: 'expect', value: 'y' }],
  ['wpm_move_mouse_to_element', { element: 'Menu' }, { action: 'hover', selector: 'text=Menu' }],
  ['wpm_close_tab', {}, { action: 'popup', value: 'close' }],
  ['url', { url: 'https://a.test/' }, { action: 'expectUrl', value: '"https://a.test/"' }],
  ['exists', { element: 'h1' }, { action: 'expectState', selector: 'h1', value: 'attached' }],
  ['not_exists', { element: '#x' }, { action: 'expectCount', value: '0' }],
  ['contains', { element: 'body', value: '/a/' }, { action: 'expect', value: '"/a/"' }],
  [
    'wpm_contains_timeout',
    { element: 'body', value: 'a+', waitTime: 5, useRegularExpression: true },
    { action: 'expect', value: '/a+/' },
  ],
  [
    'not_contains',
    { element: '#x', value: 'Error' },
    { action: 'expectCount', selector: '#x >> has-text=Error', value: '0' },
  ],
  ['wpm_not_contains_timeout', { element: '#x', value: 'y' }, { action: 'expectCount' }],
  ['field_contains', { input: 'q', value: 'a' }, { action: 'expect', selector: '[name="q"]' }],
  ['field_not_contains', { input: 'q', value: 'a' }, /cannot be asked for/],
  ['is_checked', { checkbox: 'x' }, { action: 'expectState', value: 'checked' }],
  ['is_not_checked', { checkbox: 'x' }, { action: 'expectState', value: 'unchecked' }],
  ['radio_selected', { radio: 'x' }, { selector: 'input[name="x"]:checked' }],
  ['dropdown_selected', { select: 'x', option: 'y' }, { action: 'expect', value: 'y' }],
  ['dropdown_not_selected', { select: 'x', option: 'y' }, /cannot be asked for/],
  ['juggle', { element: 'x' }, /\(juggle\): it has no equivalent/],
  ['fill', { input: 'q', value: '{{a}}' }, /its text has \{\{/],
  ['click', {}, /what it means on the page cannot be said here/],
]

t.test(
  'every step of the vocabulary becomes an action that is possible, or is named',
  async (t) => {
    for (const [fn, args, seen] of vocabulary) {
      const { made, actions, lines } = read([begin, { fn, args }])
      t.match(made, { checkType: 'browser', url: 'http://shop.example.org', isActive: false })
      if (seen instanceof RegExp) {
        t.equal(actions, undefined, fn)
        t.match(lines, seen, fn)
      } else {
        t.match(actions, [seen], fn)
        const [action] = actions as Parameters<typeof completedAction>
        t.same(actionsProblems({ actions: [completedAction(action)], variables: {} }), [], fn)
      }
      t.notMatch(lines, /pass-word-1/)
    }
  },
)

t.test('what a transaction has besides arrives or is named', async (t) => {
  const metadata = {
    width: 400,
    disableWebSecurity: true,
    authentications: { httpAuthentications: [{}] },
  }
  const many = Array.from({ length: 31 }, () => ({ fn: 'click', args: { element: '#a' } }))
  const { made, lines } = read([begin, ...many], { metadata })
  t.match(made, { viewport: 'phone', actions: { length: 30 } })
  t.match(lines, /its actions beyond 30/)
  t.match(lines, /its sign-in before the page/)
  t.match(lines, /takes no heed of origins/)
  t.match(
    read([begin, { fn: 'click', args: { element: 'Buy' } }]).lines,
    /1 of its steps name labels/,
  )
  t.equal(read([{ fn: 'click', args: { element: '#a' } }]).made, undefined)
  t.equal(read([]).made, undefined)
})

t.test('a transaction has its pace, its people, its windows and its past', async (t) => {
  const hour = (hours: number) => new Date(Date.UTC(2026, 0, 1, hours)).toISOString()
  const { monitors, channels, maintenance, history, notes } = fromPingdom([
    {
      checks: [{ id: 3, name: 'Site', hostname: 'a.test', type: 'http' }],
      contacts: [
        { id: 5, name: 'Ann', notification_targets: { email: [{ address: 'a@a.test' }] } },
      ],
      transactions: [
        {
          ...{ id: 3, name: 'Buy', active: true, interval: 20, send_notification_when_down: 2 },
          ...{ tags: ['shop'], custom_message: 'Call', region: 'eu', severity_level: 'low' },
          ...{ contact_ids: [5], integration_ids: [7], team_ids: [], steps: [begin] },
        },
        {
          id: 4,
          name: 'Silent',
          active: false,
          contact_ids: [],
          integration_ids: [],
          team_ids: [],
          steps: [begin],
        },
      ],
      maintenance: [
        {
          ...{
            id: 8,
            description: 'Soon',
            recurrencetype: 'none',
            checks: { uptime: [], tms: [3] },
          },
          ...{ from: Date.UTC(2026, 1, 1) / 1_000, to: Date.UTC(2026, 1, 2) / 1_000 },
        },
      ],
      reports: {
        3: {
          report: {
            states: [
              { status: 'up', from: hour(0), to: hour(4) },
              {
                status: 'down',
                from: hour(4),
                to: hour(5),
                message: 'No button',
                error_in_step: 2,
              },
            ],
          },
        },
      },
      readAt: '2026-01-02T00:00:00Z',
    },
  ])
  t.equal(new Set(monitors.map(({ id }) => id)).size, 3)
  t.match(monitors[1], {
    ...{ origin: 'transaction/3', checkType: 'browser', intervalSeconds: 1_200 },
    ...{ failureThreshold: 2, tags: ['shop'], description: 'Call' },
    notifyChannelIds: [channels?.[0]?.id],
  })
  t.match(monitors[2], { origin: 'transaction/4', alertsNobody: true, isActive: false })
  t.match(maintenance, [{ monitorIds: [monitors[1]?.id] }])
  t.match(history, [{ origin: 'transaction/3', outages: [{ text: 'step 2: No button' }] }])
  const lines = notes.map(({ text }) => text).join('\n')
  t.match(lines, /checked from region: eu/)
  t.match(lines, /its integrations 7/)
  t.match(lines, /its importance is low/)
})

/** What its schema has besides: kinds of transactions have the same steps, and the rest is how it was. */
const meaningless = [
  ...['created_at', 'modified_at', 'last_downtime_start', 'last_downtime_end', 'status', 'type'],
]

t.test('every field of a transaction does something', async (t) => {
  const usual = {
    ...{ id: 3, name: 'Buy', active: true, interval: 10, region: '', tags: [], custom_message: '' },
    ...{ contact_ids: [5], team_ids: [], integration_ids: [], send_notification_when_down: 1 },
    ...{ severity_level: 'high', steps: [begin], metadata: {} },
  }
  const changes: Readonly<Record<string, unknown>> = {
    ...{ id: 4, name: 'Other', active: false, interval: 20, region: 'eu', tags: ['a'] },
    ...{ custom_message: 'x', contact_ids: [], team_ids: [6], integration_ids: [7] },
    ...{ send_notification_when_down: 3, severity_level: 'low', metadata: { width: 300 } },
    steps: [begin, { fn: 'click', args: { element: '#a' } }],
  }
  const result = (change: object) =>
    JSON.stringify(
      fromPingdom([
        {
          checks: [{ id: 1, name: 'Site', hostname: 'a.test', type: 'http' }],
          contacts: [{ id: 5, notification_targets: { email: [{ address: 'a@a.test' }] } }],
          teams: [{ id: 6, name: 'Ops', members: [{ id: 5 }] }],
          transactions: [{ ...usual, ...change }],
        },
      ]),
    )
  const before = result({})
  for (const field of Object.keys(usual)) t.not(result({ [field]: changes[field] }), before, field)
  for (const field of meaningless) t.equal(result({ [field]: 'x' }), before, field)
})
