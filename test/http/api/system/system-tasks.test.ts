// The periodic tasks over the API: how each stands, and one of them now.
import t from 'tap'
import { startDaemon } from '../../../support/daemon.ts'

const token = 'the-token-of-the-operator'
const daemon = await startDaemon(t, { env: { SYSTEM_TOKEN: token } })
const operator = { bearer: token }
const api = (path: string) => `/api/v1/system${path}`

t.test('every task is listed, and runs on request', async (t) => {
  const tasks: { name: string }[] = await daemon.need('GET', '/system/tasks', operator)
  const names = tasks.map(({ name }) => name)
  for (const name of ['retention', 'audit', 'outbox', 'credentials', 'identity', 'referrals']) {
    t.ok(names.includes(name), name)
    const ran = await daemon.ask('POST', api(`/tasks/${name}/run`), operator)
    t.match(ran.json, { message: 'Task ended', data: { name, lastOutcome: 'done' } })
    t.match(ran.json.data, { isRunning: false, lastStartedAt: /Z$/, nextRunAt: /Z$/ })
  }
  const unknown = await daemon.ask('POST', api('/tasks/nothing/run'), operator)
  t.match([unknown.status, unknown.json.code], [404, 'not_found'])
  const first = await daemon.ask('GET', api('/tasks?limit=2'), operator)
  const next = await daemon.ask('GET', api(`/tasks?cursor=${first.json.meta.nextCursor}`), operator)
  const paged = [...first.json.data, ...next.json.data].map(({ name }: { name: string }) => name)
  t.same(paged, names)
  const [noted] = await daemon.need('GET', '/system/audit-log?action=task.started', operator)
  t.match(noted, { actor: { kind: 'system' }, detail: 'referrals' })
  t.match(
    daemon.lines.find((line) => line.includes('audit heads')),
    /"scopes":\d+,"combined":"[\w-]{43}","system":{"sequence":\d+,"hash":"[\w-]{43}"}/,
  )
})
