// Room for large bodies: shared by organizations, and given back.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createBodyRoom } from '../../../src/http/edge/body-room.ts'

const { bytesMin, bytesMax, share } = limits.largeBodies
const bodyBytes = 16 * 1024 * 1024

/** How many bodies of an owner find room. */
function fill(room: ReturnType<typeof createBodyRoom>, owner: string, requests: object[] = []) {
  try {
    for (;;) {
      const request = {}
      room.take(request, owner, bodyBytes)
      requests.push(request)
    }
  } catch {
    return requests.length
  }
}

t.test('large bodies of one organization leave room for those of others', async (t) => {
  const room = createBodyRoom()
  t.equal(fill(room, 'mallory'), Math.floor((share * bytesMax) / bodyBytes))
  t.throws(() => room.take({}, 'mallory', bodyBytes), { code: 'unavailable' })
  t.equal(fill(room, 'bob') > 0, true)
  for (let n = 0; n < 1_000; n += 1) fill(room, `friend ${n}`)
  room.take({}, 'carol', bodyBytes / 2)
})

t.test('a request that is over gives its room back, once', async (t) => {
  const room = createBodyRoom()
  const requests: object[] = []
  const most = fill(room, 'mallory', requests)
  const [first = {}] = requests
  room.leave(first)
  room.leave(first)
  room.leave({})
  t.equal(fill(room, 'mallory'), 1)
  for (const request of requests) room.leave(request)
  t.equal(fill(room, 'mallory'), most - 1)
})

t.test('small bodies need no room', async (t) => {
  const room = createBodyRoom()
  fill(room, 'mallory')
  t.doesNotThrow(() => room.take({}, 'mallory', bytesMin))
})
