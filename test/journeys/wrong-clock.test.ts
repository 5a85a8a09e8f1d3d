// A machine whose clock is five years behind: every certificate looks not yet valid, which is nobody's
// outage. One notice says so, and one that it is over.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { password, registerWithKey } from '../support/cast.ts'
import { chainIntermediate, chainRoot, chains } from '../support/chain-certificates.ts'
import { type DaemonProcess, startProcess } from '../support/daemon-process.ts'
import { believing } from '../support/probe-program.ts'
import { skipWithout } from '../support/programs.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { startTarget } from '../support/target.ts'
import { testFolder } from '../support/test-folder.ts'
import { startTlsTarget } from '../support/tls-target.ts'
import { until } from '../support/until.ts'

const setupToken = 'a-setup-token-of-the-tests'
const { leaf } = chains
const certified = { key: leaf.key, cert: leaf.cert + chainIntermediate }

t.test(
  'a clock that is years behind is no outage of any target',
  {
    skip: skipWithout('faketime'),
  },
  async (t) => {
    const web = await startTarget(undefined, { tls: certified })
    const receiver = await startReceiver()
    t.teardown(() => Promise.all([web.close(), receiver.close()]))
    const bare = await startTlsTarget(t, certified)
    const cwd = testFolder(t)
    const authorities = join(cwd, 'authorities.pem')
    writeFileSync(authorities, chainRoot)
    const env = {
      STILLUP_AUTH_SETUP_TOKEN: setupToken,
      STILLUP_HTTP_RATE_API_PER_MINUTE: '0',
      NODE_EXTRA_CA_CERTS: authorities,
    }
    const early = startProcess(t, cwd, { ...env, ...believing('-5y') })
    await early.ready()
    const { org, key, cookie } = await registerWithKey(early, 'alice', setupToken)
    const config = { url: receiver.url }
    const channel = { name: 'Desk', type: 'webhook', isDefault: true, config }
    const { id } = await early.need('POST', `${org}/alert-channels`, { key, json: channel })
    await early.need('PUT', '/system/notices', { cookie, json: { channelIds: [id] } })
    const monitors = Array.from({ length: 20 }, (_, at) => ({
      name: `Target ${at}`,
      checkType: at % 2 === 0 ? 'endpoint' : 'ssl',
      url: `https://localhost:${at % 2 === 0 ? web.port : bare}/`,
      intervalSeconds: 20,
      retryIntervalSeconds: 20,
      failureThreshold: 1,
    }))
    await early.need('POST', `${org}/monitors/bulk`, { key, json: { monitors } })
    const made: { id: string }[] = await early.need('GET', `${org}/monitors?limit=100`, { key })
    // By themselves they are checked within the first 20 s, one after the other.
    const checkAll = (daemon: DaemonProcess, credential: { key?: string; cookie?: string }) =>
      Promise.all(made.map(({ id }) => daemon.need('POST', `${org}/monitors/${id}`, credential)))
    await checkAll(early, { key })
    type Shown = {
      state: string
      lastError: { message: string } | null
      lastCheckedAt: string | null
    }
    const shown = (): Promise<Shown[]> => early.need('GET', `${org}/monitors?limit=100`, { key })
    await until(async () => (await shown()).every(({ lastError }) => lastError !== null))
    for (const { lastError } of await shown()) {
      t.match(lastError?.message, /the clock of this machine is behind/)
    }
    t.same(await early.need('GET', `${org}/incidents`, { key }), [], 'no incident')
    const [told] = await receiver.received(1)
    t.match(bodyOf(told), {
      type: 'system.notice',
      data: { notice: { kind: 'clock', isOver: false, text: /a time that has certainly passed/ } },
    })
    t.match(early.err, /the clock of this machine is behind: checks over TLS are unknown/)
    await early.stop('SIGTERM')

    const again = startProcess(t, cwd, { ...env, ...believing('-5y') })
    await again.ready()
    await checkAll(again, { key })
    t.ok(web.accepted >= 20, 'twice each of those that are asked by HTTP')
    await again.stop('SIGTERM')
    t.equal(receiver.requests.length, 1, 'a restart does not tell it again')

    const right = startProcess(t, cwd, env)
    await right.ready()
    const notices = () =>
      receiver.requests.map(({ body }) => {
        const { kind, isOver } = JSON.parse(body).data.notice
        return `${kind} ${isOver}`
      })
    // By the right clock the session and the key are too old.
    const json = { email: 'alice@example.com', password }
    const { token } = await right.need('POST', '/auth/login', { json })
    const asked = { cookie: token }
    await checkAll(right, asked)
    await until(() => notices().includes('clock true'))
    const up = async () => (await right.need('GET', `${org}/summary`, asked)).monitors.up
    await until(async () => (await up()) === 20, 60_000)
    t.same(await right.need('GET', `${org}/incidents`, asked), [])
    t.equal(notices().filter((one) => one.startsWith('clock')).length, 2)
  },
)
