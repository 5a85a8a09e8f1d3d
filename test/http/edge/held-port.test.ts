// A port of the system's choice, held until somebody listens on it.
import { createServer } from 'node:net'
import t from 'tap'
import { exitCodes } from '../../../src/base/exit.ts'
import { holdPort } from '../../../src/http/edge/held-port.ts'
import { startTestHttp } from '../../support/http.ts'

function listenOn(port: number) {
  const server = createServer()
  return new Promise<typeof server>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server))
  })
}

t.test('nobody else gets a port that is held, and then who asks in the same turn', async (t) => {
  const { port, release } = await holdPort('127.0.0.1')
  t.ok(port > 0 && port < 65_536)
  await t.rejects(listenOn(port), { code: 'EADDRINUSE' })
  release()
  const taken = listenOn(port)
  release()
  const server = await taken
  await new Promise((resolve) => server.close(resolve))
})

t.test('the daemon takes the port that was held for it, and only then', async (t) => {
  const { port, release } = await holdPort('127.0.0.1')
  const tooEarly = startTestHttp({ settings: { port } })
  await t.rejects(tooEarly, { name: 'StartFailure', exitCode: exitCodes.io })
  const http = await startTestHttp({ settings: { port, releasePort: release } })
  t.equal(http.port, port)
  t.equal((await fetch(http.url('/healthz'))).status, 200)
  await http.stop()
})

t.test('a host that is not of this machine is refused', async (t) => {
  await t.rejects(holdPort('192.0.2.1'), { code: 'EADDRNOTAVAIL' })
})
