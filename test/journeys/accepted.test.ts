// A part of an answer that must not change: accepted, changed, accepted anew, by the API alone.
import t from 'tap'
import { register } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { answerJson, startTarget } from '../support/target.ts'

t.test('a monitor is down until what changed is accepted', async (t) => {
  const web = await startTarget(answerJson({ version: '1.2.3', uptime: 1 }))
  t.after(() => web.close())
  // With one organization, the answers of private addresses are shown.
  const daemon = await startDaemon(t, { env: { AUTH_REGISTRATION: 'first-user' } })
  const { org, cookie } = await register(daemon, 'ada', daemon.setupToken)
  const assertions = [
    { source: 'status', type: 'equals', value: '200' },
    { source: 'json', path: '$.version', type: 'unchanged' },
  ]
  const fields = { name: 'Version', url: `${web.url}/`, failureThreshold: 1, recoveryThreshold: 1 }
  const json = { ...fields, assertions }
  const { id } = await daemon.need('POST', `${org}/monitors`, { cookie, json })
  const check = () => daemon.need('POST', `${org}/monitors/${id}`, { cookie })
  const accept = async (value: string) => {
    const changed = assertions.map((one) => (one.type === 'unchanged' ? { ...one, value } : one))
    await daemon.need('PATCH', `${org}/monitors/${id}`, { cookie, json: { assertions: changed } })
  }
  const first = await check()
  t.match(first, { outcome: 'down', error: { message: 'expected $.version to be accepted' } })
  const [failed] = first.failure.failedAssertions
  t.match(failed, { found: /^[\w-]{22} 1\.2\.3$/, assertion: 1 })
  await accept(failed.found)
  t.match(await check(), { outcome: 'up' })
  web.script = answerJson({ version: '1.3.0', uptime: 2 })
  const changed = await check()
  t.match(changed, {
    outcome: 'down',
    error: { message: 'expected $.version to be as accepted, beginning with "1.2.3"' },
    failure: { failedAssertions: [{ found: /^[\w-]{22} 1\.3\.0$/, assertion: 1 }] },
  })
  const { failure } = await daemon.need('GET', `${org}/monitors/${id}/checks/latest`, { cookie })
  t.same(failure.failedAssertions, changed.failure.failedAssertions, 'it is kept with the incident')
  await accept(failure.failedAssertions[0].found)
  t.match(await check(), { outcome: 'up' })
  const wrong = await daemon.ask('PATCH', `/api/v1${org}/monitors/${id}`, {
    cookie,
    json: { assertions: [{ ...assertions[1], value: '1.3.0' }] },
  })
  t.equal(wrong.status, 422)
})
