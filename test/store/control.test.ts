// The control socket on its own: rights, and what happens when the other side leaves.
import { lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { askControl, NotListening, serveControl } from '../../src/store/control.ts'
import { testFolder } from '../support/test-folder.ts'

t.test('only the owner can open the socket', async (t) => {
  const dir = testFolder(t)
  const server = await serveControl(dir, 'a.sock', () => 1)
  t.equal(lstatSync(join(dir, 'a.sock')).mode & 0o077, 0)
  t.equal(await askControl(dir, 'a.sock', { verb: 'x' }), 1)
  await server.close()
  await t.rejects(askControl(dir, 'a.sock', { verb: 'x' }), NotListening)
})

t.test('a daemon that hangs up or does not answer is an error, not silence', async (t) => {
  // A short path, because these sockets are opened without our help.
  const dir = mkdtempSync(join(tmpdir(), 'stillup-'))
  const rude = createServer((socket) => socket.end()).listen(join(dir, 'rude.sock'))
  const mute = createServer((socket) => socket.resume()).listen(join(dir, 'mute.sock'))
  t.teardown(() => {
    rude.close()
    mute.close()
    rmSync(dir, { recursive: true, force: true })
  })
  await t.rejects(askControl(dir, 'rude.sock', { verb: 'x' }), /hung up|EPIPE/)
  await t.rejects(askControl(dir, 'mute.sock', { verb: 'x' }), /does not answer/)
})

t.test('closing ends open requests', async (t) => {
  const dir = testFolder(t)
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const server = await serveControl(dir, 'a.sock', () => {
    arrive()
    return new Promise(() => {})
  })
  const asked = askControl(dir, 'a.sock', { verb: 'x' })
  const refused = t.rejects(asked, /hung up|no daemon/)
  await arrived
  await server.close()
  await refused
})
