// Makes a check in each of several ways whose code throws where nobody waits for it, and prints how it ended.
import { createServer } from 'node:net'
import { startClock } from '../../src/base/clock.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import { endsItsRun } from '../../src/net/run/stray-errors.ts'
import { createProbe, type ProbeRun } from '../../src/probes/run/probe-run.ts'
import { resolverTo } from './fake-resolver.ts'
import { makeTarget } from './make-target.ts'

const bug = (error: unknown) => {
  if (endsItsRun()) return
  console.log(`not of a check: ${error instanceof Error ? error.message : error}`)
  process.exit(70)
}
process.on('uncaughtException', bug)
process.on('unhandledRejection', bug)

const clock = startClock()
const deps = { clock, guard: createGuard({ targets: 'any' }), resolver: resolverTo('127.0.0.1') }
const server = createServer((socket) => socket.on('error', () => {}).write('x'))
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as { port: number }
  const opened = async (run: ProbeRun) =>
    (await run.connect({ host: 'a.test', port, isTls: false })).socket
  const fail = () => {
    throw new TypeError('thrown late')
  }
  const ways: Record<string, (run: ProbeRun) => Promise<unknown>> = {
    'a listener': async (run) => (await opened(run)).on('data', fail),
    'a timer': (run) => opened(run).then(() => setTimeout(fail, 1)),
    'a promise': (run) => opened(run).then(() => void Promise.resolve().then(fail)),
    'after its end': async (run) => {
      setTimeout(fail, 50)
      run.end({ result: 'failed', kind: 'status', message: 'it ended before' })
    },
  }
  for (const [name, way] of Object.entries(ways)) {
    const probe = createProbe(deps, async (_, run) => {
      await way(run)
      return new Promise(() => {})
    })
    const found = await probe(makeTarget({ timeoutMs: 60_000 }), { clock })
    console.log(`${name}: ${found.result}, ${found.error?.message}`)
  }
  setTimeout(() => setTimeout(fail, 1), 100)
})
