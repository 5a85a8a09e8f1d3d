// Channels of other products that no import would take are left out by name, and hinder nothing else.
import t from 'tap'
import { channelDefinitions } from '../../../src/channels/registry.ts'
import { kumaChannelOf } from '../../../src/domain/imports/kuma/channels/kuma-channels.ts'
import { withFittingChannels } from '../../../src/services/orgs/fitting-channels.ts'
import { kumaSettings } from '../../support/kuma-providers.ts'

t.test('what Kuma sends with today is taken as it is, whatever the provider', async (t) => {
  const channels = [...kumaSettings].flatMap(([type, settings], at) => {
    const found = kumaChannelOf({ id: at, name: type, ...settings, type }, () => {})
    return found?.lacks.length === 0 ? [found.channel] : []
  })
  const waiting = ['JiraServiceManagement', 'LineNotify']
  const document = { channels, monitors: [], notes: [] }
  t.same(withFittingChannels(document).notes, [])
  t.equal(withFittingChannels(document), document)
  t.equal(channels.length, kumaSettings.size - waiting.length)
})

t.test('every kind takes its own example', async (t) => {
  const channels = channelDefinitions.map(({ type, example }) => ({
    name: type,
    type,
    config: example,
  }))
  t.same(withFittingChannels({ channels, monitors: [], notes: [] }).notes, [])
})

t.test(
  'a channel that lacks something is named with field and rule, and nothing names it',
  async (t) => {
    const slack = {
      id: 'chn_1',
      name: 'Chat',
      type: 'slack',
      config: { webhookUrl: 'https://s.test' },
    }
    const { channels, monitors, notes } = withFittingChannels({
      channels: [
        slack,
        {
          id: 'chn_2',
          origin: 'notification/2',
          name: 'Bot',
          type: 'telegram',
          config: { chatId: '1' },
        },
        {
          id: 'chn_3',
          name: 'Phone',
          type: 'twilio',
          config: { accountSid: 'AC', authToken: 'x', to: [] },
        },
        { id: 'chn_4', name: 'Mail', type: 'email', config: { to: ['a@b.test'], username: 'ann' } },
        { id: 'chn_6', name: 'Hook', type: 'webhook', config: { url: 'ops.test/hook' } },
        { id: 'chn_5', name: 'Odd', type: 'pigeon', config: {} },
      ],
      monitors: [
        { name: 'A', notifyChannelIds: ['chn_2', 'chn_1'] },
        { name: 'B', notifyChannelIds: ['chn_5'] },
        { name: 'C' },
        { name: 'D', notifyChannelIds: ['chn_5'] },
      ],
      notes: [{ name: 'A', text: 'first' }],
    })
    t.same(channels, [slack])
    t.same(monitors, [
      { name: 'A', notifyChannelIds: ['chn_1'] },
      { name: 'B', notifyChannelIds: [] },
      { name: 'C' },
      { name: 'D', notifyChannelIds: [] },
    ])
    t.same(notes, [
      { name: 'A', text: 'first' },
      {
        name: 'Bot',
        text: 'was left out: config.botToken is required; alerted by A',
        origin: 'notification/2',
      },
      {
        name: 'Phone',
        text: 'was left out: config.accountSid must be AC and 32 hexadecimal digits',
      },
      {
        name: 'Mail',
        text: 'was left out: config.server is required for username, password and from',
      },
      { name: 'Hook', text: 'was left out: config.url must be a URL with http or https' },
      {
        name: 'Odd',
        text: 'was left out: there is no channel type pigeon; alerted by B and 1 more',
      },
    ])
  },
)

t.test('a channel that waits for what the document lacks stays, and is still found', async (t) => {
  const odd = { name: 'Odd', type: 'pigeon', config: {} }
  const mail = { name: 'Mail', type: 'email', config: {} }
  const phone = {
    name: 'Phone',
    type: 'twilio',
    config: { accountSid: 'AC1', to: ['+15558675310'] },
  }
  const secretsOmitted = [
    '/channels/1/config/to',
    '/monitors/0/headers/x',
    '/channels/2/config/authToken',
  ]
  const { channels, ...found } = withFittingChannels({
    channels: [odd, mail, phone],
    monitors: [],
    notes: [],
    secretsOmitted,
  })
  t.same(channels, [mail])
  t.same(found.secretsOmitted, ['/channels/0/config/to', '/monitors/0/headers/x'])
  t.match(found.notes[1], { name: 'Phone', text: /config\.accountSid must be AC and 32/ })
})
