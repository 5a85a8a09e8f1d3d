// A free port, asked of the system before anything listens there.
import { createServer } from 'node:net'
import t from 'tap'
import { freePort } from '../../../src/http/edge/server.ts'

t.test('the port is free when it is given', async (t) => {
  const port = await freePort('127.0.0.1')
  t.ok(port > 0 && port < 65_536)
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  t.pass('it can be listened on')
  await new Promise((resolve) => server.close(resolve))
})

t.test('a host that is not of this machine is refused', async (t) => {
  await t.rejects(freePort('192.0.2.1'), { code: 'EADDRNOTAVAIL' })
})
