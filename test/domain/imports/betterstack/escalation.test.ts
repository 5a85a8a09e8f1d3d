// Whom Better Stack tells becomes channels that wait as long as the steps of its policies.
import t from 'tap'
import { fromBetterstack } from '../../../../src/domain/imports/betterstack/betterstack.ts'

const of = (type: string, id: string, attributes: object, more = {}) => ({
  ...{ id, type, attributes },
  ...more,
})

const monitor = (id: string, attributes: object = {}) =>
  of('monitor', id, {
    ...{ monitor_type: 'ping', url: `${id}.example.org`, pronounceable_name: `M${id}` },
    ...{ email: true, call: false, sms: false, push: false, team_wait: null, policy_id: null },
    ...attributes,
  })

const onCall = (...ids: readonly string[]) => ({
  relationships: { on_call_users: { data: ids.map((id) => ({ id, type: 'user' })) } },
})

const calendars = [
  of('on_call_calendar', '11', { name: null, default_calendar: true }, onCall('1')),
  of('on_call_calendar', '12', { name: 'Tier 2', default_calendar: false }, onCall('2')),
  of('user', '1', { email: 'ann@example.org' }),
  of('user', '2', { email: 'bob@example.org' }),
]

const integrations = [
  of('outgoing_webhook', '21', {
    ...{ name: 'Hook', url: 'https://hook.example.org/', trigger_type: 'incident_change' },
    ...{ on_incident_started: true, on_incident_resolved: true, on_incident_comment: false },
    notify_alongside_primary_responder: false,
    custom_webhook_template_attributes: {
      ...{ http_method: 'put', auth_username: 'ann', auth_password: 'pass-word-1' },
      headers_template: [{ name: 'X-Shop', value: 'yes' }],
      body_template: '{"id":"$INCIDENT_ID"}',
    },
  }),
  of('outgoing_webhook', '22', {
    name: 'Shift',
    url: 'https://x/',
    trigger_type: 'on_call_change',
  }),
  of('pager_duty_webhook', '31', { name: 'Duty', key: 'k'.repeat(32), severity: 'warning' }),
  of('splunk_on_call', '41', { name: 'Splunk', url: 'https://alert.example.org/x' }),
  of('slack_integration', '51', { slack_channel_name: '#ops' }),
]

const step = (wait_before: number, step_members: readonly object[], more: object = {}) => ({
  ...{ type: 'escalation', wait_before, urgency_id: 1, step_members },
  ...more,
})

const read = (data: readonly object[], rotations: object = {}) => {
  const made = fromBetterstack([{ data, rotations }])
  const lines = made.notes.map(({ name, text, origin }) => `${name} [${origin}]: ${text}`)
  return { ...made, channels: made.channels ?? [], lines: lines.join('\n') }
}

t.test('each step of a policy becomes channels that wait as long as it does', async (t) => {
  const policy = of('policy', '7', {
    ...{ name: 'Standard', repeat_count: 3, repeat_delay: 300, fallback_policy_id: 9 },
    steps: [
      step(0, [{ type: 'current_on_call' }, { type: 'all_slack_integrations' }]),
      step(600, [
        { type: 'current_on_call', id: 12 },
        { type: 'webhook', id: 21 },
        { type: 'pagerduty_integration', id: 31 },
        { type: 'user', email: 'ann@example.org' },
        { type: 'user', id: 99 },
        { type: 'entire_team' },
      ]),
      { type: 'time_branching', wait_before: 0, policy_id: 9, days: ['sat'] },
      { type: 'instructions', wait_before: 0, comment: 'Do it' },
      step(60, [{ type: 'user', id: 2 }], { urgency_id: 2, wait_until_time: '09:00' }),
    ],
  })
  const unused = of('policy', '8', { name: 'Unused', steps: [] })
  const loud = of('urgency', '1', { name: 'High', email: true })
  const quiet = of('urgency', '2', { name: 'By telephone', email: false, call: true })
  const items = [monitor('1', { policy_id: '7' }), policy, unused, loud, quiet]
  const { channels, monitors, lines, secretsOmitted } = read(
    [...items, ...calendars, ...integrations],
    { 12: { users: ['bob@example.org', 'cara@example.org'] } },
  )
  t.match(channels, [
    { name: 'On call', origin: 'on-call/11', type: 'email', config: { to: ['ann@example.org'] } },
    { name: '#ops', origin: 'slack-integration/51', type: 'slack', delayMinutes: undefined },
    {
      ...{ name: 'On call (Tier 2), after 10 min', origin: 'on-call/12/after/10' },
      config: { to: ['bob@example.org', 'cara@example.org'] },
      delayMinutes: 10,
    },
    {
      ...{
        origin: 'outgoing-webhook/21/after/10',
        events: ['incident.opened', 'incident.resolved'],
      },
      config: {
        ...{ url: 'https://hook.example.org/', method: 'PUT' },
        headers: { 'X-Shop': 'yes', authorization: 'Basic YW5uOnBhc3Mtd29yZC0x' },
      },
    },
    { origin: 'pager-duty-webhook/31/after/10', config: { routingKey: 'k'.repeat(32) } },
    { origin: 'user/1/after/10', config: { to: ['ann@example.org'] } },
  ])
  t.equal(channels.length, 6)
  t.same(secretsOmitted, ['/channels/1/config/webhookUrl'])
  t.match(monitors, [{ notifyChannelIds: channels.map(({ id }) => id), reminderMinutes: 16 }])
  t.match(lines, /Tier 2\) \[on-call\/12\]: 2 people take turns there: here all of them are told/)
  for (const line of [
    /Standard \[policy\/7\]: step 2 tells a person whose address is not known: create a channel/,
    /step 2 tells the whole team: create a channel/,
    /step 3 \(another policy at some times of the week\)/,
    /step 4 \(instructions for who is told\)/,
    /step 5 waits until 09:00/,
    /step 5 tells "bob@example.org" by telephone alone/,
    /Standard \[policy\/7\]: the policy that follows it/,
    /it is repeated 3 times: here until somebody acknowledges/,
    /Unused \[policy\/8\]: no monitor has it/,
    /Hook \[outgoing-webhook\/21\]: the text that it sends/,
    /Shift \[outgoing-webhook\/22\]: that it is told of on_call_change/,
    /Duty \[pager-duty-webhook\/31\]: its severity "warning" in PagerDuty/,
  ]) {
    t.match(lines, line)
  }
  t.notMatch(lines, /pass-word-1|kkkk/)
})

t.test('without a policy, who is on call is told, and integrations beside', async (t) => {
  const { channels, monitors, lines } = read([
    ...[monitor('1'), monitor('2', { email: false }), monitor('3', { team_wait: 90 })],
    ...[...calendars, ...integrations],
  ])
  const [person, duty, splunk, slack] = channels.map(({ id }) => id)
  t.equal(channels.length, 4)
  t.match(monitors, [
    { notifyChannelIds: [person, duty, splunk, slack] },
    { notifyChannelIds: [duty, splunk, slack] },
    { notifyChannelIds: [person, duty, splunk, slack] },
  ])
  t.match(lines, /M3 \[monitor\/3\]: that its team is told after 2 min/)
  t.match(lines, /calls, text messages and push to telephones/)
})

t.test(
  'a policy without steps alerts nobody, and one that is not told leaves the default',
  async (t) => {
    const { monitors } = read([
      ...[monitor('1', { policy_id: 7 }), monitor('2', { policy_id: 8 })],
      of('policy', '7', { name: 'Silent', steps: [] }),
    ])
    t.match(monitors, [
      { alertsNobody: true },
      { alertsNobody: undefined, notifyChannelIds: undefined },
    ])
  },
)

/** Fields of policies and of their steps that mean nothing here. */
const meaningless = ['incident_token', 'policy_group_id', 'team_name']

t.test('every field of a policy and of its steps does something', async (t) => {
  const first = step(0, [{ type: 'current_on_call' }])
  const changes: Readonly<Record<string, object>> = {
    name: { name: 'Other', fallback_policy_id: 1 },
    repeat_count: { repeat_count: 2 },
    repeat_delay: { repeat_count: 2, repeat_delay: 600 },
    fallback_policy_id: { fallback_policy_id: 9 },
    steps: { steps: [] },
    wait_before: { steps: [{ ...first, wait_before: 60 }] },
    wait_until_time: { steps: [{ ...first, wait_until_time: '09:00' }] },
    urgency_id: { steps: [{ ...first, urgency_id: 2 }] },
    step_members: { steps: [{ ...first, step_members: [{ type: 'entire_team' }] }] },
    type: { steps: [{ ...first, type: 'metadata_branching' }] },
  }
  const result = (change: object) =>
    JSON.stringify(
      read([
        monitor('1', { policy_id: '7' }),
        of('policy', '7', {
          name: 'P',
          repeat_count: 0,
          repeat_delay: 0,
          steps: [first],
          ...change,
        }),
        of('urgency', '2', { name: 'Low', email: false }),
        ...calendars,
      ]),
    )
  const usual = result({})
  for (const [field, change] of Object.entries(changes)) t.not(result(change), usual, field)
  for (const field of meaningless) t.equal(result({ [field]: 'x' }), usual, field)
})

t.test('nonsense in these lists becomes nothing', async (t) => {
  for (const one of [null, 7, 'x', [], { data: 7 }]) {
    const policy = of('policy', '7', { name: one, steps: [one], repeat_count: one })
    const broken = of('on_call_calendar', 'x', { default_calendar: true }, { relationships: one })
    const { monitors } = read([monitor('1', { policy_id: '7' }), policy, broken])
    t.equal(monitors.length, 1)
  }
})
