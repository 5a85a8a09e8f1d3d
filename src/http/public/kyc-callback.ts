// Where the provider of identity verifications says its decision: signed, so without a credential.
import { Fault } from '../../base/fault.ts'
import { anyText, object, oneOf } from '../../base/schema/schema.ts'
import { createCheck } from '../../base/schema/validate.ts'
import { kycStates } from '../../domain/identity-verification/kyc.ts'
import { limits } from '../../domain/limits/limits.ts'
import { CallbackIn } from '../../kyc/http-provider.ts'
import { needJsonType, parseJsonBody } from '../input/json-body.ts'
import { sentenceOf } from '../input/query.ts'
import { envelope } from '../output/respond.ts'
import type { RawRequest, RawRoute } from '../routing/raw-route.ts'
import type { Services } from '../routing/services.ts'

const check = createCheck(CallbackIn, limits.fieldProblemsMax)

function callbackOf(body: Buffer): CallbackIn {
  const value = parseJsonBody(body, { keysMax: limits.jsonKeysMax })
  const errors = check(value)
  if (errors.length === 0) return value as CallbackIn
  throw new Fault('validation_failed', sentenceOf(errors, 'body'), { errors })
}

async function handle(request: RawRequest, { kycCallbacks }: Services) {
  const id = request.header('webhook-id')
  // Judged before anything of the body is read.
  kycCallbacks.verify({
    id,
    timestamp: request.header('webhook-timestamp'),
    signature: request.header('webhook-signature'),
    body: request.body.toString('utf8'),
  })
  needJsonType('POST', request.header('content-type'))
  const taken = await kycCallbacks.take(request.caller, id, callbackOf(request.body))
  return envelope({ verificationId: taken.id, status: taken.state }, 'Callback accepted')
}

export const kycCallbackRoute: RawRoute = {
  name: 'kyc.callback',
  method: 'POST',
  path: '/api/v1/identity/kyc/callback',
  rate: 'api',
  headers: ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
  bodyBytesMax: limits.kycCallbackBytesMax,
  handle,
  spec: {
    tag: 'kyc',
    summary: 'Callback of the provider at kyc.url with a decision, signed like webhooks',
    query: object({}),
    body: CallbackIn,
    out: object({ verificationId: anyText, status: oneOf(kycStates) }),
    message: 'Callback accepted',
    problems: [400, 401, 404, 409, 413, 415, 422],
  },
}
