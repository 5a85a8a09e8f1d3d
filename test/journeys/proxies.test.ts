// Proxies of the operator's list, on the whole daemon and at a probe with settings of its own.
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startProxy } from '../support/connect-proxy.ts'
import { startDaemon } from '../support/daemon.ts'
import { startProbeProcess } from '../support/probe-program.ts'
import { answer, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const withLogin = (url: string) => url.replace('//', '//ada:pr0xy-pass@')

t.test('monitors go through the proxies that the operator lists, wherever they are', async (t) => {
  const web = await startTarget(answer())
  t.after(() => web.close())
  const [here, there] = [await startProxy(t), await startProxy(t)]
  const proxies = { office: withLogin(here.url) }
  const env = { AUTH_REGISTRATION: 'first-user', CHECKS_PROXIES: JSON.stringify(proxies) }
  const daemon = await startDaemon(t, { env })
  const { org, cookie } = await registerWithKey(daemon, 'ada', daemon.setupToken)
  const url = `http://127.0.0.1:${web.port}/`
  const fields = { name: 'Partner', url, proxy: 'office', failureThreshold: 1 }
  const shown = await daemon.need('GET', org, { cookie })
  t.same(shown.proxies, ['office'], 'people see which there are, and not where')
  t.notMatch(JSON.stringify(shown), /pr0xy-pass|127\.0\.0\.1/)
  const create = (json: object) => daemon.ask('POST', `/api/v1${org}/monitors`, { cookie, json })
  const look = (id: string) => daemon.need('GET', `${org}/monitors/${id}`, { cookie })

  t.match(await create({ ...fields, proxy: 'tor' }), {
    status: 422,
    json: {
      code: 'target_not_allowed',
      detail: /^proxy is no proxy that .* checks\.proxies and checks\.proxyOrgs$/,
    },
  })
  const made = await daemon.need('POST', `${org}/monitors`, { cookie, json: fields })
  t.match(made, { proxy: 'office', connectTo: null })
  const path = `${org}/monitors/${made.id}`
  t.match(await daemon.need('POST', path, { cookie }), { outcome: 'up' })
  t.ok(here.asked.includes(`127.0.0.1:${web.port}`))
  const led = { url: 'http://partner.test/', connectTo: `127.0.0.1:${web.port}` }
  await daemon.need('PATCH', path, { cookie, json: led })
  t.match(await daemon.need('POST', path, { cookie }), { outcome: 'up' })
  t.equal(web.calls.at(-1)?.headers.host, 'partner.test')

  const location = await daemon.need('POST', `${org}/locations`, { cookie, json: { name: 'Oslo' } })
  const probes = `${org}/locations/${location.id}/probes`
  const probe = await daemon.need('POST', probes, { cookie, json: { name: 'oslo-1' } })
  daemon.secrets.add(probe.token)
  startProbeProcess(t, probe.token, ['--server', daemon.url], {
    STILLUP_CHECKS_ALLOW: '127.0.0.0/8',
    STILLUP_CHECKS_PROXIES: JSON.stringify({ tor: there.url }),
  })
  const elsewhere = { ...fields, locations: [location.id], intervalSeconds: 10 }
  const far = await daemon.need('POST', `${org}/monitors`, {
    cookie,
    json: { ...elsewhere, proxy: 'tor' },
  })
  await until(async () => (await look(far.id)).state === 'up')
  t.ok(there.asked.includes(`127.0.0.1:${web.port}`))
  const lacking = await daemon.need('POST', `${org}/monitors`, { cookie, json: elsewhere })
  const places = `${org}/monitors/${lacking.id}/locations`
  const placeOf = async () => (await daemon.need('GET', places, { cookie })).places[0]
  await until(async () => (await placeOf()).error !== null)
  t.match(await placeOf(), { error: { message: /there is no proxy office here/ } })
})
