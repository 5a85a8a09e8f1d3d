// Files that are made while they are sent: whole or visibly cut, and no faster than they are read.
import { once } from 'node:events'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { closedLine } from '../../../src/http/edge/stream.ts'
import { pour, pourBytesPerSecondLeast, pourStallMsMax } from '../../../src/http/output/pour.ts'
import { atPrefix, get, type PouredAnswer, resource } from '../../../src/http/routing/route.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { orgA, startTestHttp } from '../../support/http.ts'
import { until } from '../../support/until.ts'

const part = Buffer.alloc(256 * 1024, 'x')

/** A file of so many parts, which fails behind them if it is told to. */
async function pouring(t: Test, partsMax: number, failure?: Error, isLate = false) {
  const seen = { made: 0, closed: 0, opened: 0 }
  async function* parts() {
    for (; seen.made < partsMax; seen.made += 1) yield part
    if (failure) throw failure
  }
  const clock = new FakeClock()
  const routes = resource('/orgs/:orgId/files', {
    read: get('/', { who: { role: 'viewer' }, pours: ['text/plain'] }).handledBy(({ signal }) => {
      seen.opened += 1
      const file: PouredAnswer = {
        poured: true,
        contentType: 'text/plain',
        parts: parts(),
        close: () => {
          seen.closed += 1
        },
      }
      return isLate ? once(signal, 'abort').then(() => file) : file
    }),
  })
  const http = await startTestHttp({ routes: atPrefix('/api/v1', routes), clock })
  t.teardown(() => http.stop())
  return { seen, clock, http, path: `/api/v1/orgs/${orgA}/files` }
}

t.test('a file arrives whole, and is closed once', async (t) => {
  const { seen, http, path } = await pouring(t, 20)
  const { status, headers, text } = await http.ask(path, { as: 'bob' })
  t.same([status, headers.get('content-type'), text.length], [200, 'text/plain', 20 * part.length])
  t.equal(seen.closed, 1)
  t.equal((await http.ask(path, { as: 'bob', method: 'HEAD' })).status, 200)
  t.equal(seen.closed, 2, 'also where only its head is wanted')
})

t.test('a file that cannot be made to its end is cut, and never looks whole', async (t) => {
  const { seen, http, path } = await pouring(t, 3, new Error('the disk is gone'))
  await t.rejects(http.ask(path, { as: 'bob' }))
  t.equal(seen.closed, 1)
})

t.test('no more is made than its reader takes, who is left after a while', async (t) => {
  const { seen, http, path, clock } = await pouring(t, 100_000)
  const socket = connect(http.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: key-admin\r\n\r\n`)
  let made = -1
  await until(async () => {
    const isSame = made === seen.made && made > 0
    made = seen.made
    return isSame
  })
  t.ok(seen.made < 100, 'what the system buffers')
  t.equal(seen.closed, 0)
  await clock.advance(pourStallMsMax)
  await until(() => seen.closed === 1)
  t.ok(seen.made < 100)
})

t.test('a reader that left before the answer began leaves its place', async (t) => {
  const { seen, http, path } = await pouring(t, 3, undefined, true)
  const socket = connect(http.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: key-admin\r\n\r\n`)
  await until(() => seen.opened === 1)
  socket.destroy()
  await until(() => seen.closed === 1)
  t.equal(seen.made, 0)
})

t.test('a right that ends is the end of the file', async (t) => {
  const told: string[] = []
  async function* parts() {
    for (;;) yield part
  }
  const line = {
    ...closedLine,
    onClosed() {},
    writeBytes: () => void told.push('part'),
    taken: async () => true,
    cut: () => void told.push('cut'),
  }
  const mayGoOn = () => told.length < 2
  const poured = { parts: parts(), mayGoOn, close: () => void told.push('closed') }
  await pour(line, poured, new FakeClock())
  t.same(told, ['part', 'part', 'cut', 'closed'])
})

t.test('a reader that takes little all the time is left, and a slow one is not', async (t) => {
  const bytes = 48 * 1024
  const partsMax = 200
  /** How many parts a reader gets that takes each after so many ms. */
  const partsAt = async (takesMs: number): Promise<number> => {
    const clock = new FakeClock()
    let made = 0
    async function* parts() {
      for (; made < partsMax; made += 1) {
        // The time in which a part is made does not count.
        await clock.advance(10_000)
        yield Buffer.alloc(bytes)
      }
    }
    const line = {
      ...closedLine,
      onClosed() {},
      taken: async (msMax: number) => {
        await clock.advance(Math.min(msMax, takesMs))
        return takesMs <= msMax
      },
    }
    await pour(line, { parts: parts(), mayGoOn: () => true, close() {} }, clock)
    return made
  }
  const leastMs = (bytes / pourBytesPerSecondLeast) * 1_000
  t.equal(await partsAt(leastMs), partsMax)
  t.ok((await partsAt(leastMs * 1.1)) <= Math.ceil(pourStallMsMax / leastMs))
  t.equal(await partsAt(pourStallMsMax - 1), 1)
  t.equal(await partsAt(pourStallMsMax + 1), 0)
})
