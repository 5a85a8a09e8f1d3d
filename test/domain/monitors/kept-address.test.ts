// Kept addresses: which paths they are, and what a request at one says.
import t from 'tap'
import {
  isKeptAddress,
  isUuid,
  type KeptRules,
  keptCall,
  pingStatus,
} from '../../../src/domain/monitors/kept-address.ts'

const uuid = '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'
const key = 'fqOOd6-F4MMNuCEnzTU01w'

t.test('an address is a path of Uptime Kuma or of Healthchecks, without its ending', async (t) => {
  const good = [
    '/api/push/Sx7mPq2kVn9dTc4LwZ1rBf8hYj3gQa6e',
    `/ping/${uuid}`,
    `/ping/${key}/database-backup`,
    `/ping/${key}/start`,
  ]
  for (const path of good) t.ok(isKeptAddress(path), path)
  const bad = [
    '',
    '/api/push/short',
    '/api/push/Sx7mPq2kVn9dTc4LwZ1r/x',
    '/api/v1/push/spp_abcdefgh',
    `/ping/${uuid.toUpperCase()}`,
    `/ping/${uuid}/`,
    `/ping/${uuid}/start`,
    `/ping/${uuid}/7`,
    `/ping/${key}`,
    `/ping/${key}/Database`,
    `/ping/${key}/a/start`,
    `https://hc-ping.com/${uuid}`,
    `/ping/${uuid}\n`,
  ]
  for (const path of bad) t.notOk(isKeptAddress(path), path)
})

t.test('a request names its address, and says the rest by its end', async (t) => {
  const ping = { product: 'healthchecks', address: `/ping/${uuid}` }
  t.same(keptCall(`/ping/${uuid}`), { ...ping, word: '' })
  t.same(keptCall(`/ping/${uuid}/`), { ...ping, word: '' })
  t.same(keptCall(`/ping/${uuid}/fail`), { ...ping, word: 'fail' })
  t.same(keptCall(`/ping/${uuid}/300`), { ...ping, word: '300' })
  const slug = { product: 'healthchecks', address: `/ping/${key}/a_b`, pingKey: key, slug: 'a_b' }
  t.same(keptCall(`/ping/${key}/a_b`), { ...slug, word: '' })
  t.same(keptCall(`/ping/${key}/a_b/log`), { ...slug, word: 'log' })
  t.same(keptCall(`/ping/%66${key.slice(1)}/a%5Fb`), { ...slug, word: '' }, 'also encoded')
  for (const address of ['/api/push/x', '/api/push/']) {
    t.same(keptCall(address), { product: 'kuma', address, word: '' })
  }
  const others = [
    '/ping',
    '/ping/',
    `/ping/${key}`,
    `/ping/${key}/a_b/`,
    `/ping/${key}/a_b/other`,
    `/ping/${uuid}/start/`,
    `/ping/${key}/ä`,
    '/api/push/a/',
    '/api/push/a/b',
    `/ping/%zz${uuid}`,
    `/ping/${key}%2F`,
  ]
  for (const path of others) t.equal(keptCall(path), undefined, path)
})

t.test('hostile paths take no time', async (t) => {
  for (const part of ['/ping/', '/api/push/', 'a-', '0', '%2e%2e/']) {
    const path = `/ping/${part.repeat(20_000)}`
    const startedMs = performance.now()
    t.equal(keptCall(path), undefined)
    t.notOk(isKeptAddress(path))
    t.ok(performance.now() - startedMs < 100, part)
  }
})

t.test('what a ping says follows from its end, its method and its body', async (t) => {
  const said = (word: string, rules: KeptRules = {}, text = '', method = 'GET') =>
    pingStatus(word, rules, { method, text })
  const words = { '': 'ok', start: 'start', fail: 'error', log: 'log', 0: 'ok', 7: 'error' }
  for (const [word, status] of Object.entries(words)) t.equal(said(word), status, word)
  t.equal(said('fail', { methods: 'POST' }), 'log')
  t.equal(said('fail', { methods: 'POST' }, '', 'POST'), 'error')
  const rules = { otherwise: 'ignore', failureWords: ['bad'], successWords: ['good'] } as const
  t.equal(said('', rules, 'good, not bad'), 'error')
  t.equal(said('fail', rules, 'all good'), 'ok', 'words come before the end of the path')
  t.equal(said('', rules, 'neither'), 'log')
  t.equal(said('', { ...rules, otherwise: 'error' }, 'neither'), 'error')
  t.equal(said('', { otherwise: 'ignore', startWords: ['go'] }, 'go'), 'start')
})

t.test('a run id is a UUID in any case', async (t) => {
  t.ok(isUuid(uuid))
  t.ok(isUuid(uuid.toUpperCase()))
  for (const text of ['12345', `${uuid}0`, uuid.replaceAll('-', '')]) t.notOk(isUuid(text), text)
})
