// Signs the requests of a check by Signature Version 4 of AWS.
import { hash } from 'node:crypto'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import {
  awsEncodedQuery,
  awsPath,
  awsProof,
  awsQuery,
  awsSentPath,
  emptyBodyHash,
} from '../../net/http-client/aws-signature.ts'
import type { Hop } from '../../net/http-client/plan.ts'
import type { ProbeRun } from '../run/probe-run.ts'

/** The headers that AWS wants signed where they are sent: proxies may change others. */
const signedName = /^(content-type|x-amz-.*)$/
const ownNames = ['authorization', 'x-amz-date', 'x-amz-content-sha256']

/** The request with its proof, encoded as it is signed, so that no server reads it otherwise. */
export function awsSigned(run: ProbeRun, hop: Hop, target: EndpointTarget): Hop {
  const { url, method, body } = hop
  const { region, service } = target.auth ?? {}
  const credentials = {
    accessKey: target.username ?? '',
    secretKey: target.password ?? '',
    region: region ?? '',
    service: service ?? '',
  }
  const bodyHash = body === null ? emptyBodyHash : hash('sha256', body, 'hex')
  const kept = pairsOf(hop.headers).filter(([name]) => !ownNames.includes(name.toLowerCase()))
  const signed = kept
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => signedName.test(name))
  const { signature, ...proof } = awsProof(
    {
      method,
      host: url.host,
      path: awsPath(url.pathname, credentials.service),
      query: awsQuery(url.searchParams),
      headers: { ...Object.fromEntries(signed), 'x-amz-content-sha256': bodyHash },
      bodyHash,
    },
    credentials,
    run.clock.wallMs(),
  )
  // A target that repeats it must not show it.
  run.record.sent.push(signature)
  const path = awsSentPath(url.pathname, credentials.service)
  const query = awsEncodedQuery(url.searchParams)
  return {
    ...hop,
    path: query === '' ? path : `${path}?${query}`,
    headers: [...kept, ...Object.entries({ ...proof, 'x-amz-content-sha256': bodyHash })].flat(),
  }
}

function pairsOf(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, i) => (i % 2 === 0 ? [[name, headers[i + 1] ?? '']] : []))
}
