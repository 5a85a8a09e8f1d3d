// The three printed commands, run by a real shell against a server that answers like the API.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { firstSteps } from '../../src/commands/first-steps.ts'
import { skipWithout } from '../support/programs.ts'

const orgId = `org_${'0'.repeat(26)}`
const apiKey = `sup_${'a1B2c3D4e5'.repeat(3)}zzzzzz`

/** The commands among the text: what a person would copy. */
const commandsIn = (text: string) =>
  text.split('\n').filter((line) => /^(ORG|KEY)=|^curl/.test(line))

const skip = skipWithout('curl')

t.test(
  'pasted in order, the commands register, create a key and create a monitor',
  { skip },
  async (t) => {
    const seen: { request: IncomingMessage; body: unknown }[] = []
    const answers = [
      { user: { id: 'usr_1' }, organization: { id: orgId, name: 'x' }, token: 'ses_secret' },
      { id: 'key_1', key: apiKey, role: 'admin' },
      { id: 'mon_1' },
    ]
    const server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const body = JSON.parse(text)
      seen.push({ request, body })
      response.setHeader('set-cookie', 'auth-token=abc; HttpOnly; SameSite=Lax; Path=/')
      response.end(JSON.stringify({ success: true, data: answers[seen.length - 1] }))
    }).listen(0, '127.0.0.1')
    t.teardown(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo

    const text = firstSteps({ address: `http://127.0.0.1:${port}`, setupToken: 'setup-token-1' })
    const commands = commandsIn(text)
    t.equal(commands.length, 3)
    const shell = spawn('sh', { cwd: t.testdir(), stdio: ['pipe', 'pipe', 'pipe'] })
    shell.stdin.end(commands.join('\n'))
    await once(shell, 'exit')

    const [register, key, monitor] = seen
    t.match(register, { request: { url: '/api/v1/auth/register', method: 'POST' } })
    t.match(register?.body, { setupToken: 'setup-token-1', password: /^.{16}$/, email: /@/ })
    t.match(key, {
      request: { url: `/api/v1/orgs/${orgId}/api-keys`, headers: { cookie: 'auth-token=abc' } },
      body: { role: 'admin' },
    })
    t.match(monitor, {
      request: { url: `/api/v1/orgs/${orgId}/monitors`, headers: { 'x-api-key': apiKey } },
      body: { url: 'https://example.com', intervalMinutes: 1 },
    })
  },
)

t.test('no two texts contain the same password, and a quote in a token is harmless', async (t) => {
  const make = (setupToken: string) => firstSteps({ address: 'http://a', setupToken })
  t.not(make('x'), make('x'))
  t.match(make("it's"), `it'\\''s`)
})
