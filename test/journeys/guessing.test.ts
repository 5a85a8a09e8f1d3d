// Somebody guesses at a password from everywhere: it gets them nothing, and locks nobody out.
import t from 'tap'
import { password, register } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { FakeClock } from '../support/fake-clock.ts'

const env = { HTTP_RATE_AUTH_PER_MINUTE: '2', HTTP_TRUSTED_PROXIES: '127.0.0.0/8' }

t.test('guessers run out of attempts; a known device is not affected', async (t) => {
  // Attempts come back with time, which does not pass here.
  const clock = Object.assign(new FakeClock(), { onJump() {}, stop() {} })
  const first = await startDaemon(t, { env, clock })
  let last = 0
  /** From a new address each time, as who guesses in earnest does. */
  const login = (api: typeof first, json: object, cookies = '') => {
    last += 1
    const headers = { 'x-forwarded-for': `203.0.113.${last}`, cookie: cookies }
    return api.ask('POST', '/api/v1/auth/login', { json, headers })
  }
  const { email } = await register(first, 'alice')
  const signedIn = await login(first, { email, password })
  t.equal(signedIn.status, 200)
  const known = signedIn.headers.getSetCookie().find((text) => text.startsWith('known-device='))
  const [device = ''] = (known ?? '').split(';')
  const guess = { email, password: 'one guess of very many' }
  t.equal((await login(first, guess)).status, 429)
  t.equal((await login(first, { email, password })).status, 429, 'strangers wait, right or wrong')
  t.equal((await login(first, { email, password }, device)).status, 200)
  await first.stop()

  const second = await startDaemon(t, { dir: first.dir, env, clock })
  for (const secret of first.secrets) second.secrets.add(secret)
  t.equal((await login(second, guess)).status, 429, 'a restart forgives nothing')
  t.equal((await login(second, { email, password }, device)).status, 200)
  const other = { email: 'bob@example.com', password }
  t.equal((await login(second, other, device)).status, 401, 'it is no way into other accounts')
})
