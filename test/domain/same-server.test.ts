// Which URLs lead to the same server: what was given for one of them may be sent to the other.
import t from 'tap'
import { isSameServer } from '../../src/domain/same-server.ts'

t.test('spellings of one server are the same, and doubtful ones are not', async (t) => {
  const url = 'https://one.test/a'
  for (const same of ['https://ONE.test', 'https://one.test:443/?x', 'HTTPS://one.test#y']) {
    t.ok(isSameServer(url, same), same)
  }
  for (const other of [
    ...['http://one.test/a', 'wss://one.test/a', 'https://one.test:8443/a', 'https://one.test./a'],
    ...['https://one.test@evil.test/', 'https://evil.test/https://one.test/', 'one.test', '', null],
  ]) {
    t.notOk(isSameServer(url, other), String(other))
  }
  t.ok(isSameServer('https://bücher.test/', 'https://xn--bcher-kva.test/'), 'IDN as punycode')
  t.ok(isSameServer('http://127.0.0.1/', 'http://127.1/'), 'an address as it is parsed')
})

t.test('schemes that browsers do not know have servers, too', async (t) => {
  t.notOk(isSameServer('tcp://one.test:1', 'tcp://two.test:1'))
  t.ok(isSameServer('tcp://one.test:1', 'tcp://one.test:1/'))
})

t.test('two servers that are not stated are the same', async (t) => {
  t.ok(isSameServer(undefined, null))
})
