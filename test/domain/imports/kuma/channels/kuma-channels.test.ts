// Notifications of Uptime Kuma become channels with the same receivers; every setting arrives or is named.
import t from 'tap'
import { createNotes, type ForeignFields } from '../../../../../src/domain/imports/foreign.ts'
import {
  kumaChannelOf,
  kumaChannels,
} from '../../../../../src/domain/imports/kuma/channels/kuma-channels.ts'
import { otherServices } from '../../../../../src/domain/imports/kuma/channels/kuma-other-services.ts'
import {
  kumaCompanions,
  kumaIdleFields,
  kumaOtherValues,
  kumaProviderFields,
  kumaSettings,
  kumaUsualNotes,
} from '../../../../support/kuma-providers.ts'

function converted(settings: ForeignFields, row: ForeignFields = { id: 3, name: 'Ops' }) {
  const said: string[] = []
  const found = kumaChannelOf({ ...row, config: settings }, (text) => said.push(text))
  return { channel: found?.channel, lacks: found?.lacks, said }
}

t.test('every provider of Kuma becomes a channel or is named, never both', async (t) => {
  for (const type of kumaProviderFields.keys()) {
    const settings = kumaSettings.get(type)
    const { channel, said } = converted({ type, ...settings })
    const other = otherServices.get(type)
    if (settings) {
      t.match(channel, { id: `chn_${'3'.padStart(26, '0')}`, origin: 'notification/3' }, type)
      t.equal(other, undefined, type)
    } else {
      t.equal(channel, undefined, type)
      t.match(said, [`${other?.title} has no equivalent, and was left out: `], type)
      t.ok(other?.instead, type)
    }
  }
})

t.test('every setting that a provider reads changes the channel or is noted', async (t) => {
  for (const [type, fields] of kumaProviderFields) {
    const settings = kumaSettings.get(type)
    if (!settings) continue
    const usual = kumaUsualNotes[type] ?? /^$/
    t.match(
      converted({ type, ...settings }).said.join(),
      usual,
      `${type}: nobody set what is noted`,
    )
    for (const field of fields) {
      const { [field]: companions = {} } = kumaCompanions
      const { [field]: before, ...others } = { type, ...settings, ...companions } as ForeignFields
      const without = converted(before === undefined ? others : { ...others, [field]: before })
      const changed = converted({ ...others, [field]: kumaOtherValues[field] ?? differing(before) })
      if (`${type}.${field}` in kumaIdleFields) t.same(changed, without, `${type}.${field} is idle`)
      else t.notSame(changed, without, `${type}.${field}`)
    }
  }
})

function differing(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('http') ? `${value}x` : '7'
}

t.test('no note tells a token or a password', async (t) => {
  for (const type of kumaProviderFields.keys()) {
    const { [type]: fields = [] } = Object.fromEntries(kumaProviderFields)
    const secret = Object.fromEntries(fields.map((field) => [field, `${field}-hidden`]))
    const { said } = converted({ ...secret, ...kumaSettings.get(type), type })
    t.notMatch(said.join(), /hidden|secret-/, type)
  }
})

t.test('no value of a setting, whatever it is, ends a conversion', async (t) => {
  const odd = [
    null,
    0,
    -1,
    [],
    [null, {}],
    {},
    { id: 1 },
    true,
    '\ud800',
    '{{x}}',
    '\u0001"\u0001',
    '[1]',
  ]
  for (const [type, fields] of kumaProviderFields) {
    for (const value of odd) {
      const settings = Object.fromEntries(fields.map((field) => [field, value]))
      t.doesNotThrow(() => converted({ ...settings, type }), `${type} ${JSON.stringify(value)}`)
      const other = { ...kumaSettings.get(type), ...kumaOtherValues, type }
      const mixed = Object.fromEntries(fields.map((field) => [field, value]))
      t.doesNotThrow(() => converted({ ...mixed, ...other }), type)
    }
  }
})

t.test('settings come as columns, as JSON, or as an object', async (t) => {
  const config = { type: 'slack', name: 'Inside', slackwebhookURL: 'https://hooks.test/s' }
  const expected = { type: 'slack', config: { webhookUrl: 'https://hooks.test/s' } }
  const of = (row: ForeignFields) => kumaChannelOf(row, () => {})?.channel
  t.match(of({ id: 1, name: 'Ops', config: JSON.stringify(config) }), { name: 'Ops', ...expected })
  t.match(of({ id: 1, config }), { name: 'Inside', ...expected })
  t.match(of({ id: 1, ...config }), { name: 'Inside', ...expected })
  t.equal(of({ id: 1, name: 'Broken', config: '{' }), undefined)
  t.equal(of({ id: 1, name: 'Odd', config: '{"type":"constructor"}' }), undefined)
})

const monitor = (name: string, notificationIDList?: unknown, checkType = 'endpoint') => ({
  item: { notificationIDList },
  monitor: { name, checkType },
})
const slackRow = (id: number, more: object = {}) => ({
  id,
  name: `Slack ${id}`,
  config: JSON.stringify({ type: 'slack', slackwebhookURL: 'https://hooks.test/s', ...more }),
})
const idOf = (id: number) => `chn_${String(id).padStart(26, '0')}`

t.test('a monitor alerts the channels that it alerted in Kuma, and no others', async (t) => {
  const notes = createNotes()
  const { channels, monitors } = kumaChannels(
    [slackRow(1), slackRow(2), { id: 4, name: 'Text', config: '{"type":"smsc"}' }],
    [
      monitor('A', { 1: true, 2: true }),
      monitor('B', [2, 4, 9]),
      monitor('C', { 1: false }),
      monitor('D'),
      monitor('G', {}, 'group'),
    ],
    notes,
  )
  t.same(
    channels.map(({ id, isDefault }) => [id, isDefault]),
    [
      [idOf(1), false],
      [idOf(2), false],
    ],
  )
  t.same(
    monitors.map(({ name, notifyChannelIds, alertsNobody }) => [
      ...[name, notifyChannelIds, alertsNobody],
    ]),
    [
      ['A', [idOf(1), idOf(2)], undefined],
      ['B', [idOf(2)], undefined],
      ['C', undefined, true],
      ['D', undefined, undefined],
      ['G', undefined, undefined],
    ],
  )
  const said = notes.all().map(({ name, text, origin }) => [name, origin, text])
  t.match(said, [['Text', 'notification/4', /^SMSC has no equivalent, .*twilio; alerted by B$/]])
  t.equal(said.length, 1)
})

t.test('the default of new monitors stays one, beside monitors that alert nobody', async (t) => {
  const rows = [slackRow(1, { isDefault: true }), { ...slackRow(2), is_default: 1 }]
  const notes = createNotes()
  const { channels, monitors } = kumaChannels(
    rows,
    [monitor('A', { 1: true }), monitor('G', {}, 'group'), monitor('M', {})],
    notes,
  )
  t.same(
    channels.map(({ isDefault }) => isDefault),
    [true, true],
  )
  t.same(
    monitors.flatMap(({ name, alertsNobody }) => (alertsNobody ? [name] : [])),
    ['M'],
  )
  t.same(notes.all(), [])
})

t.test('a channel waits for what Kuma does not have, and says for what', async (t) => {
  const notes = createNotes()
  const twilio = { ...kumaSettings.get('twilio'), type: 'twilio', twilioApiKey: 'SK1' }
  const jira = { ...kumaSettings.get('JiraServiceManagement'), type: 'JiraServiceManagement' }
  const rows = [slackRow(1), { id: 2, config: twilio }, { id: 3, config: jira }]
  const { channels, secretsOmitted } = kumaChannels(rows, [], notes)
  t.same(secretsOmitted, ['/channels/1/config/authToken', '/channels/2/config/apiKey'])
  t.match(channels[2], { type: 'opsgenie', config: { region: 'jsm' } })
  t.notHas(channels[1]?.config, 'authToken')
})

t.test('a list of monitors without their notifications says that they are missing', async (t) => {
  const notes = createNotes()
  const { monitors } = kumaChannels([], [monitor('A', [1])], notes)
  t.same(monitors, [{ name: 'A', checkType: 'endpoint' }])
  t.match(notes.all(), [{ name: null, text: /^its notifications, which the file does not have/ }])
})
