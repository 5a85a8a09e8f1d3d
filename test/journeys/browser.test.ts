// A page in a browser, from the API to what is kept of it: in a thread, with a secret of the organization.
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { startProbeProcess } from '../support/probe-program.ts'
import { browserPath } from '../support/programs.ts'
import { startShop } from '../support/shop.ts'
import { patienceMs, until } from '../support/until.ts'

const executable = browserPath()
const skip = executable === undefined && 'not installed: chromium'
/** A check is made each minute, and one of a busy machine may have no result. */
const checksMs = 3 * patienceMs

t.test('a person signs in with a secret, and a failure has a picture', { skip }, async (t) => {
  const env = { AUTH_REGISTRATION: 'first-user', CHECKS_WORKERS: '1' }
  const daemon = await startDaemon(t, { env: { ...env, CHECKS_BROWSERS: executable ?? '' } })
  const { org, key } = await registerWithKey(daemon, 'ann', daemon.setupToken)
  const pin = 'p1n-8JbFzuQ2'
  daemon.secrets.add(pin)
  const shop = await startShop(t, {
    '/': `<title>Sign in</title><form action="/in"><label>PIN <input name="pin"></label>
      <button>Sign in</button></form>`,
    '/in': (told, { url = '' }) => {
      const said = new URL(url, 'http://shop').searchParams.get('pin')
      told.end(`<title>In</title><h1>${said === pin ? 'Welcome' : 'Wrong'}</h1><p>${said}</p>`)
    },
  })
  const ask = (method: string, path: string, json?: object) =>
    daemon.ask(method, `/api/v1${org}${path}`, { key, ...(json && { json }) })
  const need = async (method: string, path: string, json?: object) => {
    const { status, json: said } = await ask(method, path, json)
    t.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(said).slice(0, 300)}`)
    return said.data
  }
  /** The result of a check: one for which the machine had no time has none. */
  const decided = (path: string, json?: object) =>
    until(async () => {
      const checked = await need('POST', path, json)
      return checked.outcome !== 'unknown' && checked
    }, checksMs)
  await need('POST', '/secrets', { name: 'PIN', value: pin, hosts: ['127.0.0.1'] })
  const actions = [
    { action: 'fill', selector: 'label=PIN', value: '{{secret.PIN}}' },
    { action: 'click', selector: 'role=button[name=Sign in]' },
    { action: 'expect', value: 'Welcome' },
  ]
  const monitor = {
    ...{ name: 'Sign in', checkType: 'browser', url: `${shop.url}/`, actions },
    ...{ timeoutMs: 30_000, intervalSeconds: 86_400, failureThreshold: 1 },
    assertions: [{ source: 'json', path: '$.title', type: 'equals', value: 'In' }],
  }
  const wrong = await ask('POST', '/monitors', { ...monitor, actions: [{ action: 'click' }] })
  t.match(wrong.json.errors, [{ pointer: '/actions/0/selector', message: 'is required for click' }])

  const trial = await decided('/monitors/test', monitor)
  t.match(trial, { outcome: 'up', picture: /^\/9j/, found: { title: 'In' } })
  const { id } = await need('POST', '/monitors', monitor)
  const shown = await need('GET', `/monitors/${id}`)
  t.same(shown.actions[1], { action: 'click', selector: 'role=button[name=Sign in]', value: null })
  t.equal(shown.viewport, 'desktop')
  t.match(await decided(`/monitors/${id}`), { outcome: 'up' })

  await need('PATCH', `/monitors/${id}`, {
    actions: [...actions, { action: 'expect', value: 'Goodbye' }],
    timeoutMs: 15_000,
  })
  t.match(await decided(`/monitors/${id}`), {
    outcome: 'down',
    error: { message: /^action 4, expect “Goodbye”: the text did not appear within/ },
  })
  const latest = await need('GET', `/monitors/${id}/checks/latest`)
  t.match(latest.failure, { picture: /^\/9j/ })
  const [incident] = await need('GET', '/incidents')
  t.notMatch(JSON.stringify(await need('GET', `/incidents/${incident.id}`)), /"picture"/)
})

t.test('no browser is used that the operator did not list', async (t) => {
  const daemon = await startDaemon(t, { env: { AUTH_REGISTRATION: 'first-user' } })
  const { org, key } = await registerWithKey(daemon, 'ann', daemon.setupToken)
  const json = { name: 'A', checkType: 'browser', url: 'https://127.0.0.1/' }
  const refused = await daemon.ask('POST', `/api/v1${org}/monitors`, { key, json })
  t.match(refused.json, { status: 422, detail: /a browser of this machine, .* checks\.browsers/ })
})

t.test('a probe elsewhere has a browser of its own, and sends the picture', { skip }, async (t) => {
  const daemon = await startDaemon(t)
  const { org, key, cookie } = await registerWithKey(daemon)
  const value = 'pr0be-4711-pin'
  daemon.secrets.add(value)
  const shop = await startShop(t, {
    '/': `<label>PIN <input></label><p id=x></p><script>document.querySelector('input').oninput =
      (event) => { x.textContent = event.target.value.length + ' letters' }</script>`,
  })
  const json = { name: 'Oslo' }
  const location = await daemon.need('POST', `${org}/locations`, { cookie, json })
  const probes = `${org}/locations/${location.id}/probes`
  const made = await daemon.need('POST', probes, { cookie, json })
  daemon.secrets.add(made.token)
  const own = { STILLUP_CHECKS_ALLOW: '127.0.0.1', STILLUP_CHECKS_BROWSERS: executable ?? '' }
  // What pages at private addresses look like is not sent otherwise.
  const keeps = { STILLUP_CHECKS_KEEP_PRIVATE_ANSWERS: 'always' }
  startProbeProcess(t, made.token, ['--server', daemon.url], { ...own, ...keeps })
  const actions = [
    { action: 'fill', selector: 'label=PIN', value: '{{pin}}' },
    { action: 'expect', value: '14 letters' },
    { action: 'expect', value: 'Goodbye' },
  ]
  const { id } = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: {
      ...{
        name: 'Shop',
        checkType: 'browser',
        url: `${shop.url}/`,
        actions,
        variables: { pin: value },
      },
      ...{ intervalSeconds: 60, timeoutMs: 20_000, failureThreshold: 1, locations: [location.id] },
    },
  })
  const place = `${org}/monitors/${id}/checks/latest?location=${location.id}`
  const { failure } = await until(async () => {
    const latest = await daemon.need('GET', place, { key })
    return latest.failure ? latest : undefined
  }, checksMs)
  t.match(failure, {
    error: { message: /^action 3, expect “Goodbye”: the text did not appear within/ },
    picture: /^\/9j/,
  })
})
