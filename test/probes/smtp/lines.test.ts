// Lines from a socket: whole ones, in order, within bounds.
import { once } from 'node:events'
import net from 'node:net'
import t, { type Test } from 'tap'
import { RunError } from '../../../src/net/run/guarded-run.ts'
import { type LineReader, readLines } from '../../../src/probes/run/lines.ts'
import { startTarget } from '../../support/target.ts'

async function reading(
  t: Test,
  greet: (socket: net.Socket) => void,
  bounds = { lineBytesMax: 20, bytesMax: 100 },
): Promise<{ reader: LineReader; socket: net.Socket }> {
  const target = await startTarget()
  target.greet = greet
  const socket = net.connect(target.port, '127.0.0.1')
  socket.on('error', () => {})
  t.after(() => {
    socket.destroy()
    return target.close()
  })
  await once(socket, 'connect')
  return { reader: readLines(socket, bounds), socket }
}

/** What a reader says in the end. */
async function failureOf(reader: LineReader) {
  try {
    for (;;) await reader.next()
  } catch (cause) {
    return cause instanceof RunError ? cause.failure : undefined
  }
}

t.test('lines come one by one, however they were split', async (t) => {
  const { reader } = await reading(t, (socket) => {
    socket.setNoDelay()
    const pieces = ['on', 'e\r', '\ntwo\n\r\nf', 'our\r\n']
    for (const [i, piece] of pieces.entries()) setTimeout(() => socket.write(piece), i * 15)
  })
  for (const line of ['one', 'two', '', 'four']) t.equal(await reader.next(), line)
})

t.test('data before the end is read, and then comes the end', async (t) => {
  const { reader } = await reading(t, (socket) => socket.end('last\nhalf'))
  t.equal(await reader.next(), 'last')
  t.match(await failureOf(reader), { kind: 'reset' })
  t.match(await failureOf(reader), { kind: 'reset' }, 'and no next one is waited for')
})

t.test('an endless line is abandoned, as is an endless conversation', async (t) => {
  const endless = await reading(t, (socket) => socket.write('x'.repeat(21)))
  t.match(await failureOf(endless.reader), { message: /a line of more than 20 bytes/ })
  const long = await reading(t, (socket) => socket.write(`${'x'.repeat(21)}\n`))
  t.match(await failureOf(long.reader), { kind: 'invalid_response' })
  const fits = await reading(t, (socket) => socket.write(`${'x'.repeat(20)}\n`))
  t.equal((await fits.reader.next()).length, 20)
  const chatty = await reading(t, (socket) => socket.write('0123456789\n'.repeat(10)))
  t.match(await failureOf(chatty.reader), { message: 'the server sent more than 100 bytes' })
})

t.test('after an upgrade the surplus bytes are handed over', async (t) => {
  const { reader, socket } = await reading(t, (socket) => socket.write('go\nahead'))
  t.equal(await reader.next(), 'go')
  t.equal(reader.release(), 5)
  t.equal(socket.listenerCount('data'), 0)
})
