// OpenID providers in the settings: as tables, as JSON, and every mistake by the provider's name.
import t, { type Test } from 'tap'
import { loadSettings, problemLine } from '../../src/config/load.ts'

const google = {
  name: 'google',
  issuer: 'https://accounts.google.com',
  clientId: 'an-id',
  clientSecret: 'hunter2-and-more',
}

function load(t: Test, { file = '', env = {} }: { file?: string; env?: Record<string, string> }) {
  const cwd = t.testdir({ 'stillup.toml': file, 'oidc.json': JSON.stringify([google]) })
  const loaded = loadSettings({ env, cwd, isTerminal: false })
  if ('settings' in loaded) return { oidc: loaded.settings.auth.oidc, lines: [] }
  return { oidc: undefined, lines: loaded.problems.map(problemLine) }
}

const byVariable = (t: Test, value: unknown) =>
  load(t, { env: { STILLUP_AUTH_OIDC: JSON.stringify(value) } })

t.test('providers are tables of the file, a variable or a file of JSON', async (t) => {
  const full = { ...google, label: 'google', scopes: 'openid email profile' }
  const toml = Object.entries(google).map(([name, value]) => `${name} = "${value}"`)
  const file = `[auth]\nregistration = "open"\n[[auth.oidc]]\n${toml.join('\n')}\n
    [[auth.oidc]]\n${toml.join('\n').replace('"google"', '"other"')}\nlabel = "Other one"\n`
  t.same(load(t, { file }).oidc, [full, { ...full, name: 'other', label: 'Other one' }])
  t.same(byVariable(t, [google]).oidc, [full])
  t.same(load(t, { env: { STILLUP_AUTH_OIDC_FILE: 'oidc.json' } }).oidc, [full])
  t.equal(load(t, {}).oidc, null)
  const local = { ...google, issuer: 'http://127.0.0.1:4000/tenant' }
  t.match(byVariable(t, [local]).oidc, [{ issuer: 'http://127.0.0.1:4000/tenant' }])
})

t.test('a mistake is reported with the name of its provider, and without secrets', async (t) => {
  const { clientSecret } = google
  for (const [value, line] of [
    [{ name: 'x' }, /^auth\.oidc \(STILLUP_AUTH_OIDC\): found something other than a list/],
    [[google, google], /^auth\.oidc\.google\.name .*: found a name that is used twice/],
    [['google'], /^auth\.oidc\.#1 .*other than a table/],
    [[{ ...google, name: 'Google!' }], /^auth\.oidc\.#1\.name .*found "Google!"; allowed: at most/],
    [[{ ...google, issuer: undefined }], /^auth\.oidc\.google\.issuer .*found nothing/],
    [[{ ...google, issuer: 'http://accounts.example' }], /google\.issuer .*allowed: an https/],
    [
      [{ ...google, issuer: 'http://127.0.0.1.evil.example' }],
      /google\.issuer .*allowed: an https/,
    ],
    [[{ ...google, issuer: 'https://a.example?x' }], /google\.issuer/],
    [[{ ...google, issuer: 'https://u:p@a.example' }], /google\.issuer/],
    [[{ ...google, clientSecret: 7_654_321 }], /google\.clientSecret .*found a hidden value/],
    [[{ ...google, clientSecret: ' ' }], /google\.clientSecret/],
    [[{ ...google, scopes: 'email' }], /google\.scopes .*including openid/],
    [[{ ...google, label: 'x'.repeat(61) }], /google\.label/],
    [[{ ...google, clientid: 'x' }], /google\.clientid .*clientId \(did you mean that\?\)/],
    [Array.from({ length: 21 }, (_, n) => ({ ...google, name: `p${n}` })), /found 21 providers/],
  ] as const) {
    const { lines } = byVariable(t, value)
    t.equal(lines.length, 1, lines.join('\n'))
    t.match(lines[0], line)
    t.notMatch(lines.join('\n'), clientSecret)
    t.notMatch(lines.join('\n'), '7654321')
  }
  const broken = load(t, { env: { STILLUP_AUTH_OIDC: `[{"clientSecret": "${clientSecret}"` } })
  t.match(broken.lines, [/^auth\.oidc .*other than a list/])
  t.notMatch(broken.lines.join('\n'), clientSecret)
})
