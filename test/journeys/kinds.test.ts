// Every kind of check on the whole daemon, against servers that others wrote: up, down, up again.
import { once } from 'node:events'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { testCertificates } from '../support/certificates.ts'
import { prepareDnsmasq, prepareNginx } from '../support/child-peer.ts'
import { startDaemon } from '../support/daemon.ts'
import { freePort } from '../support/free-port.ts'
import { skipWithout } from '../support/programs.ts'
import { startSilentPort } from '../support/silent-port.ts'
import { startSmtpInbox } from '../support/smtp-inbox.ts'
import { trustTestCa } from '../support/trust.ts'
import { startEchoServer } from '../support/websocket.ts'

trustTestCa(t)

// Closed to strangers, since of what is on loopback an open service keeps nothing.
const daemon = await startDaemon(t, { env: { AUTH_REGISTRATION: 'first-user' } })
const { org, key } = await registerWithKey(daemon, 'alice', daemon.setupToken)
const { good, expired, self, other } = testCertificates

/** One verdict is enough, and nothing is checked but when the test says so. */
const prompt = { failureThreshold: 1, recoveryThreshold: 1, intervalMinutes: 1_440 }

async function watch(t: Test, fields: object) {
  // How long it takes is the machine's affair.
  const json = { name: 'Watched', ...prompt, degradedThresholdMs: null, ...fields }
  const { id } = await daemon.need('POST', `${org}/monitors`, { key, json })
  const path = `${org}/monitors/${id}`
  const run = () => daemon.need('POST', path, { key })
  return {
    change: (json: object) => daemon.need('PATCH', path, { key, json }),
    look: () => daemon.need('GET', path, { key }),
    latest: () => daemon.need('GET', `${path}/checks/latest`, { key }),
    async isUp(fields: object = {}) {
      const found = await run()
      t.match(found, { outcome: 'up', state: 'up', error: null, ...fields }, found.error?.message)
      return found
    },
    async isDown(kind: string, message: RegExp | string) {
      const found = await run()
      t.match(found, { outcome: 'down', state: 'down', error: { kind, message } })
      t.match(found.openIncidentId, /^inc_/)
      const incident = await daemon.need('GET', `${org}/incidents/${found.openIncidentId}`, { key })
      t.match(incident, { state: 'open', severity: 'down' })
      return found
    },
  }
}

const skipNginx = skipWithout('nginx')

t.test('endpoint: a shop on nginx', { skip: skipNginx }, async (t) => {
  const open = 'location / { return 200 "open\\n"; }'
  const nginx = await prepareNginx(t, open)
  await nginx.start()
  const secret = 'a-secret-of-the-shop'
  const url = `http://127.0.0.1:${nginx.port}/`
  const headers = { Authorization: `Bearer ${secret}` }
  const shop = await watch(t, { url, headers, body: 'the-password-of-the-shop', method: 'POST' })
  const up = await shop.isUp({ status: 200, address: '127.0.0.1' })
  t.same(Object.keys(up.phases).toSorted(), ['connect', 'download', 'firstByte'])
  t.match(await shop.latest(), { outcome: 'up', phases: up.phases, failure: null })

  const repairs = `location / {
    add_header X-You-Said $http_authorization always;
    return 503 "closed; you said $http_authorization\\n";
  }`
  await nginx.start({ locations: repairs })
  await shop.isDown('status', 'expected status 200, found 503')
  const { failure } = await shop.latest()
  t.match(failure, { status: 503, body: 'closed; you said ••••\n' })
  t.match(failure.headers.find(({ name }: { name: string }) => name === 'x-you-said').value, '••••')
  t.match(failure.failedAssertions, [{ expected: 'status 200', found: '503' }])
  const shown = JSON.stringify([failure, await shop.look()])
  t.notMatch(shown, secret, 'what was sent is not shown')

  await nginx.start()
  await shop.isUp()
  await nginx.stop()
  await shop.isDown('connect', `connection refused by 127.0.0.1:${nginx.port}`)
  await nginx.start()
  await shop.isUp()
})

t.test('endpoint: TLS and HTTP/2 on nginx', { skip: skipNginx }, async (t) => {
  const nginx = await prepareNginx(t, 'location / { return 200 "$server_protocol\\n"; }')
  await nginx.start()
  const url = `https://127.0.0.1:${nginx.tlsPort}/`
  const shop = await watch(t, { url, bodyContains: 'HTTP/2.0' })
  const up = await shop.isUp({ status: 200 })
  t.same(Object.keys(up.phases).toSorted(), ['connect', 'download', 'firstByte', 'tls'])
  t.match(await shop.look(), { certificate: { issuer: 'Stillup Tests', expiresAt: /^2125-/ } })
  await nginx.start({ certificate: expired })
  await shop.isDown('tls', 'the certificate has expired')
  t.match(await shop.look(), { certificate: { expiresAt: /^2021-/ } })
  await nginx.start({ certificate: other })
  await shop.isDown('tls', 'the certificate is for another host name')
  await nginx.start({ certificate: self })
  await shop.isDown('tls', 'the certificate is self-signed')
  const lax = await watch(t, { url, ignoreTlsErrors: true })
  await lax.isUp()
  await nginx.start()
  await shop.isUp()
})

t.test('endpoint: a server by Node that speaks HTTP/2 only', async (t) => {
  let status = 200
  const server = createSecureServer(good, (_request, response) => {
    response.writeHead(status).end('hello')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const shop = await watch(t, { url: `https://127.0.0.1:${port}/`, bodyContains: 'hello' })
  await shop.isUp()
  status = 500
  await shop.isDown('status', 'expected status 200, found 500')
  status = 200
  await shop.isUp()
})

t.test('health and keyword: what nginx says', { skip: skipNginx }, async (t) => {
  const says = (status: string, words: string) => `
    location /health { default_type application/json; return 200 '{"status": "${status}"}'; }
    location / { return 200 "${words}\\n"; }`
  const nginx = await prepareNginx(t, says('ok', 'welcome to the shop'))
  await nginx.start()
  const url = `http://127.0.0.1:${nginx.port}`
  const health = await watch(t, { checkType: 'health', url: `${url}/health` })
  const keyword = await watch(t, { checkType: 'keyword', url, bodyContains: 'welcome' })
  await health.isUp()
  await keyword.isUp()
  await nginx.start({ locations: says('down', 'out of order') })
  await health.isDown('assertion', /status/)
  await keyword.isDown('assertion', 'expected body to contain "welcome"')
  t.match(await health.latest(), { failure: { body: /"status": "down"/ } })
  t.match(await keyword.latest(), { failure: { body: 'out of order\n' } })
  await nginx.start()
  await health.isUp()
  await keyword.isUp()
})

t.test('ssl: the certificate of nginx', { skip: skipNginx }, async (t) => {
  const nginx = await prepareNginx(t, 'location / { return 500; }')
  await nginx.start()
  const place = `127.0.0.1:${nginx.tlsPort}`
  const web = await watch(t, { checkType: 'ssl', url: `https://${place}` })
  const bare = await watch(t, { checkType: 'ssl', url: `tls://${place}` })
  for (const one of [web, bare]) {
    const chain = [{ subject: 'CN=good', names: ['localhost', '127.0.0.1', '0:0:0:0:0:0:0:1'] }]
    const { found } = await one.isUp({ certificate: { issuer: 'Stillup Tests' }, failure: null })
    t.match(found, { protocol: /^TLS/, isTrusted: true, chain })
    t.same((await one.latest()).found, found, 'the newest result shows the same')
  }
  t.match(await web.look(), { certificate: { issuer: 'Stillup Tests', expiresAt: /^2125-/ } })
  await nginx.start({ certificate: expired })
  for (const one of [web, bare]) await one.isDown('tls', 'the certificate has expired')
  const { failure } = await web.latest()
  t.match(JSON.parse(failure.body), { protocol: /^TLS/, chain: [{ subject: 'CN=expired' }] })
  await nginx.stop()
  await web.isDown('connect', `connection refused by ${place}`)
  await nginx.start()
  for (const one of [web, bare]) await one.isUp()
})

t.test('ping: this machine, by ICMP or by TCP', async (t) => {
  const host = await watch(t, { checkType: 'ping', url: 'ping://127.0.0.1' })
  const up = await host.isUp({ address: '127.0.0.1' })
  t.same(Object.keys(up.phases), ['connect'])
  t.equal(up.status, null)
  t.match(up.found, { method: /^(icmp|tcp)$/, address: '127.0.0.1', roundTripMs: Number })
  const silent = await startSilentPort()
  if (!silent) return t.comment('this machine answers every attempt to connect')
  const place = `127.0.0.1:${silent.port}`
  const port = await watch(t, { checkType: 'ping', url: `ping://${place}`, timeoutMs: 700 })
  await port.isDown('timeout', `no answer from ${place}`)
  await silent.close()
  // The refusal may take its time.
  await port.change({ timeoutMs: 20_000 })
  await port.isDown('connect', `connection refused by ${place}`)
})

t.test('push: a job reports', async (t) => {
  const json = { name: 'Backup', checkType: 'push', ...prompt }
  const { id, pushToken } = await daemon.need('POST', `${org}/monitors`, { key, json })
  const look = () => daemon.need('GET', `${org}/monitors/${id}`, { key })
  const report = (json: object) => daemon.ask('POST', `/api/v1/push/${pushToken}`, { json })
  await report({ status: 'ok' })
  t.match(await look(), { state: 'up' })
  await report({ status: 'error', message: 'no space left on the tape' })
  t.match(await look(), { state: 'down', lastError: { kind: 'reported', message: /tape/ } })
  await report({ status: 'ok' })
  t.match(await look(), { state: 'up' })
})

t.test('tcp: nginx, spoken to by hand', { skip: skipNginx }, async (t) => {
  const nginx = await prepareNginx(t, 'location / { return 200 "open\\n"; }')
  await nginx.start()
  const url = `tcp://127.0.0.1:${nginx.port}`
  const port = await watch(t, { checkType: 'tcp', url })
  const body = 'GET / HTTP/1.0\\r\\n\\r\\n'
  const talk = await watch(t, { checkType: 'tcp', url, body, bodyContains: '200 OK' })
  for (const one of [port, talk]) await one.isUp({ address: '127.0.0.1', status: null })
  await nginx.start({ locations: 'location / { return 503 "closed"; }' })
  await port.isUp()
  await talk.isDown('assertion', 'expected answer to contain "200 OK"')
  const { failure } = await talk.latest()
  t.match(failure, { status: null, body: /^HTTP\/1.1 503 / })
  await nginx.stop()
  for (const one of [port, talk]) await one.isDown('connect', /^connection refused by 127/)
  await nginx.start()
  for (const one of [port, talk]) await one.isUp()
})

t.test('dns: a zone of dnsmasq', { skip: skipWithout('dnsmasq') }, async (t) => {
  const dnsmasq = await prepareDnsmasq(t)
  const zone = ['--host-record=web.test,127.0.0.7', '--mx-host=web.test,mx.test,10']
  await dnsmasq.start(zone)
  const url = `dns://web.test?server=${dnsmasq.server}`
  const address = await watch(t, { checkType: 'dns', url, bodyContains: '127.0.0.7' })
  const mail = await watch(t, { checkType: 'dns', url: `${url}&type=MX` })
  for (const one of [address, mail]) await one.isUp({ status: null })
  await dnsmasq.start(['--host-record=web.test,127.0.0.8'])
  await address.isDown('assertion', 'expected answer to contain "127.0.0.7"')
  const { failure } = await address.latest()
  t.match(JSON.parse(failure.body), { name: 'web.test', type: 'A', records: ['127.0.0.8'] })
  await mail.isDown('dns', 'web.test has no MX record')
  await dnsmasq.start(['--host-record=other.test,127.0.0.8'])
  await address.isDown('dns', 'there is no such name as web.test')
  await dnsmasq.stop()
  await address.isDown('dns', `nothing answers at the name server ${dnsmasq.server}`)
  await dnsmasq.start(zone)
  for (const one of [address, mail]) await one.isUp()
})

t.test('websocket: uWebSockets.js, and behind the TLS of nginx', async (t) => {
  const port = await freePort()
  let echo = await startEchoServer(port)
  t.teardown(() => echo.close())
  const said = { checkType: 'websocket', body: 'anybody there?', bodyContains: 'echo: anybody' }
  const plain = await watch(t, { ...said, url: `ws://127.0.0.1:${port}/echo` })
  await plain.isUp()
  const wrong = await watch(t, { ...said, url: `ws://127.0.0.1:${port}/nothing-here` })
  await wrong.isDown('status', /^expected status 101, found \d+$/)
  echo.close()
  await plain.isDown('connect', `connection refused by 127.0.0.1:${port}`)
  echo = await startEchoServer(port)
  await plain.isUp()
  if (skipNginx) return t.comment(skipNginx)

  const nginx = await prepareNginx(
    t,
    `location / {
      proxy_pass http://127.0.0.1:${port}; proxy_http_version 1.1;
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;
    }`,
  )
  await nginx.start()
  const secure = await watch(t, { ...said, url: `wss://127.0.0.1:${nginx.tlsPort}/echo` })
  await secure.isUp()
  echo.close()
  await secure.isDown('status', 'expected status 101, found 502')
  echo = await startEchoServer(port)
  await secure.isUp()
})

t.test('smtp: smtp-server with STARTTLS', async (t) => {
  const port = await freePort()
  let server = await startSmtpInbox(t, { tls: good, port })
  const url = `smtp://127.0.0.1:${port}?starttls=required`
  const mail = await watch(t, { checkType: 'smtp', url, bodyContains: 'STARTTLS' })
  await mail.isUp({ status: null })
  t.match(await mail.look(), { certificate: { issuer: 'Stillup Tests' } })
  const anew = async (options: object) => {
    await server.close()
    server = await startSmtpInbox(t, { ...options, port })
  }
  await anew({ tls: expired })
  await mail.isDown('tls', 'the certificate has expired')
  await anew({})
  await mail.isDown('tls', 'the mail server does not offer STARTTLS')
  t.match(await mail.latest(), { failure: { body: /^220 / } })
  server.refuse = () => 421
  await mail.isDown('status', 'the mail server greets with 421 instead of 220')
  await server.close()
  await mail.isDown('connect', `connection refused by 127.0.0.1:${port}`)
  await anew({ tls: good })
  await mail.isUp()
  t.same(server.mails, [], 'no mail is sent')
})
