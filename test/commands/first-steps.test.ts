// The printed commands, run by a real shell against a real daemon: they end on a page and an alert.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { firstSteps, places } from '../../src/commands/first-steps.ts'
import { startDaemon } from '../support/daemon.ts'
import { skipWithout } from '../support/programs.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

/** The commands among the text that go into one terminal: all but the receiver. */
const commandsIn = (text: string) =>
  text.split('\n').filter((line) => /^(ORG|KEY|PUSH)=|^curl|^api/.test(line))

const skip = skipWithout('curl')

/** The receiver as printed, but on a port of its own. It prints each message on a line. */
async function startPrintedReceiver(t: Test, text: string) {
  const command = text.split('\n').find((line) => line.startsWith('node -e')) ?? ''
  const tellPort = 'listen(0, function () { console.error(this.address().port) })'
  const receiver = spawn('sh', ['-c', `exec ${command.replace('listen(9000)', tellPort)}`])
  t.teardown(() => receiver.kill())
  let printed = ''
  receiver.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const [port] = await once(receiver.stderr, 'data')
  return { port: Number(port), printed: () => printed }
}

t.test(
  'pasted in order, the commands end on a page with data and on alerts',
  { skip },
  async (t) => {
    const daemon = await startDaemon(t, { env: { AUTH_REGISTRATION: 'first-user' } })
    const { url: address, setupToken } = daemon
    const text = firstSteps({
      ...{ address, baseUrl: address, setupToken },
      ...{ isLocalAllowed: true, hasNode: true },
    })
    const { port, printed } = await startPrintedReceiver(t, text)
    const alerts = () =>
      printed()
        .split('\n')
        .filter((line) => line !== '')
        .map((line): { type?: string } => JSON.parse(line))
    const [, password = ''] = /"password":"([^"]+)"/.exec(text) ?? []
    const commands = commandsIn(text).map((line) => line.replace(':9000', `:${port}`))
    t.equal(commands.length, 10)
    // A file, because tee cannot open a socket as /dev/stderr.
    const cwd = testFolder(t)
    const terminal = join(cwd, 'terminal')
    const shell = spawn('sh', ['-c', 'exec sh >>terminal 2>&1'], { cwd, stdio: 'pipe' })
    // The last command ends the outage that the one before it began.
    const [last = '', ...rest] = commands.toReversed()
    shell.stdin.write(`${rest.toReversed().join('\n')}\n`)
    await until(() => printed().split('\n').length > 1)
    shell.stdin.end(`${last}\n`)
    await once(shell, 'exit')
    await until(() => printed().split('\n').length > 2)
    const shown = readFileSync(terminal, 'utf8')
    t.notMatch(shown, '"success":false')
    t.match(
      alerts().map(({ type }) => type),
      ['incident.opened', 'incident.resolved'],
    )
    t.match(text, `${address}/status/acme`)
    // The first check of the website takes as long as it takes.
    const page = await until(async () => {
      const text = await (await fetch(`${address}/status/acme`)).text()
      return /Website.*Operational/s.test(text) && text
    })
    t.match(page, /Nightly backup/)
    const login = { email: 'you@example.com', password }
    t.equal((await daemon.ask('POST', '/api/v1/auth/login', { json: login })).status, 200)
  },
)

const about = { address: 'http://a', baseUrl: 'https://b', isLocalAllowed: true, hasNode: true }

t.test('no two texts contain the same password, and a quote in a token is harmless', async (t) => {
  const make = (setupToken: string) => firstSteps({ ...about, setupToken })
  t.not(make('x'), make('x'))
  t.match(make("it's"), `it'\\''s`)
})

t.test('commands go to this machine, browsers to the public address', async (t) => {
  const text = firstSteps({ ...about, setupToken: 'tok' })
  t.match(text, 'https://b/app/setup#tok')
  t.match(text, "'http://a/api/v1/auth/register'")
})

t.test('where this machine is no target, no command makes it one', async (t) => {
  const text = firstSteps({ ...about, isLocalAllowed: false, setupToken: 'tok' })
  t.match(text, '"url":"https://example.com"')
  t.match(text, 'checks.targets')
  t.notMatch(text, ':9000')
  t.match(text, 'https://b/app/channels. This machine')
})

t.test('without node, the console is named for alerts instead of a receiver', async (t) => {
  const text = firstSteps({ ...about, hasNode: false, setupToken: 'tok' })
  t.notMatch(text, /node -e|:9000|first alert/)
  t.match(text, '\nAlerts: once signed in, add a channel at https://b/app/channels\n')
  t.match(text, '"url":"http://a/healthz"', 'this machine is still a target')
  t.match(firstSteps({ ...about, setupToken: 'tok' }), 'up to a status page and a first alert.')
})

t.test('a later start names the addresses once each', async (t) => {
  const baseUrl = 'http://localhost:8080'
  const text = places({
    baseUrl,
    addresses: [baseUrl, 'http://192.0.2.1:8080'],
    statusPages: [],
    program: 'npx stillup',
  })
  t.match(text, 'stillup is at http://localhost:8080, and listens on http://192.0.2.1:8080\n')
})
