// A real Chromium on pages that people would recognise, and on those that behave badly.
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { BrowserAction } from '../../../src/domain/browser/action.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { browser } from '../../../src/probes/browser/browser.ts'
import { resolverThat } from '../../support/fake-resolver.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openMachine } from '../../support/open-machine.ts'
import { browserPath } from '../../support/programs.ts'
import { startRunningBrowser } from '../../support/running-browser.ts'
import { startShop } from '../../support/shop.ts'
import { until } from '../../support/until.ts'

const executable = browserPath()
const skip = executable === undefined && 'not installed: chromium'
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

function probeWith(list: readonly string[]) {
  const machine = { ...openMachine, browsers: list }
  const guard = createGuard({ targets: 'any', machine })
  const { probe } = browser.open({ guard, resolver: createResolver({ clock }), clock })
  return (url: string) =>
    probe(makeTarget({ checkType: 'browser', url, timeoutMs: 20_000 }), { clock })
}

type Shown = Partial<BrowserAction> & Pick<BrowserAction, 'action'>

function look(url: string, actions: readonly Shown[] = [], fields: TargetFields = {}) {
  const whole = actions.map((action) => ({ selector: null, value: null, ...action }))
  const target = makeTarget({ checkType: 'browser', url, timeoutMs: 30_000, ...fields })
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
  '/parts': `<title>Parts</title><p>Here<img src=/gone><img src="http://localhost:1/pixel">
    <script src="/moved?key=t0p-s3cret"></script>`,
  '/moved': (told) => {
    told.statusCode = 302
    told.setHeader('location', '/there')
    told.end()
  },
  '/there': 'document.title = "Parts and more"',
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
  '/flood': `<script>for (let i = 0; i < 5000; i++) console.error('flood ' + i)
    console.error('x'.repeat(10_000_000))</script><p>Done`,
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
  '/away': (told) => {
    told.end(`<a href="${shop.url}/">Away</a>`)
  },
  '/phone': `<meta name=viewport content="width=device-width"><p id=x></p><script>x.textContent =
    [innerWidth, 'ontouchstart' in window, /Mobile/.test(navigator.userAgent) ? 'phone' : ''].join(' ')</script>`,
  '/framed': (told) => {
    told.end(`<p style="height: 1500px">Above</p>
      <iframe title=Same src=/inner style="margin: 20px; padding: 7px; border: 5px solid"></iframe>
      <iframe title=Other src="http://localhost:${shop.port}/outer"></iframe>
      <a href=/inner target=_blank>New</a> <button onclick="window.open('/welcome?who=Ada&c=fr')">Open</button>`)
  },
  '/outer': '<p>Outer<iframe name=deep src=/inner></iframe>',
  '/inner': `<label>Card <input id=card></label><button onclick="said.textContent = card.value">Pay</button>
    <p id=said></p><input type=file hidden onchange="this.files[0].text().then((all) =>
    said.textContent = this.files[0].name + ': ' + all)"><ul><li>One<li>Two</ul>`,
  '/broken': (told) => {
    told.statusCode = 500
    told.end('<h1>Oops</h1>')
  },
})

const found = ({ found }: Reading) => (typeof found === 'object' ? found : {})
const shape = (reading: Reading) => [reading.result, reading.error?.kind, reading.error?.message]

t.test('a person signs in', { skip }, async (t) => {
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
  t.match(found(reading).actions, [
    { action: `open ${shop.url}/`, ms: Number },
    { action: 'fill “E-mail”' },
  ])
  t.match(found(reading), { lcpMs: Number, fcpMs: Number, ttfbMs: Number, cls: Number })
  const picture = Buffer.from(reading.picture ?? '', 'base64')
  t.equal(picture.subarray(0, 3).toString('hex'), 'ffd8ff', 'a JPEG shows how it ended')
})

t.test('it waits until something is there and enabled', { skip }, async (t) => {
  const reading = await look(`${shop.url}/late`, [
    { action: 'expect', value: 'Ready' },
    { action: 'click', selector: 'text=Buy' },
  ])
  t.match(found(reading), { title: 'Bought' })
})

t.test('what does not work is said in words', { skip }, async (t) => {
  const fields = { timeoutMs: 6_000 }
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

t.test('a page that asks in a dialog is read all the same', { skip }, async (t) => {
  const reading = await look(`${shop.url}/alert`, [{ action: 'expect', value: 'past it' }])
  t.match(found(reading), {
    console: ['alert: Buy now', 'error: it broke', /^exception: TypeError/],
    failedRequests: [/^404 http:.*\/gone$/],
  })
})

t.test('pages that fail', { skip }, async (t) => {
  const free = await freePort()
  t.match(shape(await look(`${shop.url}/broken`)), [
    'failed',
    'status',
    'the page answered with status 500',
  ])
  const hang = await look(`${shop.url}/hang`, [], { timeoutMs: 6_000 })
  t.match(shape(hang), ['failed', 'timeout', /^the page did not respond within \d\.\d s$/])
  const loop = await look(
    `${shop.url}/loop`,
    [
      { action: 'wait', value: '600' },
      { action: 'expect', value: 'Bye' },
    ],
    {
      timeoutMs: 8_000,
    },
  )
  t.match(shape(loop), ['failed', 'timeout', /^action \d, .*the page did not respond within/])
  const closed = await look(`http://127.0.0.1:${free}/`)
  t.match(shape(closed), ['failed', 'connect', `connection refused by 127.0.0.1:${free}`])
})

t.test('a page that takes too much', { skip }, async (t) => {
  const eat = await look(`${shop.url}/eat`, [{ action: 'expect', value: 'Bye' }])
  t.match(shape(eat), ['failed', /body_too_large|invalid_response/, /memory|crashed/])
  const flood = await look(`${shop.url}/flood`, [{ action: 'expect', value: 'Done' }])
  t.equal(flood.result, 'good')
  t.ok(JSON.stringify(found(flood)).length < 16_384, 'a flood of messages is bounded')
  const big = await look(`${shop.url}/big`)
  t.match(shape(big), ['failed', 'invalid_response', /the browser shows no page there/])
})

t.test('values reach the sites that they are for, and nobody else', { skip }, async (t) => {
  const variables = { who: 's3cret@example.com' }
  const fill = { action: 'fill', selector: 'label=E-mail', value: '{{who}}' } as const
  const enter = { action: 'press', selector: 'label=E-mail', value: 'Enter' } as const
  const reading = await look(
    `${shop.url}/`,
    [fill, enter, { action: 'expect', value: 'Welcome' }],
    {
      variables,
    },
  )
  t.equal(reading.result, 'good')
  t.notMatch(JSON.stringify(found(reading)), /s3cret/, 'what was written is masked')
  t.match(found(reading).url, /\/welcome\?who=•+/)
  const elsewhere = await look(
    `http://localhost:${shop.port}/away`,
    [{ action: 'click', selector: 'text=Away' }, fill],
    { variables, timeoutMs: 6_000 },
  )
  t.equal(
    elsewhere.error?.message,
    'action 2, fill “E-mail”: its values may not be sent to 127.0.0.1',
  )
  const secrets = { PIN: { value: '4711-4711', hosts: ['shop.example.com'] } }
  const pin = await look(`${shop.url}/`, [{ ...fill, value: '{{secret.PIN}}' }], { secrets })
  t.match(pin.error?.message, /the secret PIN may not be sent to 127\.0\.0\.1$/)
})

t.test('frames of this and of another site are gone into', { skip }, async (t) => {
  for (const frame of ['title=Same', 'title=Other >> enter-frame >> [name=deep]']) {
    const inside = (selector: string) => `${frame} >> enter-frame >> ${selector}`
    const reading = await look(`${shop.url}/framed`, [
      { action: 'fill', selector: inside('label=Card'), value: '4111' },
      { action: 'click', selector: inside('role=button[name=Pay]') },
      { action: 'expect', selector: inside('#said'), value: '"4111"' },
      { action: 'expectCount', selector: inside('role=listitem'), value: '2' },
      { action: 'wait', selector: inside('text=Three'), value: 'hidden' },
    ])
    t.equal(reading.result, 'good', `${frame}: ${reading.error?.message}`)
  }
  const none = { action: 'click', selector: 'p >> enter-frame >> a' } as const
  const reading = await look(`${shop.url}/framed`, [none], { timeoutMs: 6_000 })
  t.match(reading.error?.message, /^action 1, click “a”: it was not a frame within/)
})

t.test('a file is chosen, with what is in it', { skip }, async (t) => {
  const reading = await look(`${shop.url}/inner`, [
    { action: 'upload', selector: '[type=file]', value: 'a.csv\na,b\n1,2' },
    { action: 'expect', selector: '#said', value: '"a.csv: a,b 1,2"' },
  ])
  t.equal(reading.result, 'good', String(reading.error?.message))
  const upload = { action: 'upload', selector: '#card', value: 'a.csv' } as const
  const none = await look(`${shop.url}/inner`, [upload], { timeoutMs: 5_000 })
  t.match(none.error?.message, /^action 1, upload a\.csv to “#card”: it was not a field for files/)
})

t.test('values go into no frame of another site', { skip }, async (t) => {
  const selector = 'title=Other >> enter-frame >> [name=deep] >> enter-frame >> label=Card'
  const fill = { action: 'fill', selector, value: '{{card}}' } as const
  const fields = { variables: { card: '4111-1111' }, timeoutMs: 8_000 }
  const reading = await look(`${shop.url}/framed`, [fill], fields)
  t.match(reading.error?.message, /its values may not be sent to localhost$/)
  const named = await look(
    `${shop.url}/framed`,
    [{ action: 'open', value: `http://localhost:${shop.port}/framed` }, fill],
    { ...fields, timeoutMs: 20_000 },
  )
  t.equal(named.result, 'good', String(named.error?.message))
  t.notMatch(JSON.stringify(found(named)), /4111/)
})

t.test('a new tab is gone on in, and closed', { skip }, async (t) => {
  const reading = await look(`${shop.url}/framed`, [
    { action: 'click', selector: 'text=Open' },
    { action: 'popup' },
    { action: 'expect', selector: 'h1', value: '"Welcome, Ada of fr"' },
    { action: 'expectUrl', value: '/welcome?who=Ada' },
    { action: 'popup', value: 'close' },
    { action: 'click', selector: 'text=New' },
    { action: 'popup' },
    { action: 'fill', selector: 'label=Card', value: '1' },
    { action: 'expectUrl', value: '"/inner"' },
  ])
  t.equal(reading.result, 'good', String(reading.error?.message))
  t.match(found(reading).url, /\/inner$/)
  const none = await look(`${shop.url}/framed`, [{ action: 'popup' }], { timeoutMs: 5_000 })
  t.match(none.error?.message, /^action 1, go on in the new tab: no new tab opened within/)
})

t.test('browsers take turns, and who waits too long knows nothing', { skip }, async (t) => {
  const slow = look(`${shop.url}/late`, [{ action: 'wait', value: '4000' }])
  const next = look(`${shop.url}/late`)
  const impatient = await look(`${shop.url}/late`, [], { timeoutMs: 2_000 })
  t.match(shape(impatient), ['unknown', 'timeout', /earlier checks with a browser have not ended$/])
  t.equal((await slow).result, 'good')
  t.equal((await next).result, 'good')
})

t.test('a phone is a small window that is touched', { skip }, async (t) => {
  const reading = await look(`${shop.url}/phone`, [{ action: 'expect', value: '390 true phone' }], {
    viewport: 'phone',
  })
  t.equal(reading.result, 'good')
})

t.test('a browser that ends by itself says nothing about the page', { skip }, async (t) => {
  const running = look(`${shop.url}/`, [{ action: 'expect', value: 'Bye' }])
  await until(() => shop.asked.at(-1) === 'GET /')
  for (const pid of browserPids()) process.kill(pid, 'SIGKILL')
  t.match(shape(await running), ['unknown', 'reset', /the browser ended by itself$/])
  const broken = probeWith(['/bin/false'])
  t.match(shape(await broken(`${shop.url}/`)), ['unknown', 'connect', /the browser did not start$/])
  const missing = probeWith(['/nowhere/chromium'])
  t.match(shape(await missing(`${shop.url}/`)), [
    ...['unknown', 'connect', /the browser did not start: there is no such program$/],
  ])
})

t.test('a browser that runs already is used by its address', { skip }, async (t) => {
  const port = await freePort()
  startRunningBrowser(t, { port })
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/json/version`).then(
      (told) => told.json(),
      () => undefined,
    )
  const { webSocketDebuggerUrl = '' } = (await until(answers)) as Record<string, string>
  for (const place of [`http://127.0.0.1:${port}`, webSocketDebuggerUrl]) {
    const reading = await probeWith([place])(`${shop.url}/`)
    t.match(reading, { result: 'good' }, place)
  }
  const flood = await probeWith([webSocketDebuggerUrl])(`${shop.url}/flood`)
  t.equal(flood.result, 'good')
  const gone = await probeWith([`http://127.0.0.1:${await freePort()}`])(`${shop.url}/`)
  t.match(shape(gone), [...['unknown', 'connect', /it could not be reached$/]])
})

t.test('what a page loads obeys the egress policy', { skip }, async (t) => {
  const closed = await startShop(t, { '/': 'secret' })
  const closed6 = await startShop(t, { '/': 'secret' }, '::1')
  const packets: string[] = []
  const udp = createSocket('udp4', () => packets.push('STUN'))
  t.after(() => udp.close())
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
  const at = (host: string) => `http://${host}:${closed.port}/`
  const hostile = `<!doctype html><title>Hostile</title><script>
    const all = ${JSON.stringify([at('127.0.0.1'), at('localhost'), at('rebound.example'), `${closed6.url}/`])}
    for (const url of [...all, 'http://169.254.169.254/latest/', '/redirect']) {
      fetch(url, { mode: 'no-cors' }).catch(() => {})
      navigator.sendBeacon(url)
      new Image().src = url
      document.documentElement.append(Object.assign(document.createElement('iframe'), { src: url }))
      try { new WebSocket(url.replace('http', 'ws')) } catch {}
    }
    new Worker(URL.createObjectURL(new Blob(['fetch("${at('127.0.0.1')}", { mode: "no-cors" })'])))
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp.address().port}' }] })
    peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
    try { location.href = 'file:///etc/passwd' } catch {}
    for (let i = 0; i < 20; i++) open(all[i % all.length])
    open('/popup')
    setTimeout(() => { document.title = 'Tried' }, 1500)</script><p>Here`
  const allowed = await startShop(
    t,
    {
      '/': hostile,
      '/popup': `<script>fetch('${at('127.0.0.1')}', { mode: 'no-cors' }).catch(() => {})
        open('${at('localhost')}')</script>`,
      '/redirect': (told) => {
        told.writeHead(302, { location: at('127.0.0.1') }).end()
      },
    },
    '127.0.0.2',
  )
  const resolver = resolverThat(async (host) => ({
    addresses: [host === 'rebound.example' ? '127.0.0.1' : '127.0.0.2'],
  }))
  const rules = {
    targets: 'public',
    allow: ['127.0.0.2'],
    machine: { ...openMachine, browsers },
  } as const
  const guarded = browser.open({ guard: createGuard(rules), resolver, clock }).probe
  const target = makeTarget({ checkType: 'browser', url: `${allowed.url}/`, timeoutMs: 15_000 })
  const actions = [{ action: 'wait', selector: null, value: '2000' }] as const
  const reading = await guarded({ ...target, actions }, { clock, keepsAnswer: true })
  t.match(found(reading), { title: 'Tried', url: `${allowed.url}/` })
  t.ok(allowed.asked.includes('GET /redirect'), 'what is allowed is loaded')
  t.same([...closed.asked, ...closed6.asked, ...packets], [], 'nothing else is reached')
  t.ok((found(reading).refused as string[]).includes('169.254.169.254:80'))
  const straight = await guarded({ ...target, url: at('127.0.0.1') }, { clock })
  t.match(shape(straight), ['failed', 'blocked', /the URL leads to a loopback address/])
})

const own = `stillup-browser-${process.pid}-`
const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(own))

t.test('what a browser left whose check was cut off goes with the next check', async (t) => {
  const ended = spawnSync('/bin/true').pid
  const left = { ended: String(ended), running: String(process.pid), starting: undefined }
  for (const [name, leader] of Object.entries(left)) {
    const dir = join(tmpdir(), `${own}${name}`)
    t.teardown(() => rmSync(dir, { recursive: true, force: true }))
    mkdirSync(join(dir, 'home'), { recursive: true })
    if (leader !== undefined) writeFileSync(join(dir, 'leader'), leader)
  }
  await probeWith(['/nowhere/chromium'])(`${shop.url}/`)
  await until(() => !folders().includes(`${own}ended`))
  const kept = folders().filter((name) => /-(running|starting)$/.test(name))
  t.equal(kept.length, 2, 'a browser that runs keeps its own')
  const tooLong = probeWith([`/bin/true ${'x'.repeat(200_000)}`])
  t.match(shape(await tooLong(`${shop.url}/`)), ['unknown', 'connect', /could not be started$/])
})

t.test('a failure tells what the page loaded', { skip }, async (t) => {
  const reading = await look(
    `${shop.url}/parts`,
    [
      { action: 'wait', value: '500' },
      { action: 'expect', selector: 'h1' },
    ],
    { variables: { key: 't0p-s3cret' }, timeoutMs: 6_000 },
  )
  const { requests = [] } = reading.evidence ?? {}
  const told = requests.map(({ url, type, status, errorText }) =>
    [new URL(url).pathname, type, status ?? errorText].join(' '),
  )
  for (const one of [
    '/parts Document 200',
    '/gone Image 404',
    '/pixel Image net::ERR_UNSAFE_PORT',
    '/moved Script 302',
    '/there Script 200',
  ]) {
    t.ok(told.includes(one), `${one}: ${told.join(', ')}`)
  }
  t.match(requests[0], { method: 'GET', startMs: 0, durationMs: Number, bytes: Number })
  t.notMatch(JSON.stringify(reading), /t0p-s3cret/)
})

t.test('nothing of a check is left', { skip }, async (t) => {
  await until(() => folders().length === 0 && browserPids().length === 0).catch(() => {})
  t.same([folders(), browserPids()], [[], []])
})

/** The browsers of the folders that checks make. */
function browserPids(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return command.includes('--user-data-dir=') &&
        command.includes(`stillup-browser-${process.pid}-`) &&
        !command.includes('--type=')
        ? [Number(name)]
        : []
    } catch {
      return []
    }
  })
}
