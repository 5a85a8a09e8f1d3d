// Secrets in a channel's config: masked on the way out, kept when the mask comes back.
import t from 'tap'
import {
  carriedSecrets,
  maskedConfig,
  openedChannel,
  patchedConfig,
  secretsOf,
  secretTexts,
  strayMask,
} from '../../../src/channels/model/config.ts'
import { webhook } from '../../../src/channels/webhook.ts'
import { makeChannel } from '../../support/make-channel.ts'

const mask = '••••'
const config = { url: 'http://hook.test/', secret: 's', headers: { 'X-Key': 'k', 'X-Team': 't' } }

t.test('shown configs have masks, and with the secrets restored they are complete', async (t) => {
  const shown = maskedConfig(webhook, config)
  t.same(shown, { ...config, secret: mask, headers: { 'X-Key': mask, 'X-Team': mask } })
  const secretsJson = JSON.stringify(secretsOf(webhook, config))
  t.same(openedChannel(makeChannel({ config: shown }), secretsJson).config, config)
})

t.test('a merge patch changes the fields it names and nothing else', async (t) => {
  const patched = (patch: object) => patchedConfig(webhook, config, { ...patch })
  t.same(patched({}), config)
  t.same(patched({ url: 'http://other.test/' }), { ...config, url: 'http://other.test/' })
  t.same(patched(maskedConfig(webhook, config)), config, 'a whole shown config changes nothing')
  t.same(patched({ headers: { 'X-Key': 'new' } }).headers, { 'X-Key': 'new', 'X-Team': 't' })
  t.same(patched({ headers: { 'X-Key': null } }).headers, { 'X-Team': 't' })
  t.notOk('headers' in patched({ headers: null }))
  t.notOk('secret' in patched({ secret: null }))
})

t.test('a mask without a stored value is found', async (t) => {
  t.equal(strayMask(webhook, config), undefined)
  t.equal(strayMask(webhook, { ...config, secret: mask }), '/secret')
  t.equal(strayMask(webhook, { ...config, headers: { 'a/b': mask } }), '/headers/a~1b')
})

t.test('the texts that are secret are the fields, and what is long in their URLs', async (t) => {
  const definition = { secrets: ['webhookUrl', 'headers', 'token'] }
  const config = {
    webhookUrl: 'https://hooks.test/services/T0000000X/send?access_token=abcdefghij&n=1',
    headers: { Authorization: 'Bearer x' },
    name: 'shown',
  }
  t.same(secretTexts(definition, config), [
    config.webhookUrl,
    'services',
    'T0000000X',
    'abcdefghij',
    'Bearer x',
  ])
})

t.test('a secret does not follow a URL to another server unless it is given again', async (t) => {
  const definition = { secrets: ['token', 'headers', 'sealed', 'hook'], urls: ['url', 'hook'] }
  const before = {
    url: 'https://one.test/a',
    hook: 'https://hooks.test/secret',
    token: 'old',
    headers: { 'X-Key': 'k', 'X-Team': 't' },
    sealed: 's',
  }
  const carried = (patch: object, more: object = {}) => {
    const after = patchedConfig(definition, before, { ...patch })
    return carriedSecrets(
      { ...definition, signs: ['sealed'], ...more },
      {
        before,
        patch: { ...patch },
        after,
      },
    )
  }
  const all = ['/token', '/headers/X-Key', '/headers/X-Team']
  t.same(carried({ url: 'https://two.test/a' }), all)
  t.same(carried({ url: null }), all, 'back to the usual server')
  for (const url of [
    'http://one.test/a',
    'https://one.test:444/a',
    'https://one.test@evil.test/',
  ]) {
    t.same(carried({ url }), all, url)
  }
  t.same(carried({ url: 'https://two.test/', token: mask, headers: { 'X-Key': mask } }), all)
  const headers = { 'X-Key': 'new', 'X-Team': null }
  t.same(carried({ url: 'https://two.test/', token: 'old', headers }), [], 'given again')
  t.same(carried({ url: 'https://two.test/', token: null, headers: null }), [], 'removed')
  t.same(carried({ url: 'https://one.test/b' }), [], 'the same server')
  t.same(carried({ hook: 'https://two.test/x', token: 'new' }), all.slice(1))
})
