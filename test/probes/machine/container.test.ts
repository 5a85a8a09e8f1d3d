// Containers of a Podman that others wrote; skipped where it is not installed.
import net from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { container } from '../../../src/probes/machine/container.ts'
import { conversationContract } from '../../contracts/conversation.contract.ts'
import { testCa, testCertificates } from '../../support/certificates.ts'
import { resolverTo } from '../../support/fake-resolver.ts'
import { makeTarget, type TargetFields } from '../../support/make-target.ts'
import { openMachine } from '../../support/open-machine.ts'
import { image, podmanProblem, startPodman } from '../../support/servers/podman.ts'
import { answer, answerJson, raw, startTarget } from '../../support/target.ts'
import { testFolder } from '../../support/test-folder.ts'

const clock = startClock()
t.after(() => clock.stop())
const dir = testFolder(t)
const guard = createGuard({ targets: 'any' })
const { probe } = container.open({ guard, resolver: resolverTo('127.0.0.1'), clock, ca: [testCa] })

/** Engines by their names, and the same rules for the rest. */
function list(containers: Readonly<Record<string, string>>): void {
  guard.setRules({ targets: 'any', machine: { ...openMachine, containers } })
}
const look = (url: string, fields: TargetFields = {}) => {
  const target = makeTarget({ checkType: 'container', url, timeoutMs: 8_000, ...fields })
  return probe(target, { clock, keepsAnswer: true })
}

t.test('containers of Podman', { skip: podmanProblem() }, async (t) => {
  const { port, socket, run, start } = await startPodman(t)
  list({ local: socket, tcp: `http://127.0.0.1:${port}` })
  const health = ['--health-cmd', 'CMD /program health', '--health-interval', 'disable']
  start('web', image)
  start('ended', image, 'exit', '7')
  start('checked', ...health, '--health-retries', '1', image)
  run('create', '--name', 'created', image)

  await t.test('are good while they run', async (t) => {
    for (const engine of ['local', 'tcp']) {
      t.match(await look(`container://${engine}/web`), {
        result: 'good',
        found: { value: 'running', state: 'running', health: null, restarts: 0, image },
      })
    }
    const id = run('inspect', '--format', '{{.Id}}', 'web').trim()
    t.match(await look(`container://local/${id.slice(0, 12)}`), { result: 'good' })
    const none = { source: 'json', path: '$.restarts', type: 'greaterThan', value: '0' } as const
    t.match(await look('container://local/web', { expect: { assertions: [none] } }), {
      error: { kind: 'assertion' },
    })
  })

  await t.test('are down when they do not', async (t) => {
    const why = async (name: string) => (await look(`container://local/${name}`)).error?.message
    t.equal(await why('ended'), 'the container is not running (exited)')
    t.match(await look('container://local/ended'), { found: { value: 'exited', exitCode: 7 } })
    t.match(await why('created'), /^the container is not running \((created|configured)\)$/)
    t.equal(await why('nobody'), 'there is no such container')
    run('pause', 'web')
    t.equal(await why('web'), 'the container is not running (paused)')
    run('unpause', 'web')
    run('kill', 'web')
    t.match(await why('web'), /^the container is not running \((stopped|exited)\)$/)
  })

  await t.test('are as healthy as their health check says', async (t) => {
    const url = 'container://local/checked'
    t.match(await look(url), {
      result: 'good',
      isDegraded: true,
      message: 'the health check of the container has not succeeded yet',
      found: { value: 'starting', state: 'running' },
    })
    run('healthcheck', 'run', 'checked')
    t.match(await look(url), { result: 'good', found: { value: 'healthy' } })
    run('exec', 'checked', '/program', 'sicken')
    t.throws(() => run('healthcheck', 'run', 'checked'))
    t.match(await look(url), {
      result: 'failed',
      error: { kind: 'status', message: 'the health check of the container fails' },
      found: { value: 'unhealthy', state: 'running', health: 'unhealthy' },
    })
  })

  await t.test('whatever becomes of the conversation', async (t) => {
    run('restart', '--time', '0', 'web')
    await conversationContract(t, {
      probe,
      clock,
      port,
      target(port) {
        const { containers } = guard.machine()
        list({ ...containers, [`p${port}`]: `http://127.0.0.1:${port}` })
        return { checkType: 'container', url: `container://p${port}/web` }
      },
    })
  })
})

t.test('an engine that is not there, or is something else', async (t) => {
  const web = await startTarget(answer({ body: 'hello' }))
  t.teardown(() => web.close())
  const silent = net.createServer(() => {})
  const path = join(dir, 'silent.sock')
  await new Promise<void>((resolve) => silent.listen(path, resolve))
  t.teardown(() => silent.close())
  list({ none: join(dir, 'none.sock'), web: web.url, silent: path, file: import.meta.filename })
  const why = async (url: string) => (await look(url, { timeoutMs: 500 })).error
  t.match(await why('container://none/a'), {
    kind: 'connect',
    message: /^cannot connect to none \(ENOENT\)/,
  })
  t.match(await why('container://file/a'), {
    kind: 'connect',
    message: 'connection refused by file',
  })
  t.match(await why('container://web/a'), {
    message: 'the server does not speak the protocol of Docker',
  })
  t.match(await why('container://silent/a'), { kind: 'timeout' })
  web.script = { '/containers/a/json': raw('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]') }
  t.match(await why('container://web/a'), { message: /does not speak/ })
  web.script = { '/containers/a/json': answer({ status: 500 }) }
  t.match(await why('container://web/a'), { message: 'expected status 200, found 500' })
  t.match(await why('container://other/a'), {
    kind: 'blocked',
    message: /^the URL leads to a container/,
  })
  for (const url of [
    'container://web',
    'container://web/',
    'container://web/a/b',
    'container://web/..',
  ]) {
    t.match(await why(url), { message: /^the URL must name an engine and a container/ }, url)
  }
  t.match(await why('container://web/%2e%2e'), { message: /must name/ })
  guard.setRules({ targets: 'public', machine: { ...openMachine, containers: { web: web.url } } })
  t.match(
    await why('container://web/a'),
    { kind: 'blocked', message: /loopback/ },
    'addresses are judged',
  )
})

t.test('an engine behind TLS is known by its certificate', async (t) => {
  const document = { State: { Status: 'running' }, Config: { Image: 'nginx' }, RestartCount: 2 }
  const engine = await startTarget(answerJson(document), { tls: testCertificates.good })
  t.teardown(() => engine.close())
  const { port } = new URL(engine.url)
  list({ good: `https://localhost:${port}`, wrong: `https://elsewhere.test:${port}` })
  t.match(await look('container://good/a'), {
    result: 'good',
    certificate: { issuer: /Stillup/ },
    found: { value: 'running', restarts: 2, image: 'nginx' },
  })
  t.match(await look('container://wrong/a'), { error: { kind: 'tls', message: /another host/ } })
  t.match(await look('container://wrong/a', { ignoreTlsErrors: true }), { result: 'good' })
})
