// Answers what a certificate authority asks at a host before it issues a certificate (HTTP-01 of
// RFC 8555).
import { type RawRoute, rawHead } from '../routing/raw-route.ts'

const head = rawHead([
  ['Content-Type', 'application/octet-stream'],
  ['Cache-Control', 'no-store'],
])
const missing = rawHead([['Cache-Control', 'no-store']])

/** `answerFor`: the answer to the question with this token. */
export function acmeChallengeRoute(answerFor: (token: string) => string | undefined): RawRoute {
  return {
    name: 'acme.challenge',
    path: '/.well-known/acme-challenge/:token',
    // An authority asks from several places at once; the answer is in memory.
    rate: null,
    handle({ params }) {
      const body = answerFor(params.token ?? '')
      return body === undefined ? { status: 404, head: missing } : { status: 200, head, body }
    },
  }
}
