// What a browser carries to a provider: nothing else passes for it, and nothing of it stays.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createOidcSecrets } from '../../../src/oidc/provider.ts'
import { createFlows } from '../../../src/services/sign-in/oidc-flow.ts'
import { openAccess } from '../../support/access.ts'

const away = () =>
  ({ stage: 'away', provider: 'x', redirectUri: '/', secrets: createOidcSecrets() }) as const
const stale = { code: 'link_expired' }

t.test('another encrypted text of ours is not a flow', async (t) => {
  const { core, box } = openAccess(t)
  const flows = createFlows(core)
  const { kind: _none, ...bare } = { kind: '', ...away(), id: 'a', expiresAtMs: 9e15 }
  for (const text of ['', 'null', '[]', '"oidc-flow"', 'oidc-flow', JSON.stringify(bare)]) {
    t.throws(() => flows.open(box.seal(text), 'x', 'away'), stale, text)
  }
  t.ok(flows.open(flows.seal(away()), 'x', 'away'))
})

t.test('a flow fits into a cookie, and reveals nothing', async (t) => {
  const { core } = openAccess(t)
  const flows = createFlows(core)
  const redirectUri = `http://127.0.0.1:8080/${'x'.repeat(limits.redirectUriCharsMax)}`
  const flow = { ...away(), provider: 'p'.repeat(40), redirectUri }
  const sealed = flows.seal(flow)
  t.match(sealed, /^[\w.-]+$/)
  t.ok(sealed.length < 3_500, `${sealed.length}`)
  t.notMatch(Buffer.from(sealed, 'base64url').toString('latin1'), flow.secrets.verifier)
  const person = {
    issuer: `https://${'i'.repeat(250)}.example/`,
    subject: 's'.repeat(255),
    email: 'e'.repeat(limits.emailCharsMax),
    name: 'n'.repeat(limits.nameCharsMax),
    isEmailVerified: true,
  }
  const waiting = { stage: 'waiting', provider: 'x', redirectUri, person } as const
  t.ok(flows.seal(waiting).length < 3_500)
})

t.test('a used flow is remembered as long as it could be sent again', async (t) => {
  const { core, store, clock } = openAccess(t)
  const flows = createFlows(core)
  const spend = (sealed: string) =>
    store.write((tx) => flows.spend(tx, flows.open(sealed, 'x', 'away')))
  const sealed = Array.from({ length: 5 }, () => flows.seal(away()))
  for (const one of sealed) await spend(one)
  for (const one of sealed) await t.rejects(spend(one), stale)
  const entries = () => store.spentFlows.count(100)
  t.equal(entries(), 5)
  await clock.advance(limits.oidcFlowMs)
  for (const one of sealed) await t.rejects(spend(one), stale)
  await spend(flows.seal(away()))
  t.equal(entries(), 1, 'the others are forgotten')
})
