// One exchange within its bounds: bodies without an end, bombs, headers that come twice.
import t from 'tap'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openClock, openProbe } from '../../support/open-probe.ts'
import { endless, gzipBomb, raw, type Script, startTarget } from '../../support/target.ts'

const clock = openClock(t)
const probeEndpoint = openProbe(t, clock)
const okHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'

const target = await startTarget()
t.after(() => target.close())

async function check(script: Script, fields: TargetFields = {}) {
  target.script = script
  return probeEndpoint(makeTarget({ url: `${target.url}/`, ...fields }), { clock })
}

t.test('duplicate headers do not confuse anything', async (t) => {
  const head = `${okHead}content-type: application/json\r\ncontent-encoding: identity\r\n`
  const script = raw(`${head}content-encoding: identity\r\ncontent-length: 2\r\n\r\n42`)
  const expect = { responseAssertionType: 'equals', responseAssertionValue: '42' } as const
  t.match(await check(script, { expect }), { result: 'good' })
  const failed = await check(script, { expect: { ...expect, expectedStatus: 500 } })
  t.equal(failed.evidence?.body, '42')
})

t.test('an endless body is read up to 1 MiB, a failure only where it is needed', async (t) => {
  t.match(await check(endless), { result: 'good' })
  const needed = await check(endless, { expect: { bodyContains: 'x' } })
  t.match(needed, { result: 'failed', error: { kind: 'body_too_large' } })
})

t.test('a compressed bomb is cut, not inflated', async (t) => {
  const script = gzipBomb()
  t.match(await check(script), { result: 'good' })
  const before = process.memoryUsage().rss
  const reading = await check(script, { expect: { bodyContains: 'x' } })
  t.match(reading, { result: 'failed', error: { kind: 'body_too_large' } })
  t.ok(process.memoryUsage().rss - before < 20_000_000, 'memory stays')
})

t.test('some interim responses are skipped, too many are an error', async (t) => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'
  const final = `${okHead}content-length: 2\r\n\r\nok`
  t.match(await check(raw(interim.repeat(9) + final)), { result: 'good', status: 200 })
  const { error } = await check(raw(interim.repeat(150) + final))
  t.match(error, { kind: 'invalid_response', message: /nothing but interim/ })
})
