// The API of identity verification: for the person, with the session in the header `auth-token`; and
// the provider's signed callback.

import { Fault } from '../../../base/fault.ts'
import * as s from '../../../base/schema/schema.ts'
import { createCheck } from '../../../base/schema/validate.ts'
import {
  genders,
  kycProviders,
  kycStates,
  type SubmittedFields,
  submissionProblems,
} from '../../../domain/identity-verification/kyc.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { CallbackIn } from '../../../kyc/http-provider.ts'
import type { KycStatus } from '../../../services/identity-verification/kyc.ts'
import { needJsonType, parseJsonBody } from '../../input/json-body.ts'
import { sentenceOf } from '../../input/query.ts'
import { exampleEmail } from '../../openapi/examples.ts'
import { documented } from '../../routing/documented.ts'
import { del, get, post, resource } from '../../routing/route.ts'

// Only a header: browsers do not send it by themselves, so no other site can submit for a person.
const who = { user: true, tokenHeader: true } as const

/** One line of text with at least one visible character. */
const line = (charsMax: number) =>
  s.text({
    charsMax,
    pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
    rule: 'must be text in one line',
  })

const kycBodyBytesMax = 32 * 1024
const kycCallbackBytesMax = 8 * 1024
const kycNameCharsMax = 100
const kycPhoneCharsMax = 40
const kycAddressCharsMax = 200
const kycNumbersMax = 10
const kycNumberCharsMax = 64

const name = line(kycNameCharsMax)
/** One line of text, or an empty one, which means none. */
const lineOrNone = (charsMax: number) =>
  s.text({
    charsMax,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    rule: 'must be text in one line',
  })
/** A line of an address. */
const place = (words: string) => s.optional(lineOrNone(kycAddressCharsMax), words)

const KycIn = s.object({
  firstName: s.described(name, 'As in the identity document.'),
  lastName: s.described(name, 'As in the identity document.'),
  email: s.text({
    charsMax: limits.emailCharsMax,
    format: 'email',
    description: 'Where the person is reached; it may differ from the address of the account.',
  }),
  phone: s.optional(lineOrNone(kycPhoneCharsMax), 'A telephone number.'),
  dateOfBirth: documented(
    s.text({
      charsMax: 10,
      pattern: '^\\d{4}-\\d{2}-\\d{2}$',
      rule: 'must be a date as YYYY-MM-DD',
      description: `${limits.kycAgeYearsMin} to ${limits.kycAgeYearsMax} years ago`,
    }),
    { format: 'date' },
  ),
  country: s.text({
    charsMax: kycNameCharsMax,
    pattern: '^[A-Za-z]{2,3}$',
    rule: 'must be an ISO 3166-1 country code, such as DE or DEU',
    description: 'The country of the identity document: a code of two or three letters.',
  }),
  identityNumbers: s.optional(
    s.mapOf(lineOrNone(kycNumberCharsMax), kycNumbersMax),
    'Numbers of documents by their kind, such as `passport`. The names are yours to choose.',
  ),
  gender: s.optional(s.oneOf([...genders, '']), "`''`: not stated."),
  address: s.optional(
    s.object({
      street: place('Street and number.'),
      street2: place('A second line, such as the apartment.'),
      city: place('The town.'),
      state: place('The state or province.'),
      postalCode: place('The postal code.'),
      country: place('The country, by its name or code.'),
    }),
    'Where the person lives.',
  ),
})

const KycOut = s.object({
  verificationId: s.anyText,
  status: s.oneOf(kycStates),
  provider: s.oneOf(kycProviders),
})

/** The stored fields: masked, or unmasked for callers who may see them. */
export const StoredFieldsOut = s.listOf(
  s.object({ name: s.anyText, value: s.anyText }),
  limits.jsonKeysMax,
)

const StatusOut = s.object({
  verificationId: s.nullable(s.anyText),
  status: s.oneOf(['none', ...kycStates]),
  provider: s.nullable(s.oneOf(kycProviders)),
  submittedAt: s.nullable(s.isoTime),
  decidedAt: s.nullable(s.isoTime),
  reason: s.nullable(s.anyText),
  fields: StoredFieldsOut,
})

function statusToWire(found: KycStatus | undefined) {
  if (!found) {
    const nothing = { verificationId: null, provider: null, submittedAt: null, decidedAt: null }
    return { ...nothing, status: 'none' as const, reason: null, fields: [] }
  }
  const { verification, fields, reason } = found
  const { id, state, provider, submittedAtMs, decidedAtMs } = verification
  return {
    verificationId: id,
    status: state,
    provider,
    reason,
    fields,
    submittedAt: s.toIso(submittedAtMs),
    decidedAt: s.toIsoOrNull(decidedAtMs),
  }
}

export const identityKyc = resource('/identity/kyc', {
  about: 'Verification of identity, where the operator asks for it: submission, review, decision.',
  verify: post('/verify', {
    who,
    summary: 'Submit your details to verify your identity',
    bodyBytesMax: kycBodyBytesMax,
    example: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: exampleEmail,
      phone: '+44 20 7946 0958',
      dateOfBirth: '1990-12-10',
      country: 'GB',
      identityNumbers: { passport: '925665416' },
      gender: 'female',
      address: {
        street: '12 St James Square',
        city: 'London',
        postalCode: 'SW1Y 4JH',
        country: 'GB',
      },
    },
    body: KycIn,
    rules: (fields: Partial<SubmittedFields>, { nowMs }) => submissionProblems(fields, nowMs),
    out: KycOut,
    message: 'Verification initiated',
  }).createdBy(
    ({ caller, body }, { kyc }) => kyc.submit(caller, body),
    ({ id, state, provider }) => ({ verificationId: id, status: state, provider }),
  ),
  status: get('/', {
    who,
    summary: 'The state of your verification, and which fields are stored',
    out: StatusOut,
  }).handledBy(({ caller }, { kyc }) => statusToWire(kyc.status(caller))),
  erase: del('/', {
    who,
    summary: 'Erase everything you submitted; a pending verification ends',
    out: s.object({ erased: s.anyNumber }),
    message: 'Submitted details erased',
  }).handledBy(async ({ caller }, { kyc }) => ({ erased: await kyc.erase(caller) })),
})

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
    bodyBytesMax: kycCallbackBytesMax,
    example: { verificationId: 'kyc_01karp3m5p7r9t1w3y5a7c9e1g', status: 'approved' },
    body: CallbackIn,
    out: s.object({ verificationId: s.anyText, status: s.oneOf(kycStates) }),
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
