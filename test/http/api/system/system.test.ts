// What the operator is told of the whole, and what the system token opens.
import t from 'tap'
import { apiRoutes } from '../../../../src/http/api/api.ts'
import { register } from '../../../support/cast.ts'
import { startDaemon } from '../../../support/daemon.ts'

const token = 'the-token-of-the-operator'
const daemon = await startDaemon(t, { env: { SYSTEM_TOKEN: token } })
const admin = await register(daemon, 'alice', daemon.setupToken)
const other = await register(daemon, 'bob')
const operator = { bearer: token }
const api = (path: string) => `/api/v1/system${path}`

t.test('the operator sees how the service stands, by token or in person', async (t) => {
  await daemon.need('POST', `${other.org}/monitors`, {
    cookie: other.cookie,
    json: { name: 'Job', checkType: 'push' },
  })
  for (const credential of [operator, { cookie: admin.cookie }]) {
    const info = await daemon.need('GET', '/system/info', credential)
    t.match(info, {
      version: '0.0.0',
      nodeVersion: process.version,
      registration: 'open',
      mail: 'files',
      isMasterKeyBesideData: true,
      owed: { deliveries: 0 },
      counts: { users: 2, organizations: 2, monitors: 1, channels: 0 },
    })
    t.ok(info.data.bytes > 10_000 && info.data.diskFreeBytes > 0)
    t.ok(info.data.diskTotalBytes >= info.data.diskFreeBytes)
    t.ok(Date.parse(info.startedAt) <= Date.now())
  }
  t.equal((await daemon.ask('GET', api('/info'), { cookie: other.cookie })).status, 403)
})

t.test('the system token opens the system routes, and nothing else', async (t) => {
  const doors = new Map<string, number>()
  for (const { name, method, path, spec } of apiRoutes) {
    const filled = path
      .replace(':orgId', other.orgId)
      .replace(/:(\w+)/g, (_whole, param: string) => `no-${param}`)
    const { status } = await daemon.ask(method, filled, operator)
    if (
      'system' in spec.who ||
      'public' in spec.who ||
      'optional' in spec.who ||
      'visitor' in spec.who
    ) {
      doors.set(name, status)
      continue
    }
    t.ok([401, 403, 404].includes(status), `${name}: ${status}`)
  }
  for (const name of ['system.info', 'system.errors', 'system.tasks', 'system.auditLog']) {
    t.equal(doors.get(name), 200, name)
  }
})

t.test('only the whole token counts, and only as a bearer', async (t) => {
  const wrong = [
    ...[token.slice(0, -1), `${token}x`, token.toUpperCase(), `x${token.slice(1)}`].map(
      (bearer) => ({ bearer }),
    ),
    ...[{ key: token }, { cookie: token }],
  ]
  for (const credential of wrong) {
    const { status } = await daemon.ask('GET', api('/info'), credential)
    t.equal(status, 401, JSON.stringify(credential))
  }
  const { status } = await daemon.ask('GET', api('/info'))
  t.equal(status, 401, 'being on the same machine is no credential')
})
