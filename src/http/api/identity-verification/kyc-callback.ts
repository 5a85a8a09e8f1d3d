// The callback of the identity verification provider: signed, so without a credential.
import { Fault } from '../../../base/fault.ts'
import { anyText, object, oneOf } from '../../../base/schema/schema.ts'
import { createCheck } from '../../../base/schema/validate.ts'
import { kycStates } from '../../../domain/identity-verification/kyc.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { CallbackIn } from '../../../kyc/http-provider.ts'
import { needJsonType, parseJsonBody } from '../../input/json-body.ts'
import { sentenceOf } from '../../input/query.ts'
import { post, resource } from '../../routing/route.ts'

const check = createCheck(CallbackIn, limits.fieldProblemsMax)

function callbackOf(body: Buffer): CallbackIn {
  const value = parseJsonBody(body, { keysMax: limits.jsonKeysMax })
  const errors = check(value)
  if (errors.length === 0) return value as CallbackIn
  throw new Fault('validation_failed', sentenceOf(errors, 'body'), { errors })
}

export const kycCallback = resource('/identity/kyc', {
  callback: post('/callback', {
    who: { public: true },
    summary: 'Callback of the provider at kyc.url with a decision, signed like webhooks',
    unparsed: {
      headers: ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'],
    },
    bodyBytesMax: limits.kycCallbackBytesMax,
    body: CallbackIn,
    out: object({ verificationId: anyText, status: oneOf(kycStates) }),
    message: 'Callback accepted',
    problems: [400, 401, 404, 409, 413, 415, 422],
  }).handledBy(async ({ caller, sent }, { kycCallbacks }) => {
    const id = sent.header('webhook-id')
    // The signature is verified before the body is parsed.
    kycCallbacks.verify({
      id,
      timestamp: sent.header('webhook-timestamp'),
      signature: sent.header('webhook-signature'),
      body: sent.body.toString('utf8'),
    })
    needJsonType('POST', sent.header('content-type'))
    const taken = await kycCallbacks.take(caller, id, callbackOf(sent.body))
    return { verificationId: taken.id, status: taken.state }
  }),
})
