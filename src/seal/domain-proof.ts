// Proofs of custom domains: the token that an organization puts into the DNS, and the answer by
// which this installation recognizes itself at a host name.
import { createHmac } from 'node:crypto'

/** 160 bits. */
const tokenChars = 40
const answerChars = 32

export type DomainProofs = ReturnType<typeof createDomainProofs>

/** Made with a key that is derived for this purpose alone. */
export function createDomainProofs(key: Buffer) {
  const mac = (...parts: readonly string[]) =>
    createHmac('sha256', key).update(parts.join('\n')).digest('hex')

  return {
    /** Always the same for one organization and one host name. */
    token: (orgId: string, hostname: string) => mac('token', orgId, hostname).slice(0, tokenChars),
    /** What this installation answers at a host name to a question that it asked itself. */
    answer: (hostname: string, question: string) =>
      mac('answer', hostname, question).slice(0, answerChars),
  }
}
