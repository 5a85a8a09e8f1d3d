// Where browsers allow passkeys.
import t from 'tap'
import { passkeySite, passkeyState } from '../../../src/domain/sign-in/passkey.ts'

t.test(
  'passkeys are possible where the address has a name, and https unless it is local',
  async (t) => {
    for (const [baseUrl, state] of [
      ['https://up.example.com', 'possible'],
      ['https://up.example.com:8443', 'possible'],
      ['http://localhost:8080', 'possible'],
      ['http://up.localhost', 'possible'],
      ['http://up.example.com', 'needs_https'],
      ['http://localhost.example.com', 'needs_https'],
      ['https://192.0.2.7', 'needs_name'],
      ['https://[2001:db8::1]', 'needs_name'],
      ['http://127.0.0.1:8080', 'needs_name'],
    ] as const) {
      t.equal(passkeyState(baseUrl), state, baseUrl)
    }
    const site = { rpId: 'up.example.com', origin: 'https://up.example.com:8443' }
    t.same(passkeySite('https://up.example.com:8443/status'), site, 'a path is no part of it')
  },
)
