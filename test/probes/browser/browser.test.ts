// A real Chromium on pages that people would recognise, and on those that behave badly.
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { BrowserAction } from '../../../src/domain/browser/action.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { browser } from '../../../src/probes/browser/browser.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openMachine } from '../../support/open-machine.ts'
import { browserPath } from '../../support/programs.ts'
import { startShop } from '../../support/shop.ts'

const executable = browserPath()
if (executable === undefined) {
  t.comment('not installed: chromium')
  t.end()
}
const clock = startClock()
t.after(() => clock.stop())
const browsers = [executable ?? '']
const rules = {
  targets: 'any',
  machine: { ...openMachine, browsers, browserMemoryMb: 700 },
} as const
const { probe } = browser.open({
  guard: createGuard(rules),
  resolver: createResolver({ clock }),
  clock,
})

type Shown = Partial<BrowserAction> & Pick<BrowserAction, 'action'>

function look(url: string, actions: readonly Shown[] = [], fields: TargetFields = {}) {
  const whole = actions.map((action) => ({ selector: null, value: null, ...action }))
  const target = makeTarget({ checkType: 'browser', url, timeoutMs: 15_000, ...fields })
  return probe({ ...target, actions: whole }, { clock, keepsAnswer: true })
}

const signIn = `<!doctype html><title>Sign in</title>
  <form action="/welcome"><label>E-mail <input name="who" type="email"></label>
  <input id="pw" type="password" name="pw" placeholder="Password">
  <label for="c">Country</label><select id="c" name="c"><option value="de">Germany<option value="fr">France</select>
  <button>Sign <b>in</b></button></form>`
const shop = await startShop(t, {
  '/': signIn,
  '/welcome': (told, { url = '' }) => {
    const fields = new URL(url, 'http://shop').searchParams
    told.end(`<title>Welcome</title><h1>Welcome, ${fields.get('who')} of ${fields.get('c')}</h1>`)
  },
  '/late': `<p id=x></p><button disabled>Buy</button><script>
    setTimeout(() => { document.querySelector('#x').textContent = 'Ready' }, 700)
    setTimeout(() => { document.querySelector('button').disabled = false }, 900)
    document.querySelector('button').onclick = () => { document.title = 'Bought' }</script>`,
  '/alert': `<script>alert('Buy now'); console.error('it', 'broke'); null.x</script><p>Past it<img src=/gone>`,
  '/covered': `<button>Buy</button><div style="position:fixed;inset:0;background:red"></div>`,
  '/hang': () => {},
  '/loop': '<p>Hello<script>setTimeout(() => { while (true); }, 300)</script>',
  '/eat': `<p>Hello<script>const all = []; setInterval(() => { for (let i = 0; i < 40; i++)
    all.push(new Uint8Array(1 << 20).fill(1)) }, 20)</script>`,
  '/flood': `<script>for (let i = 0; i < 20000; i++) console.error('flood ' + i)
    console.error('x'.repeat(30_000_000))</script><p>Done`,
  '/big': (told) => {
    told.setHeader('content-disposition', 'attachment; filename=big.bin')
    told.setHeader('content-type', 'application/octet-stream')
    told.setHeader('content-length', String(1024 ** 3))
    const piece = Buffer.alloc(1 << 20)
    const more = () => {
      while (told.write(piece)) if (told.destroyed) return
    }
    told.on('drain', more)
    more()
  },
  '/broken': (told) => {
    told.statusCode = 500
    told.end('<h1>Oops</h1>')
  },
})

const found = ({ found }: Reading) => (typeof found === 'object' ? found : {})
const shape = (reading: Reading) => [reading.result, reading.error?.kind, reading.error?.message]

t.test('a person signs in', async (t) => {
  const reading = await look(`${shop.url}/`, [
    { action: 'fill', selector: 'label=E-mail', value: 'ada@example.com' },
    { action: 'fill', selector: 'placeholder=Password', value: 's3cret' },
    { action: 'select', selector: '#c', value: 'France' },
    { action: 'click', selector: 'role=button[name="Sign in"]' },
    { action: 'expect', selector: 'h1', value: 'welcome, ada@example.com of fr' },
    { action: 'expect', value: 'Welcome' },
  ])
  t.match(reading, { result: 'good', address: '127.0.0.1' })
  t.match(found(reading), { title: 'Welcome', status: 200, console: [], failedRequests: [] })
  t.match(found(reading), { lcpMs: Number, fcpMs: Number, ttfbMs: Number, cls: Number })
  const picture = Buffer.from(reading.picture ?? '', 'base64')
  t.equal(picture.subarray(0, 3).toString('hex'), 'ffd8ff', 'a JPEG shows how it ended')
})

t.test('it waits until something is there and enabled', async (t) => {
  const reading = await look(`${shop.url}/late`, [
    { action: 'expect', value: 'Ready' },
    { action: 'click', selector: 'text=Buy' },
  ])
  t.match(found(reading), { title: 'Bought' })
})

t.test('what does not work is said in words', async (t) => {
  const fields = { timeoutMs: 4_000 }
  const missing = await look(
    `${shop.url}/`,
    [{ action: 'click', selector: 'text=Sign out' }],
    fields,
  )
  t.match(shape(missing), [
    'failed',
    'assertion',
    /^action 1, click “Sign out”: nothing matched within \d\.\d s$/,
  ])
  t.match(missing.evidence, { picture: /^\/9j/, body: /"title":"Sign in"/ })
  const covered = await look(
    `${shop.url}/covered`,
    [{ action: 'click', selector: 'button' }],
    fields,
  )
  t.match(covered.error?.message, /^action 1, click “button”: something else covered it within/)
  const css = await look(`${shop.url}/`, [{ action: 'click', selector: 'a[' }], fields)
  t.match(css.error?.message, /the selector is not valid CSS$/)
})

t.test('a page that asks in a dialog is read all the same', async (t) => {
  const reading = await look(`${shop.url}/alert`, [{ action: 'expect', value: 'past it' }])
  t.match(found(reading), {
    console: ['alert: Buy now', 'error: it broke', /^exception: TypeError/],
    failedRequests: [/^404 http:.*\/gone$/],
  })
})

t.test('pages that fail', async (t) => {
  const free = await freePort()
  t.match(shape(await look(`${shop.url}/broken`)), [
    'failed',
    'status',
    'the page answered with status 500',
  ])
  const hang = await look(`${shop.url}/hang`, [], { timeoutMs: 3_000 })
  t.match(shape(hang), ['failed', 'timeout', /^the page did not respond within \d\.\d s$/])
  const loop = await look(
    `${shop.url}/loop`,
    [
      { action: 'wait', value: '600' },
      { action: 'expect', value: 'Bye' },
    ],
    {
      timeoutMs: 5_000,
    },
  )
  t.match(shape(loop), ['failed', 'timeout', /^action \d, .*the page did not respond within/])
  const closed = await look(`http://127.0.0.1:${free}/`)
  t.match(shape(closed), ['failed', 'connect', `connection refused by 127.0.0.1:${free}`])
})

t.test('a page that takes too much', async (t) => {
  const eat = await look(`${shop.url}/eat`, [{ action: 'expect', value: 'Bye' }])
  t.match(shape(eat), ['failed', /body_too_large|invalid_response/, /memory|crashed/])
  const flood = await look(`${shop.url}/flood`, [{ action: 'expect', value: 'Done' }])
  t.equal(flood.result, 'good')
  t.ok(JSON.stringify(found(flood)).length < 16_384, 'a flood of messages is bounded')
  const big = await look(`${shop.url}/big`)
  t.match(shape(big), ['failed', 'invalid_response', /the browser shows no page there/])
})

t.test('nothing of a check is left', async (t) => {
  await new Promise((resolve) => setTimeout(resolve, 800))
  t.same(
    readdirSync(tmpdir()).filter((name) => name.startsWith('stillup-browser-')),
    [],
  )
})
