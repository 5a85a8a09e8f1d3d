// What is shown of monitors of every kind: on the public page their names, and nowhere an address.
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { startRecordsServer } from '../support/dns-records-server.ts'
import { startSmtpInbox } from '../support/smtp-inbox.ts'
import { answer, answerJson, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'
import { startEchoServer } from '../support/websocket.ts'

t.test('a page and the history have each kind, and the page no address', async (t) => {
  const dns = await startRecordsServer({})
  const web = await startTarget({
    '/': answer(),
    '/?token=hidden-word': answer(),
    '/health': answerJson({ status: 'ok' }),
  })
  const echo = await startEchoServer()
  const mail = await startSmtpInbox(t)
  t.teardown(async () => {
    echo.close()
    await Promise.all([web.close(), dns.close()])
  })
  const daemon = await startDaemon(t)
  const { org, key } = await registerWithKey(daemon)
  const monitors: Readonly<Record<string, object>> = {
    endpoint: { url: `${web.url}/?token=hidden-word` },
    health: { url: `${web.url}/health` },
    keyword: { url: web.url, bodyContains: 'ok' },
    // It waits for a request in the clear.
    ssl: { url: `https://127.0.0.1:${web.port}`, timeoutMs: 1_000 },
    ping: { url: 'ping://127.0.0.1' },
    push: {},
    tcp: { url: `tcp://127.0.0.1:${web.port}`, body: 'hidden-word' },
    dns: { url: `dns://nowhere.test?server=${dns.server}` },
    websocket: { url: echo.url },
    smtp: { url: mail.url },
    domain: { url: 'domain://hidden-word.example.com', isActive: false },
  }
  for (const [checkType, fields] of Object.entries(monitors)) {
    // Each is checked once, unless its time of the day is just now.
    const fast = { failureThreshold: 1, intervalMinutes: 1_440 }
    const json = { name: `The ${checkType}`, checkType, isPublic: true, ...fast, ...fields }
    await daemon.need('POST', `${org}/monitors`, { key, json })
  }
  const list = () => daemon.need('GET', `${org}/monitors?limit=50`, { key })
  const all: { id: string; checkType: string; state: string }[] = await until(async () => {
    const found = await list()
    const waiting = found.filter(({ state }: { state: string }) => state === 'pending')
    // The job has nothing to report.
    return waiting.length === 1 && found
  })
  const states = Object.fromEntries(all.map(({ checkType, state }) => [checkType, state]))
  t.same(states, {
    endpoint: 'up',
    health: 'up',
    keyword: 'up',
    ping: 'up',
    tcp: 'up',
    websocket: 'up',
    ssl: 'down',
    push: 'pending',
    dns: 'down',
    smtp: 'up',
    domain: 'paused',
  })

  await daemon.need('POST', `${org}/status-pages`, { key, json: { name: 'All', slug: 'all' } })
  const page = await until(async () => {
    const { text } = await daemon.ask('GET', '/status/all')
    return text.includes('Ongoing incidents') && text
  })
  // Its own address is on it, for those who share it.
  const said = page.replaceAll(daemon.url, '')
  for (const checkType of Object.keys(monitors)) t.match(page, `The ${checkType}`)
  const addresses = [web.port, dns.server, mail.port, new URL(echo.url).port, '127.0.0.1']
  for (const hidden of [...addresses, 'hidden-word', 'nowhere.test', /\b(tcp|dns|ws|smtp):\/\//]) {
    const found = hidden instanceof RegExp ? hidden : new RegExp(`\\b${hidden}\\b`)
    t.notMatch(said, found, `the page does not say ${hidden}`)
  }

  for (const { id, checkType } of all) {
    const path = `${org}/monitors/${id}/checks`
    const latest = await daemon.need('GET', `${path}/latest`, { key })
    const isLooked = checkType !== 'push' && checkType !== 'domain'
    t.equal(latest.phases !== null && Object.keys(latest.phases).length > 0, isLooked, checkType)
    t.equal(latest.error !== null, states[checkType] === 'down', checkType)
    const history = await daemon.need('GET', path, { key })
    t.equal(history.length > 0, isLooked, `${checkType} has a history`)
  }
})
