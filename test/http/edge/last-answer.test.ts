// Answers without a body: of very many in a few seconds one is the last of its connection, and none
// is lost.
import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createProxyTrust } from '../../../src/http/edge/address.ts'
import type { Endpoint } from '../../../src/http/edge/exchange.ts'
import { exchangeHandler } from '../../../src/http/edge/handler.ts'
import { bodilessAnswers, lastAnswerMs } from '../../../src/http/edge/last-answer.ts'
import { listen } from '../../../src/http/edge/server.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { until } from '../../support/until.ts'

async function startEdge(t: Test) {
  const clock = new FakeClock()
  const hooks = {
    clock,
    trust: createProxyTrust([]),
    onStart() {},
    onDone() {},
    explain: () => ({ status: 500, head: '' }),
    onLate() {},
  }
  const endpoint: Endpoint<void> = {
    name: 'test',
    paramCount: 0,
    headers: [],
    bodyBytesMax: 0,
    deadlineMs: 30_000,
    admit() {},
    run: ({ path }) =>
      path === '/none'
        ? { status: 204, head: 'text/plain\r\nETag: "a"' }
        : { status: 200, head: 'text/plain\r\nETag: "a"', body: 'grüezi' },
  }
  const handle = exchangeHandler(endpoint, hooks)
  const { connectionsMax } = limits
  const server = await listen('127.0.0.1', 0, [{ method: 'any', pattern: '/*', handle }], {
    connectionsMax,
  })
  t.teardown(() => server.close())

  /** Asks on one connection until the last answer, and gives all of them and the open connection. */
  async function askUntilLast(line: string) {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    t.teardown(() => socket.destroy())
    const answers: string[] = []
    while (!/^Connection: close\r$/m.test(answers.at(-1) ?? '')) {
      socket.write(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`)
      answers.push(String((await once(socket, 'data'))[0]))
    }
    return { socket, answers, last: answers.at(-1) ?? '' }
  }
  return { clock, server, askUntilLast }
}

const { quota, windowSeconds } = bodilessAnswers

t.test('at an ordinary pace every connection stays open', async (t) => {
  const { clock, server } = await startEdge(t)
  const socket = connect(server.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  for (let count = 0; count < 3 * quota; count += 1) {
    if (count % (quota - 1) === 0) await clock.advance(windowSeconds * 1_000)
    socket.write('HEAD / HTTP/1.1\r\nHost: x\r\n\r\n')
    t.notMatch(String((await once(socket, 'data'))[0]), /close/)
  }
})

const headers = (answer: string) =>
  answer.split('\r\n').filter((line) => !/^(Date|uWebSockets|Connection):/.test(line))

for (const [line, length] of [
  ['HEAD /', 'Content-Length: 7'],
  ['GET /none', ''],
] as const) {
  t.test(`the last answer to ${line} says what the others say`, async (t) => {
    const { askUntilLast } = await startEdge(t)
    const series = await askUntilLast(line)
    t.equal(series.answers.length, quota)
    for (const answer of series.answers) t.same(headers(answer), headers(series.answers[0] ?? ''))
    t.match(series.last, /^HTTP\/1\.1 20[04] [\s\S]*\r\nDate: [^\r]+ GMT\r\n[\s\S]*\r\n$/)
    t.equal(/Content-Length: \d+/.exec(series.last)?.[0] ?? '', length)
  })
}

t.test('a request after the last answer is cut off', async (t) => {
  const { askUntilLast, server } = await startEdge(t)
  const { socket } = await askUntilLast('HEAD /')
  socket.write('HEAD / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'close')
  await until(() => server.connections() === 0)
})

t.test('a caller that does not close after it is closed after a while', async (t) => {
  const { askUntilLast, clock, server } = await startEdge(t)
  const { socket } = await askUntilLast('GET /none')
  t.equal(clock.pending, 1)
  await clock.advance(lastAnswerMs - 1)
  t.equal(server.connections(), 1)
  const closed = once(socket, 'close')
  await clock.advance(1)
  await closed
  t.equal(clock.pending, 0)
})

t.test('a caller that closes after it leaves nothing behind', async (t) => {
  const { askUntilLast, clock, server } = await startEdge(t)
  const { socket } = await askUntilLast('HEAD /')
  socket.destroy()
  await until(() => server.connections() === 0)
  t.equal(clock.pending, 0)
})
