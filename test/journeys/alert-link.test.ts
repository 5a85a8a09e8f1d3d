// The link in an alert, from the message to the button: no sign-in, no script, and no trace of it.
import t, { type Test } from 'tap'
import { launchBrowser, skipWithoutBrowser } from '../support/browser.ts'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { answer, startTarget } from '../support/target.ts'

const skip = skipWithoutBrowser

/** An outage, and the path of the link that a webhook was sent. */
async function startOutage(t: Test) {
  const daemon = await startDaemon(t)
  const target = await startTarget()
  const receiver = await startReceiver()
  const other = await startReceiver()
  t.teardown(() => Promise.all([target.close(), receiver.close(), other.close()]))
  const { org, key } = await registerWithKey(daemon)
  const channelIds: string[] = []
  for (const [name, { url }] of [
    ['On call', receiver],
    ['Desk', other],
  ] as const) {
    const { id } = await daemon.need('POST', `${org}/alert-channels`, {
      key,
      json: { name, type: 'webhook', config: { url }, isActive: true, isDefault: true },
    })
    channelIds.push(id)
  }
  // Down from the first check on, which the one that is asked for may join.
  target.script = answer({ status: 503 })
  const thresholds = { failureThreshold: 1, recoveryThreshold: 1 }
  const json = { name: 'Shop', url: target.url, intervalMinutes: 1_440, ...thresholds }
  const monitor = await daemon.need('POST', `${org}/monitors`, { key, json })
  const run = () => daemon.need('POST', `${org}/monitors/${monitor.id}`, { key })
  const { openIncidentId } = await run()
  const [opened] = await receiver.received(1)
  await other.received(1)
  const { incident } = bodyOf(opened).data as unknown as { incident: { url: string } }
  const link = new URL(incident.url)
  const open = async (init: RequestInit = {}) => {
    const response = await fetch(daemon.url + link.pathname, { redirect: 'manual', ...init })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const press = (headers: Record<string, string> = {}) =>
    open({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  const recover = async () => {
    target.script = answer()
    await run()
  }
  const shown = () => daemon.need('GET', `${org}/incidents/${openIncidentId}`, { key })
  return { daemon, org, key, channelIds, receiver, other, link, open, press, recover, shown }
}

t.test(
  'the link shows the incident, its button acknowledges it, and the rest hear of it',
  async (t) => {
    const { daemon, org, key, channelIds, other, link, open, press, recover, shown } =
      await startOutage(t)
    t.equal(link.origin, daemon.url)
    const first = await open()
    t.equal(first.status, 200)
    t.match(first.text, /Shop is down[\s\S]+<button type="submit">Acknowledge<\/button>/)
    t.match(first.headers.get('cache-control'), 'no-store')
    t.match(first.headers.get('x-robots-tag'), 'noindex')
    t.equal(first.headers.get('referrer-policy'), 'strict-origin')
    t.match(first.headers.get('content-security-policy'), /default-src 'none'.*form-action 'self'/)
    t.equal(first.headers.get('set-cookie'), null)
    const before = await shown()
    await open({ method: 'HEAD' })
    await open()
    t.equal((await shown()).revision, before.revision, 'looking changes nothing')
    t.equal(before.state, 'open')

    t.equal((await press({ origin: 'https://evil.test' })).status, 403)
    t.equal((await press({ 'sec-fetch-site': 'cross-site' })).status, 403)
    t.equal((await shown()).state, 'open', 'another site cannot press the button')

    const pressed = await press({ origin: daemon.url })
    t.equal(pressed.status, 303)
    t.equal(pressed.headers.get('location'), link.pathname)
    t.match(await shown(), { state: 'acknowledged', acknowledgedBy: `channel:${channelIds[0]}` })
    t.match((await open()).text, 'Acknowledged through On call')
    t.notMatch((await open()).text, '<button')
    t.equal((await press()).status, 303, 'twice is as once')
    const told = await other.received(2)
    t.equal(bodyOf(told[1]).type, 'incident.acknowledged')
    const audit = await daemon.need('GET', `${org}/audit-log?action=incident.acknowledged`, { key })
    t.equal(audit.length, 1)
    t.match(audit[0].actor, { kind: 'channel', id: channelIds[0], name: 'On call' })

    await recover()
    const over = await open()
    t.match(over.text, 'This incident is over.')
    t.notMatch(over.text, '<button')
    t.equal((await press()).status, 303)
    t.equal((await shown()).state, 'resolved')

    const token = link.pathname.split('/').at(-1) ?? ''
    const metrics = await fetch(`${daemon.url}/metrics`)
    t.notMatch(await metrics.text(), token.slice(0, 26))
    t.notMatch(daemon.lines.join('\n'), token, 'the log has no token')

    const [channelId] = channelIds
    // Not its last character, some of whose bits mean nothing.
    const changed = token.at(-5) === 'A' ? 'B' : 'A'
    const forged = await fetch(
      `${daemon.url}/alerts/${token.slice(0, -5)}${changed}${token.slice(-4)}`,
    )
    t.equal(forged.status, 404)
    await daemon.need('DELETE', `${org}/alert-channels/${channelId}`, { key })
    const gone = await open()
    t.equal(gone.status, 404)
    t.equal(gone.text, await forged.text(), 'one answer, whatever is missing')
    t.match(gone.text, 'There is no alert here')
    t.equal((await press()).status, 404)
  },
)

t.test('a person presses the button in a browser without scripts', { skip }, async (t) => {
  const { link, shown } = await startOutage(t)
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(link.href)
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('Acknowledged through On call').first().waitFor()
  t.equal(page.url(), link.href)
  t.match(await shown(), { state: 'acknowledged' })
})

t.test('strangers who try links are counted', async (t) => {
  const clock = Object.assign(new FakeClock(), { onJump() {}, stop() {} })
  const daemon = await startDaemon(t, { clock, env: { HTTP_RATE_PAGE_PER_MINUTE: '3' } })
  const statuses: number[] = []
  for (let at = 0; at < 5; at++) statuses.push((await fetch(`${daemon.url}/alerts/x`)).status)
  t.same(statuses, [404, 404, 404, 429, 429])
})
