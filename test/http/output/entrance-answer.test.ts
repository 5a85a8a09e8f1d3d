// The pages at the entrance as responses; what they say is tested with the pages themselves.
import t from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import { registerAnswer, signInAnswer } from '../../../src/http/output/entrance-answer.ts'
import type { Services } from '../../../src/services/assembly/services.ts'

const english = { language: 'en' } as const
const services = {
  passkeys: { state: 'needs_https' },
  entrance: {
    hasMailServer: () => true,
    isNew: () => false,
    mayRegister: () => 'invited',
    takesSetupToken: () => false,
  },
  oidc: { list: () => [{ name: 'co', label: 'Company' }] },
} as unknown as Services

t.test('a provider is entered with the next path, and another site is no path', async (t) => {
  const { body } = signInAnswer(services, english, '/docs?x=1')
  t.match(body, 'href="/api/v1/auth/oidc/co/start?redirectUri=%2Fdocs%3Fx%3D1"')
  t.match(signInAnswer(services, english, 'https://evil.test/').body, 'start?redirectUri=%2Fapp"')
})

t.test('a failed form has the status and the headers of its fault', async (t) => {
  const fault = new Fault('rate_limited', 'Too many.', { headers: [['Retry-After', '9']] })
  const answer = signInAnswer(services, english, undefined, {
    failed: { fault, email: 'a@b.test' },
  })
  t.equal(answer.status, 429)
  t.ok(answer.headers?.some(([name, value]) => name === 'Retry-After' && value === '9'))
  t.ok(
    answer.headers?.some(
      ([name, value]) => name === 'Referrer-Policy' && value === 'strict-origin',
    ),
  )
  t.match(answer.body, /role="alert">Too many\./)
  const closed = new Fault('registration_closed', 'Closed.')
  t.match(registerAnswer(services, english, undefined, { fault: closed }), {
    status: 403,
    body: /Closed\./,
  })
})
