// A whole sign-in at a server that others wrote: its forms, its cookies, the code that it gives, and the token for it.
import { createHash, randomBytes } from 'node:crypto'
import t from 'tap'
import { startClock } from '../../../src/base/clock.ts'
import { completedStep } from '../../../src/domain/steps/step.ts'
import { makeTarget } from '../../support/make-target.ts'
import { serviceUrl, startIssuer } from '../../support/oidc-issuer.ts'
import { openProbe } from '../../support/open-probe.ts'

type StepFields = Parameters<typeof completedStep>[0]

const clock = startClock()
t.after(() => clock.stop())
const probe = openProbe(t, clock)

t.test('steps sign a person in with OpenID Connect, and ask who it is', async (t) => {
  const issuer = await startIssuer(t)
  t.teardown(() => issuer.stop())
  const verifier = randomBytes(32).toString('base64url')
  const redirect = `${serviceUrl}/api/v1/auth/oidc/company/callback`
  const query = new URLSearchParams({
    ...{ client_id: issuer.client.clientId, response_type: 'code', scope: 'openid email' },
    ...{ redirect_uri: redirect, state: 'a-state', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  })
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const page = { captures: [{ name: 'action', source: 'html', path: 'form@action' }] } as const
  const steps = [
    { name: 'Open', url: `/auth?${query}`, ...page },
    {
      ...{ name: 'Sign in', method: 'POST', url: '{{action}}', headers: form },
      body: 'prompt=login&login={{login|url}}&password={{password|url}}',
      ...page,
    },
    {
      ...{ name: 'Agree', method: 'POST', url: '{{action}}', headers: form },
      ...{ body: 'prompt=consent', followRedirects: false, expectedStatus: 303 },
      captures: [{ name: 'back', source: 'header', path: 'Location' }],
    },
    {
      ...{ name: 'Return', url: '{{back}}', followRedirects: false, expectedStatus: 303 },
      captures: [{ name: 'code', source: 'header', path: 'Location: [?&]code=([^&]+)' }],
    },
    {
      ...{ name: 'Token', method: 'POST', url: '/token' },
      headers: { ...form, Authorization: 'Basic {{client|base64}}' },
      body: `grant_type=authorization_code&code={{code}}&code_verifier=${verifier}&redirect_uri=${encodeURIComponent(redirect)}`,
      captures: [{ name: 'token', source: 'json', path: '$.access_token' }],
    },
    {
      ...{ name: 'Who', url: '/me', headers: { Authorization: 'Bearer {{token}}' } },
      assertions: [{ source: 'json', path: '$.sub', type: 'equals', value: '{{login}}' }],
    },
  ] as const
  const variables = {
    ...{ login: 'ada-lovelace', password: 'any-password' },
    client: `${issuer.client.clientId}:${issuer.client.clientSecret}`,
  }
  const target = makeTarget({
    ...{ checkType: 'steps', url: `${issuer.url}/`, timeoutMs: 10_000, variables },
    steps: steps.map((step) => completedStep(step as StepFields)),
  })
  const reading = await probe(target, { clock, keepsAnswer: true })
  t.same(reading.error, undefined)
  t.same(
    reading.steps?.map(({ name, status, outcome }) => `${name} ${status} ${outcome}`),
    [
      ...['Open 200 good', 'Sign in 200 good', 'Agree 303 good', 'Return 303 good'],
      ...['Token 200 good', 'Who 200 good'],
    ],
  )
  const shown = JSON.stringify(reading)
  t.notOk(shown.includes(issuer.client.clientSecret))
  t.notOk(/"access_token":"[^•]/.test(shown), 'the token that it sent on is nowhere')
  const wrong = { ...target, variables: { ...variables, client: 'stillup:wrong-secret' } }
  const refused = await probe(wrong, { clock })
  t.match(refused, {
    result: 'failed',
    error: { kind: 'status', message: 'step 5, "Token": expected status 200, found 401' },
    evidence: { body: /invalid_client/ },
  })
})
