// The client's side of SCRAM: a sign-in that shows the password to nobody (RFC 5802).
import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(pbkdf2)

/** More would cost the time of the daemon: servers use 4,096 to 16,384. */
const iterationsMax = 100_000

export interface ScramLogin {
  readonly hash: 'sha1' | 'sha256' | 'sha512'
  readonly username: string
  readonly password: string
}

/** Signs in: `exchange` passes a message on, and returns the answer. Throws a RangeError for another protocol. */
export async function signInByScram(
  { hash, username, password }: ScramLogin,
  exchange: (message: string) => Promise<string>,
): Promise<void> {
  const nonce = randomBytes(18).toString('base64')
  const name = username.replaceAll('=', '=3D').replaceAll(',', '=2C')
  const first = `n=${name},r=${nonce}`
  const challenge = await exchange(`n,,${first}`)
  const [, joined = '', salt = '', count = ''] =
    /^r=([^,]+),s=([^,]+),i=(\d+)/.exec(challenge) ?? []
  const iterations = Number(count)
  if (!joined.startsWith(nonce) || iterations < 1 || iterations > iterationsMax) {
    throw new RangeError('no challenge of SCRAM')
  }
  const hmac = (key: Buffer, text: string) => createHmac(hash, key).update(text).digest()
  const size = createHash(hash).digest().length
  const secret = password.normalize('NFKC')
  const salted = await derive(secret, Buffer.from(salt, 'base64'), iterations, size, hash)
  const clientKey = hmac(salted, 'Client Key')
  const last = `c=biws,r=${joined}`
  const all = `${first},${challenge},${last}`
  const signature = hmac(createHash(hash).update(clientKey).digest(), all)
  const proof = clientKey.map((byte, i) => byte ^ (signature[i] ?? 0))
  const answer = await exchange(`${last},p=${Buffer.from(proof).toString('base64')}`)
  // Who does not know the password cannot say this.
  const shown = Buffer.from(/^v=([^,]+)/.exec(answer)?.[1] ?? '', 'base64')
  const expected = hmac(hmac(salted, 'Server Key'), all)
  if (shown.length !== size || !timingSafeEqual(shown, expected)) {
    throw new RangeError('no signature of SCRAM')
  }
}
