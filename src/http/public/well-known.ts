// The public keys with which reports of this service are verified, at /.well-known/stillup.json.
import { toIso, toIsoOrNull } from '../../base/schema/schema.ts'
import { type RawRoute, rawHead } from '../routing/raw-route.ts'

const head = rawHead([
  ['Content-Type', 'application/json'],
  ['Cache-Control', 'public, max-age=300'],
  ['Access-Control-Allow-Origin', '*'],
])

export function wellKnownRoute(baseUrl: string): RawRoute {
  return {
    name: 'well-known',
    path: '/.well-known/stillup.json',
    rate: 'page',
    handle(_request, { reportKeys }) {
      const keys = reportKeys.published().map(({ keyId, publicKey, createdAtMs, retiredAtMs }) => ({
        keyId,
        algorithm: 'Ed25519',
        publicKey,
        createdAt: toIso(createdAtMs),
        retiredAt: toIsoOrNull(retiredAtMs),
      }))
      const body = JSON.stringify({ product: 'stillup', service: baseUrl, reportKeys: keys })
      return { status: 200, head, body: `${body}\n` }
    },
  }
}
