// The protocol of remote probes (domain/locations/protocol.ts): between our own programs, so it is no part of the
// reference. Bodies are JSON as they are, without the envelope of the API.
import { isUtf8 } from 'node:buffer'
import { invalidField } from '../../../base/fault.ts'
import { isRecord } from '../../../base/schema/pick.ts'
import { limits } from '../../../domain/limits/limits.ts'
import {
  type ProbeHello,
  probeProtocol,
  probeResultsMax,
} from '../../../domain/locations/protocol.ts'
import { needJsonType } from '../../input/json-body.ts'
import { malformed, scanJson } from '../../input/json-scan.ts'
import { parseQuery } from '../../input/query.ts'
import {
  atPrefix,
  get,
  type PlainAnswer,
  post,
  type Route,
  resource,
  type SentRequest,
} from '../../routing/route.ts'

const resultsBytesMax = 2 * 1024 * 1024
/**
 * Keys of one result, with evidence and findings. One that names the captures of many steps has more, and takes so
 * many bytes that a batch has few of them.
 */
const resultKeysMax = 300
const kindsMax = 100
const wordCharsMax = 100

const spec = {
  who: { probe: true },
  rate: 'probe',
  unparsed: { headers: ['content-type'] },
  plain: { status: 200, contentType: 'application/json' },
} as const

function jsonAnswer(document: object, status = 200): PlainAnswer {
  return { plain: true, status, contentType: 'application/json', body: JSON.stringify(document) }
}

const nothingNew: PlainAnswer = { plain: true, status: 204, contentType: 'text/plain', body: '' }

/** An object. A key that comes twice is not refused, nor is half of a surrogate pair: a probe would repeat it. */
function bodyOf(sent: SentRequest, keysMax: number): Record<string, unknown> {
  needJsonType('POST', sent.header('content-type'))
  if (!isUtf8(sent.body)) throw malformed('The body is not UTF-8')
  // The scan takes as long as the parser. A smaller body cannot have more in it than the scan lets pass.
  if (sent.body.length > limits.jsonSliceBytes) scanJson(sent.body, keysMax)
  const value = parsed(sent.body.toString())
  if (!isRecord(value)) throw malformed('The body is not an object')
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON')
  }
}

function helloOf({ protocol, version, kinds }: Record<string, unknown>): ProbeHello {
  if (typeof protocol !== 'number') throw invalidField('/protocol', 'type', 'must be a number')
  if (typeof version !== 'string') throw invalidField('/version', 'type', 'must be a text')
  if (!Array.isArray(kinds)) throw invalidField('/kinds', 'type', 'must be a list')
  const words = kinds.filter((kind) => typeof kind === 'string' && kind.length <= wordCharsMax)
  return { protocol, version: version.slice(0, wordCharsMax), kinds: words.slice(0, kindsMax) }
}

/** What a probe with another version of the protocol is told: which side is to be upgraded. */
function mismatch(protocol: number): PlainAnswer {
  const isOld = protocol < probeProtocol
  const status = isOld ? 426 : 400
  const title = 'Another version of the protocol'
  const whose = isOld ? 'probe' : 'service'
  const detail = `The probe speaks version ${protocol} of the protocol, and this service version ${probeProtocol}: upgrade the ${whose}.`
  return jsonAnswer({ title, status, detail, code: 'protocol', protocol: probeProtocol }, status)
}

/** A query parameter; '' if it is missing. */
function parameter({ queryText }: SentRequest, name: string): string {
  return parseQuery(queryText).find(([one]) => one === name)?.[1] ?? ''
}

export const probeRoutes: readonly Route[] = atPrefix(
  '/api/v1',
  resource('/probe', {
    session: post('/session', spec).handledBy(({ probe, sent }, { probeLink }) => {
      const hello = helloOf(bodyOf(sent, limits.jsonKeysMax))
      if (hello.protocol !== probeProtocol) return mismatch(hello.protocol)
      return jsonAnswer(probeLink.hello(probe, hello))
    }),
    plan: get('/plan', { ...spec, isHeld: true }).handledBy(
      async ({ probe, sent, signal }, { probeLink }) => {
        const since = Number(parameter(sent, 'since'))
        const plan = await probeLink.plan(probe, parameter(sent, 'session'), since, signal)
        return plan ? jsonAnswer(plan) : nothingNew
      },
    ),
    results: post('/results', { ...spec, bodyBytesMax: resultsBytesMax }).handledBy(
      async ({ probe, sent }, { probeLink }) => {
        const { session, results, self } = bodyOf(sent, probeResultsMax * resultKeysMax)
        if (typeof session !== 'string') throw invalidField('/session', 'type', 'must be a text')
        if (!Array.isArray(results) || results.length > probeResultsMax) {
          const rule = `must be a list of at most ${probeResultsMax}`
          throw invalidField('/results', 'maxItems', rule)
        }
        return jsonAnswer(await probeLink.results(probe, { session, results, self }))
      },
    ),
  }),
)
