// Integrations of Healthchecks become channels that wait for what they lack; kinds that we lack are named.
import t from 'tap'
import { channelDefinition } from '../../../../src/channels/registry.ts'
import { createNotes } from '../../../../src/domain/imports/foreign.ts'
import {
  counterparts,
  integrationsOf,
  lackedKinds,
} from '../../../../src/domain/imports/healthchecks/integrations.ts'
import { healthchecksChannels } from '../../../support/foreign-samples.ts'

const [mail, trello] = healthchecksChannels.channels

t.test('a channel has the id and the name of there, and lacks where it sends to', async (t) => {
  const notes = createNotes()
  const users = new Map([[trello?.id ?? '', ['A', 'B', 'C', 'D', 'E', 'F', 'G']]])
  const found = integrationsOf(healthchecksChannels, users, notes.of)
  t.same(found.channels, [
    {
      id: 'chn_0vvtj6g0xz8ywap9s9n7egwjwm',
      origin: `channel/${mail?.id}`,
      name: 'Ops mail',
      type: 'email',
      config: {},
      isDefault: false,
    },
  ])
  t.same(found.secretsOmitted, ['/channels/0/config/to'])
  t.equal(found.ids.get(mail?.id ?? ''), 'chn_0vvtj6g0xz8ywap9s9n7egwjwm')
  t.match(notes.all(), [
    { name: 'Trello', origin: `channel/${trello?.id}`, text: /left out: .*"A", .*"E" and 2 more$/ },
  ])
})

t.test('each counterpart lacks the fields that its type cannot do without', async (t) => {
  for (const { type, fields } of Object.values(counterparts)) {
    t.same([...fields].sort(), [...(channelDefinition(type).config.required ?? [])].sort(), type)
  }
})

t.test('no kind is silent', async (t) => {
  // hc/api/models.py, TRANSPORTS.
  const kinds =
    'apprise call discord email github googlechat gotify group matrix mattermost msteamsw ntfy opsgenie ' +
    'pagertree pd po pushbullet rocketchat shell signal slack sms spike telegram trello victorops webhook ' +
    'whatsapp zulip'
  for (const kind of kinds.split(' ')) {
    t.ok(kind in counterparts !== kind in lackedKinds, kind)
  }
  for (const kind of ['new', '__proto__', 'constructor', '']) {
    const notes = createNotes()
    t.same(integrationsOf([{ id: 'x', kind }], new Map(), notes.of).channels, [])
    t.match(notes.all(), [{ text: /there is no kind of channel here/ }], kind)
  }
})
