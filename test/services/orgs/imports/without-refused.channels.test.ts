// Channels of other products that no import would take are left out by name, and hinder nothing else.
import t from 'tap'
import { channelDefinitions } from '../../../../src/channels/registry.ts'
import { createNotes } from '../../../../src/domain/imports/foreign.ts'
import { kumaChannels } from '../../../../src/domain/imports/kuma/channels/kuma-channels.ts'
import { needOf, register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'
import { kumaSettings } from '../../../support/kuma-providers.ts'

const started = startDaemon(t, { env: { QUOTAS_CHANNELS: '150', QUOTAS_PAGES: '2' } })

async function open(name: string) {
  const daemon = await started
  const alice = await register(daemon, name)
  const mine = needOf(daemon, alice)
  const bring = (document: object, isTrial = false) =>
    mine('POST', `/import${isTrial ? '/trial' : ''}?leavesOut=true`, {
      ...{ format: 'stillup/1', source: { product: 'kuma', installation: name } },
      ...document,
    })
  return { mine, bring }
}

type Line = { action: string; name: string; reason?: string }
const leftOut = ({ plan }: { plan: Line[] }) =>
  plan.filter(({ action }) => action === 'leftOut').map(({ name, reason }) => [name, reason])

const idOf = (no: number) => `chn_${String(no).padStart(26, '0')}`
const hook = (no: number, more = {}) => ({
  ...{ id: idOf(no), origin: `notification/${no}`, name: `Hook ${no}`, type: 'webhook' },
  ...{ config: { url: 'https://ops.example.com/' }, ...more },
})

t.test('what Kuma sends with today is taken as it is, whatever the provider', async (t) => {
  const { bring } = await open('alice')
  const withKey = { ...kumaSettings.get('twilio'), twilioApiKey: 'SK1' }
  const rows = [...kumaSettings, ['twilio', withKey] as const].map(([type, settings], id) => {
    return { id, name: type, config: { ...settings, type } }
  })
  const { channels, secretsOmitted } = kumaChannels(rows, [], createNotes())
  t.equal(channels.length, rows.length)
  const trial = await bring({ channels, secretsOmitted }, true)
  t.same(leftOut(trial), [])
  const waiting: { name: string }[] = trial.awaitingSecrets
  t.same(waiting.map(({ name }) => name).sort(), ['JiraServiceManagement', 'LineNotify', 'twilio'])
})

t.test('every kind takes its own example', async (t) => {
  const { bring } = await open('bob')
  const channels = channelDefinitions.map(({ type, example }) => {
    return { name: type, type, config: example }
  })
  t.same(leftOut(await bring({ channels }, true)), [])
})

t.test('a channel that lacks something is named with field and rule', async (t) => {
  const { mine, bring } = await open('carol')
  const bad = [
    { type: 'telegram', config: { chatId: '1' } },
    { type: 'twilio', config: { accountSid: 'AC', authToken: 'x', to: ['+15558675310'] } },
    { type: 'email', config: { to: ['a@b.test'], username: 'ann' } },
    { type: 'webhook', config: { url: 'ops.test/hook' } },
    { type: 'gotify', config: {} },
    { type: 'telegram', config: { botToken: '1:a', chatId: 'no chat' } },
  ]
  const channels = [hook(0), ...bad.map((one, at) => hook(at + 1, one))]
  const named = (name: string, ...notifyChannelIds: string[]) => {
    return { name, origin: `monitor/${name}`, checkType: 'push', notifyChannelIds }
  }
  const monitors = [named('A', idOf(1), idOf(0)), named('B', idOf(5)), named('C', idOf(5))]
  const brought = await bring({ channels, monitors })
  t.match(leftOut(brought), [
    ['Hook 1', 'config.botToken is required; it alerted for 1 monitor'],
    ['Hook 2', 'config.accountSid must be AC and 32 hexadecimal digits'],
    ['Hook 3', 'config.server is required for username, password and from'],
    ['Hook 4', /^config\.url must start with http:\/\/ or https:\/\//],
    ['Hook 5', 'config.server is required; it alerted for 2 monitors'],
    ['Hook 6', /^config\.chatId must be the number of a chat or the @name/],
  ])
  const [only] = await mine('GET', '/alert-channels')
  const watched: { name: string; notifyChannelIds: string[] }[] = await mine('GET', '/monitors')
  t.same(watched.map((one) => [one.name, one.notifyChannelIds]).sort(), [
    ['A', [only.id]],
    ['B', []],
    ['C', []],
  ])
})

t.test('a channel that waits for what the document lacks stays, and is still found', async (t) => {
  const { bring } = await open('dave')
  const phone = { accountSid: 'AC1', to: ['+15558675310'] }
  const brought = await bring({
    channels: [
      hook(1, { type: 'gotify', config: {} }),
      hook(2, { type: 'email', config: {} }),
      hook(3, { type: 'twilio', config: phone }),
    ],
    secretsOmitted: ['/channels/1/config/to', '/channels/2/config/authToken'],
  })
  t.match(leftOut(brought), [['Hook 1'], ['Hook 3', /config\.accountSid must be AC and 32/]])
  t.match(brought.awaitingSecrets, [{ name: 'Hook 2', secrets: ['/config/to'] }])
})

t.test('channels beyond the quota are named with it, those that nobody uses first', async (t) => {
  const { mine, bring } = await open('erin')
  const channels = Array.from({ length: 153 }, (_, no) => hook(no, { isDefault: no === 152 }))
  const monitors = Array.from({ length: 152 }, (_, no) => ({
    ...{ name: `M${no}`, origin: `monitor/${no}`, checkType: 'push' },
    // Nobody uses 0, and many use 151.
    notifyChannelIds: [idOf(Math.max(no, 1)), idOf(151)].slice(0, no === 151 ? 1 : 2),
  }))
  const trial = await bring({ channels, monitors }, true)
  const reason = 'there is no room: quotas.channels allows 150, and there would be 153'
  const left = [
    ['Hook 0', reason],
    ['Hook 149', `${reason}; it alerted for 1 monitor`],
    ['Hook 150', `${reason}; it alerted for 1 monitor`],
  ]
  t.same(leftOut(trial), left)
  t.same(leftOut(await bring({ channels, monitors })), left)
  t.equal((await mine('GET', '/alert-channels?limit=200')).length, 150)
  const more = await bring({ channels, monitors })
  t.same(leftOut(more), left, 'a second import makes none, either')
  t.equal(more.channels, 0)
})

t.test(
  'of other lists the last items have no room, and what names them does without',
  async (t) => {
    const { mine, bring } = await open('frank')
    await mine('POST', '/status-pages', { name: 'Own', slug: 'own' })
    const pages = ['A', 'B', 'C'].map((name) => ({
      ...{ name, origin: `status_page/${name}`, slug: `page-${name.toLowerCase()}` },
    }))
    const reason = 'there is no room: quotas.pages allows 2, and there would be 4'
    const left = [
      ['B', reason],
      ['C', reason],
    ]
    t.same(leftOut(await bring({ statusPages: pages }, true)), left)
    t.same(leftOut(await bring({ statusPages: pages })), left)
    t.equal((await mine('GET', '/status-pages')).length, 2)
  },
)
