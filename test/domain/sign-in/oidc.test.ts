// Whose sign stands beside the button of a provider.
import t from 'tap'
import { providerBrand } from '../../../src/domain/sign-in/oidc.ts'

t.test('a provider is known by its address or by what it is called', async (t) => {
  const brand = (issuer: string, name = 'company', label = 'Company') =>
    providerBrand({ issuer, name, label })
  t.equal(brand('https://accounts.google.com'), 'google')
  t.equal(brand('https://acme.okta.com/oauth2/default'), 'okta')
  t.equal(brand('https://id.acme.test/realms/main'), 'keycloak')
  t.equal(brand('https://id.acme.test/application/o/stillup/'), 'authentik')
  t.equal(brand('https://id.acme.test', 'authelia'), 'authelia')
  t.equal(brand('https://id.acme.test', 'sso', 'Our GitLab'), 'gitlab')
  t.equal(brand('https://id.acme.test'), undefined)
  t.equal(brand('https://factory.acme.test'), undefined, 'a part of a word names nobody')
})
