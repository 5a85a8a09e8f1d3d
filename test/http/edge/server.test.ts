// The listener's life: a port for itself alone, and an end that lets running requests finish.

import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { exitCodes } from '../../../src/base/exit.ts'
import { type EdgeRegistration, listen } from '../../../src/http/edge/server.ts'
import { startTestHttp } from '../../support/http.ts'
import { notesApi } from '../../support/http-routes.ts'

const hang = 'GET /api/v1/misc/hang HTTP/1.1\r\nHost: x\r\n\r\n'

async function untilHanging(world: { release: () => void }, idle: () => void): Promise<void> {
  for (let tries = 0; tries < 200 && world.release === idle; tries += 1) await sleep(5)
}

t.test('a second server on the same port is refused, with the exit code for it', async (t) => {
  const first = await startTestHttp()
  t.teardown(() => first.stop())
  const second = startTestHttp({ settings: { port: first.port } })
  await t.rejects(second, { name: 'StartFailure', exitCode: exitCodes.io })
})

t.test('the port is free again after the end', async (t) => {
  const first = await startTestHttp()
  await first.stop()
  const second = await startTestHttp({ settings: { port: first.port } })
  t.equal(second.port, first.port)
  await second.stop()
})

t.test('draining lets a running request finish and takes no new one', async (t) => {
  const idle = () => {}
  const world = { made: 0, aborted: 0, release: idle }
  const http = await startTestHttp({ routes: notesApi(world) })
  const kept = connect(http.port, '127.0.0.1')
  await once(kept, 'connect')
  const running = fetch(http.url('/api/v1/misc/hang'))
  await untilHanging(world, idle)
  const drained = http.drain(5_000)
  const refused = once(kept, 'data')
  kept.write('POST /api/v1/misc/open HTTP/1.1\r\nHost: x\r\n\r\n')
  t.match(String((await refused)[0]), /^HTTP\/1\.1 503 [\s\S]*Retry-After[\s\S]*shutting_down/)
  await t.rejects(fetch(http.url('/healthz')), 'new connections are refused')
  world.release()
  t.equal((await running).status, 200)
  await drained
  await http.stop()
})

t.test('draining cuts what does not end by its deadline', async (t) => {
  const idle = () => {}
  const world = { made: 0, aborted: 0, release: idle }
  const http = await startTestHttp({ routes: notesApi(world) })
  const socket = connect(http.port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(hang)
  await untilHanging(world, idle)
  const closed = once(socket, 'close')
  await http.drain(20)
  await closed
  t.equal(world.aborted, 1)
  world.release()
  await http.stop()
})

t.test('connections over the bound are cut, those below it are served', async (t) => {
  const answer: EdgeRegistration = {
    method: 'get',
    pattern: '/*',
    handle: (res) => void res.end('ok'),
  }
  let refused = 0
  const onRefused = () => {
    refused += 1
  }
  const server = await listen('127.0.0.1', 0, [answer], { connectionsMax: 2, onRefused })
  t.teardown(() => server.close())
  const open = () => connect(server.port, '127.0.0.1').on('error', () => {})
  const [one, two] = [open(), open()]
  await Promise.all([once(one, 'connect'), once(two, 'connect')])
  one.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(one, 'data')
  const three = open()
  await once(three, 'close')
  two.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(two, 'data')
  t.equal(server.connections(), 2)
  t.equal(refused, 1)
  one.destroy()
  two.destroy()
})
