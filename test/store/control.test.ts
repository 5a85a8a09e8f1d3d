// The control socket on its own: rights, and what happens when the other side leaves.
import { lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import {
  askControl,
  ControlParts,
  ControlRefused,
  NotListening,
  serveControl,
} from '../../src/store/control.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

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

/** A server whose answer comes in parts, and what became of it. */
async function inParts(t: Test, failure?: Error) {
  const dir = testFolder(t)
  const seen = { made: 0, closed: 0 }
  async function* parts() {
    for (; seen.made < 100; seen.made += 1) yield Buffer.alloc(256 * 1024, seen.made)
    if (failure) throw failure
  }
  const close = () => {
    seen.closed += 1
  }
  const server = await serveControl(
    dir,
    'a.sock',
    () => new ControlParts({ parts: parts(), close }),
  )
  t.teardown(() => server.close())
  const ask = (onPart: (bytes: Uint8Array) => Promise<void>) =>
    askControl(dir, 'a.sock', { verb: 'x' }, undefined, onPart)
  return { seen, ask }
}

t.test('an answer in parts comes as fast as it is taken, and in order', async (t) => {
  const { seen, ask } = await inParts(t)
  const taken: (number | undefined)[] = []
  let aheadMax = 0
  await ask(async (bytes) => {
    taken.push(bytes[0])
    aheadMax = Math.max(aheadMax, seen.made - taken.length)
    await nextTurn()
  })
  t.same(
    taken,
    Array.from({ length: 100 }, (_, at) => at),
  )
  t.ok(aheadMax < 20, `${aheadMax} ahead`)
  t.equal(seen.closed, 1)
})

t.test('an answer that breaks, or that its client leaves, is no whole one', async (t) => {
  const broken = await inParts(t, new Error('the disk is gone'))
  await t.rejects(
    broken.ask(async () => {}),
    ControlRefused,
  )
  const left = await inParts(t)
  await t.rejects(
    left.ask(async () => {
      throw new Error('no space left')
    }),
    /no space left/,
  )
  await until(() => left.seen.closed === 1)
  t.ok(left.seen.made < 100)
})
