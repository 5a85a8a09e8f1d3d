// Recordings that browsers themselves write of a sign-in at an OpenID provider of others: their steps sign in anew.

import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
// @ts-expect-error: the library brings no types
import * as oidcProvider from 'oidc-provider'
import type { Page } from 'playwright-core'
import t from 'tap'
import { startClock } from '../../../../src/base/clock.ts'
import { createResolver } from '../../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../../src/net/egress-policy.ts'
import { steps as kind } from '../../../../src/probes/steps/steps.ts'
import { launchBrowser, skipWithoutBrowser as skip } from '../../../support/browser.ts'
import { freePort } from '../../../support/free-port.ts'
import { makeTarget } from '../../../support/make-target.ts'
import { openMachine } from '../../../support/open-machine.ts'
import { stepsIn } from '../../../support/steps-conversion.ts'
import { testFolder } from '../../../support/test-folder.ts'

type ProviderClass = new (issuer: string, settings: object) => { callback(): RequestListener }

const clock = startClock()
t.after(() => clock.stop())
const { probe } = kind.open({
  guard: createGuard({ targets: 'any', machine: openMachine }),
  resolver: createResolver({ clock }),
  clock,
})

t.test('a recorded sign-in becomes steps that sign in', { skip }, async (t) => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { client_id: 'shop', client_secret: 'a-secret-of-the-shop' }
  const provider = new (oidcProvider.Provider as ProviderClass)(url, {
    clients: [{ ...client, redirect_uris: [`${url}/shop`], response_types: ['code'] }],
    pkce: { required: () => false },
    cookies: { keys: ['a key of the cookies'] },
  })
  let arrivals = 0
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/shop?code=')) return provider.callback()(request, response)
    arrivals += 1
    response.setHeader('content-type', 'text/html').end('<h1>Signed in</h1>')
  })

  async function signIn(page: Page): Promise<void> {
    const asked = `client_id=shop&scope=openid&response_type=code&redirect_uri=${url}/shop`
    await page.goto(`${url}/auth?${asked}`)
    await page.locator('[name=login]').fill('ada')
    await page.locator('[name=password]').fill('a-long-password')
    await page.locator('[type=submit]').click()
    await page.locator('[value=consent]').waitFor({ state: 'attached' })
    await page.locator('[type=submit]').click()
    await page.getByText('Signed in').waitFor()
  }

  async function signsInAnew(text: string, message: string): Promise<void> {
    const made = stepsIn(text)
    t.same(Object.values(made.variables), ['a-long-password'], message)
    t.ok(made.steps.length >= 3, message)
    const before = arrivals
    const target = makeTarget({ checkType: 'steps', url: made.url, timeoutMs: 30_000 })
    const { steps, variables } = made
    const reading = await probe({ ...target, steps, variables }, { clock })
    t.equal(reading.result, 'good', `${message}: ${reading.error?.message}`)
    t.equal(arrivals, before + 1, message)
  }

  const port = await freePort()
  const chromium = await launchBrowser([
    ...[`--remote-debugging-port=${port}`, '--remote-allow-origins=*'],
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  ])
  t.teardown(() => chromium.close())
  const path = join(testFolder(t), 'recorded.har')
  const context = await chromium.newContext({ recordHar: { path, content: 'embed' } })
  await signIn(await context.newPage())
  await context.close()
  await signsInAnew(readFileSync(path, 'utf8'), 'as Playwright records it')

  const page = await (await chromium.newContext()).newPage()
  await page.goto('about:blank#recorded')
  const told = await fetch(`http://127.0.0.1:${port}/json`)
  const targets = (await told.json()) as readonly { id: string; url: string }[]
  const { id } = targets.find((one) => one.url.endsWith('#recorded')) ?? { id: '' }
  const tools = await chromium.newPage()
  const place = `/devtools/inspector.html?ws=127.0.0.1:${port}/devtools/page/${id}&panel=network`
  const found = await tools.goto(`http://127.0.0.1:${port}${place}`)
  if (found?.status() !== 200) return t.comment('this Chromium has no DevTools of its own')
  await tools.evaluate(keepLog)
  // What is loaded before they listen is not in their recording.
  do await page.goto(`${url}/jwks`)
  while (!(await tools.evaluate(isRecording)))
  await signIn(page)
  for (const sanitize of [true, false]) {
    const text = String(await tools.evaluate(`${exported}(${sanitize})`))
    await signsInAnew(text, sanitize ? 'as DevTools export it' : 'with what is sensitive')
  }
})

/** *Preserve log* is switched on, once there is such a switch. */
const keepLog = `(async () => {
  const { Settings } = await import('./core/common/common.js')
  for (;;) {
    try {
      return Settings.Settings.instance().moduleSetting('network-log.preserve-log').set(true)
    } catch {
      await new Promise(requestAnimationFrame)
    }
  }
})()`

/** Whether DevTools have heard of a request; what they have recorded so far is cleared. */
const isRecording = `(async () => {
  const { NetworkLog } = await import('./models/logs/logs.js')
  const log = NetworkLog.NetworkLog.instance()
  if (log.requests().length === 0) return false
  log.reset(true)
  return true
})()`

/** What *Export HAR* writes into the file. */
const exported = `(async (sanitize) => {
  const { NetworkLog } = await import('./models/logs/logs.js')
  const { Writer } = await import('./models/har/har.js')
  const progress = { canceled: false, isCanceled: () => false, createSubProgress: () => progress }
  let text = ''
  const file = { write: async (piece) => { text += piece } }
  await Writer.Writer.write(file, NetworkLog.NetworkLog.instance().requests(), { sanitize }, progress)
  return text
})`
