// SCRAM: both sides prove that they know the password, and neither says it.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import t from 'tap'
import { type ScramLogin, signInByScram } from '../../../src/probes/run/scram.ts'

const salt = Buffer.from('a salt of 16 byt')

/** The server's side for a user whose password is `pencil`; says whether it let the client in. */
function serverOf(hash: ScramLogin['hash'], { rounds = 4_096, knows = 'pencil' } = {}) {
  const hmac = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest()
  const size = createHash(hash).digest().length
  const salted = pbkdf2Sync(knows, salt, rounds, size, hash)
  let first = ''
  let challenge = ''
  const server = {
    isIn: false,
    async exchange(message: string): Promise<string> {
      if (challenge === '') {
        first = message.slice('n,,'.length)
        const [, nonce = ''] = /r=(.*)$/.exec(first) ?? []
        challenge = `r=${nonce}more,s=${salt.toString('base64')},i=${rounds}`
        return challenge
      }
      const [, last = '', proof = ''] = /^(.*),p=(.*)$/.exec(message) ?? []
      const all = `${first},${challenge},${last}`
      const clientKey = hmac(salted, 'Client Key')
      const signature = hmac(createHash(hash).update(clientKey).digest(), all)
      const given = Buffer.from(proof, 'base64').map((byte, i) => byte ^ (signature[i] ?? 0))
      server.isIn = clientKey.equals(given)
      return `v=${hmac(hmac(salted, 'Server Key'), all).toString('base64')}`
    },
  }
  return server
}

t.test('a user signs in by each hash, and knows the server by its answer', async (t) => {
  for (const hash of ['sha1', 'sha256', 'sha512'] as const) {
    const server = serverOf(hash)
    await signInByScram({ hash, username: 'a,b=c', password: 'pencil' }, server.exchange)
    t.equal(server.isIn, true, hash)
  }
})

t.test(
  'a server that does not know the password, or wants to keep us busy, is refused',
  async (t) => {
    const login = { hash: 'sha256', username: 'ada', password: 'pencil' } as const
    for (const server of [
      serverOf('sha256', { knows: 'pen' }),
      serverOf('sha256', { rounds: 200_000 }),
    ]) {
      await t.rejects(signInByScram(login, server.exchange), RangeError)
      t.equal(server.isIn, false)
    }
    await t.rejects(
      signInByScram(login, async () => 'r=other,s=,i=1'),
      RangeError,
    )
  },
)
