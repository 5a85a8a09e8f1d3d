// Threads of checks that are stuck, or end again and again: simulated, with threads that do nothing.
import { EventEmitter } from 'node:events'
import t from 'tap'
import { createResolver } from '../../../src/net/dns/resolver.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { createChecks } from '../../../src/probes/checks.ts'
import type { ToThread } from '../../../src/probes/pool/messages.ts'
import { createPool } from '../../../src/probes/pool/pool.ts'
import { createSlot, type SlotDeps, type ThreadHandle } from '../../../src/probes/pool/slot.ts'
import { createProbes } from '../../../src/probes/registry.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'

class IdleThread extends EventEmitter implements ThreadHandle {
  readonly given: ToThread[] = []

  postMessage(message: ToThread): void {
    this.given.push(message)
  }

  async terminate(): Promise<void> {
    this.emit('exit', 1)
  }
}

const options = { signal: new AbortController().signal, keepsAnswer: false }
const turn = () => new Promise((resolve) => setImmediate(resolve))

function idle() {
  const clock = new FakeClock()
  const threads: IdleThread[] = []
  const waits: number[] = []
  const deps: SlotDeps = {
    clock,
    start: { refreshesRegistries: false, pastMs: undefined },
    startThread() {
      const thread = new IdleThread()
      threads.push(thread)
      return thread
    },
    rules: () => ({
      ...{ targets: { targets: 'any' }, ownListeners: [], nameServers: [], addedCa: undefined },
    }),
    hidesPrivate: () => false,
    clockWatch: { doubted() {}, confirmed() {} },
    onBug() {},
    onDeath: (_, restartMs) => waits.push(restartMs),
  }
  return { clock, deps, threads, waits }
}

function start() {
  const { deps, ...rest } = idle()
  return { ...rest, slot: createSlot(deps) }
}

t.test('a thread that owes a result for very long is replaced', async (t) => {
  const { clock, slot, threads } = start()
  const checked = slot.check(makeTarget({ timeoutMs: 30_000 }), options)
  await turn()
  await clock.advance(140_000)
  t.equal(threads.length, 1)
  await clock.advance(30_000)
  t.match(await checked, { reading: { result: 'unknown', isSetAside: true } })
  t.equal(threads.length, 2)
})

t.test('what is given while there is no thread waits for the next one', async (t) => {
  const { clock, slot, threads } = start()
  const lost = slot.check(makeTarget(), options)
  await turn()
  threads[0]?.emit('exit', 1)
  t.match(await lost, { reading: { isSetAside: true } })
  const kept = slot.check(makeTarget(), options)
  await turn()
  await clock.advance(1_000)
  await turn()
  const [job] = threads[1]?.given[0]?.jobs ?? []
  const reading = { atMs: 5, durationMs: 7, result: 'good' } as const
  threads[1]?.emit('message', { done: [{ id: job?.id, reading, stalledMs: 0 }], bugs: [] })
  t.match(await kept, { reading: { durationMs: 7, result: 'good' } })
})

t.test('threads that end one after another end the process', async (t) => {
  const { clock, threads, waits } = start()
  threads[0]?.emit('exit', 1)
  await clock.advance(100)
  threads[1]?.emit('exit', 1)
  await clock.advance(1_000)
  t.same(waits, [100, 1_000])
  t.throws(() => threads[2]?.emit('exit', 1), /end by themselves/)
})

t.test(
  'a host is always checked in the same thread, and all registries are asked in one',
  async (t) => {
    const { clock, deps, threads } = idle()
    const guard = createGuard({ targets: 'any' })
    const probes = createProbes({ clock, guard, resolver: createResolver({ clock }) })
    const pool = createPool({ ...deps, local: createChecks(probes, clock), threadsWanted: () => 4 })
    const ask = (fields: TargetFields) => void pool.check(makeTarget(fields), options)
    const given = () =>
      threads.map((thread) =>
        thread.given.flatMap(({ jobs }) => jobs.map(({ target }) => target.url)),
      )
    for (let n = 0; n < 100; n += 1) {
      ask({ checkType: 'domain', url: `domain://name-${n}.com` })
      ask({ url: `http://host-${n % 10}.test/${n}` })
    }
    await turn()
    const hostsOf = (urls: string[]) => new Set(urls.map((url) => new URL(url).host))
    const [first = [], ...others] = given()
    t.equal(first.filter((url) => url.startsWith('domain:')).length, 100)
    const hosts = [first.filter((url) => url.startsWith('http:')), ...others].map(hostsOf)
    t.equal(hosts.flatMap((some) => [...some]).length, 10, 'no host is in two threads')
    t.ok(hosts.filter(({ size }) => size > 0).length >= 2, 'they are shared out')
  },
)
