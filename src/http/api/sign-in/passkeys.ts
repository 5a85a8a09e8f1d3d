// The API of passkeys: added, listed and removed by the person; used to sign in and to confirm.
import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { UserOut, userToWire } from '../../output/account-wire.ts'
import { withTimes } from '../../output/times.ts'
import {
  passkeyCookie,
  passkeyCookieName,
  sessionCookie,
  signInCookies,
} from '../../pipeline/session-cookie.ts'
import { answer, del, get, list, patch, post, resource, wirePage } from '../../routing/route.ts'
import { ReauthenticatedOut } from './second-step.ts'

const transportsMax = 10
const transportCharsMax = 32
/** Ids of credentials have at most 1,023 bytes. */
const credentialIdCharsMax = 1_364
const clientDataCharsMax = 8_192
const authenticatorDataCharsMax = 16_384
const signatureCharsMax = 2_048
const userHandleCharsMax = 128

/** Bytes as base64url; `description` says of what. */
const encoded = (charsMax: number, description: string) =>
  s.text({ charsMin: 1, charsMax, pattern: '^[\\w-]+$', rule: 'must be base64url', description })

const credentialId = encoded(credentialIdCharsMax, 'The id of the credential, as base64url.')
const clientDataJSON = encoded(
  clientDataCharsMax,
  'What the browser was asked, and where, as base64url.',
)

// Browsers send more members than these, and new ones come: they are passed over.
const CreatedIn = Type.Object({
  id: credentialId,
  response: s.described(
    Type.Object({
      clientDataJSON,
      attestationObject: encoded(
        authenticatorDataCharsMax,
        'The public key of the credential and its authenticator, as base64url.',
      ),
      transports: s.optional(
        s.listOf(s.text({ charsMax: transportCharsMax }), transportsMax),
        'How the authenticator is reached, such as `internal` or `usb`.',
      ),
    }),
    'What the authenticator answered.',
  ),
})
const UsedIn = Type.Object({
  id: credentialId,
  response: s.described(
    Type.Object({
      clientDataJSON,
      authenticatorData: encoded(
        authenticatorDataCharsMax,
        'What the authenticator saw: the site, the person, its counter; as base64url.',
      ),
      signature: encoded(signatureCharsMax, 'The signature over both, as base64url.'),
      userHandle: s.optionalOrNull(
        s.text({ charsMax: userHandleCharsMax }),
        'Whose credential it is, as base64url; null if the authenticator does not say.',
      ),
    }),
    'What the authenticator answered.',
  ),
})

const exampleId = 'AZkfGYrIVRgH4Z2bM0QWlQ'
const exampleClientData = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'
const exampleUse = {
  credential: {
    id: exampleId,
    response: {
      clientDataJSON: exampleClientData,
      authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
      signature: 'MEUCIQDd',
    },
  },
}

const name = s.text({
  charsMin: 1,
  charsMax: limits.nameCharsMax,
  description: 'How you call it, such as the device that has it.',
})
const AddIn = s.object({
  name,
  credential: s.described(CreatedIn, 'What `navigator.credentials.create` returned, as JSON.'),
})
const UseIn = s.object({
  credential: s.described(UsedIn, 'What `navigator.credentials.get` returned, as JSON.'),
})

const PasskeyOut = s.object({
  id: s.idOf('passkey'),
  name: s.anyText,
  isSynced: s.described(s.flag, 'A copy is kept elsewhere, as by a password manager.'),
  createdAt: s.isoTime,
  lastUsedAt: s.nullable(s.isoTime),
})
const passkeyTimes = withTimes('createdAt', 'lastUsedAt')

const CredentialOut = s.object({
  id: s.anyText,
  type: s.anyText,
  transports: s.listOf(s.anyText, transportsMax),
})
const CreationOut = s.object({
  rp: s.object({ id: s.anyText, name: s.anyText }),
  user: s.object({ id: s.anyText, name: s.anyText, displayName: s.anyText }),
  challenge: s.anyText,
  pubKeyCredParams: Type.Array(s.object({ type: s.anyText, alg: s.anyNumber })),
  timeout: s.anyNumber,
  attestation: s.anyText,
  excludeCredentials: Type.Array(CredentialOut),
  authenticatorSelection: s.object({
    residentKey: s.anyText,
    requireResidentKey: s.flag,
    userVerification: s.anyText,
  }),
})
const RequestOut = s.object({
  challenge: s.anyText,
  rpId: s.anyText,
  timeout: s.anyNumber,
  userVerification: s.anyText,
  allowCredentials: Type.Array(CredentialOut),
})

const person = { user: true } as const
const personAgain = { user: true, sudo: true } as const
const withChallenge = { rate: 'auth', cookie: passkeyCookieName, problems: [410] } as const

export const passkeys = resource('/auth/passkeys', {
  about:
    'Passkeys: a device or a password manager signs in without a password and without a code. What a ' +
    'browser is asked for comes with a cookie, which its answer needs; it lasts 5 minutes and works once.',
  list: list('/', { who: person, summary: 'Your passkeys', out: PasskeyOut }).handledBy(
    ({ caller, page }, { passkeys }) => wirePage(passkeys.list(caller, page), passkeyTimes),
  ),
  beginAdding: post('/options', {
    who: personAgain,
    summary: 'What a browser needs to make a passkey',
    rate: 'auth',
    example: {},
    body: s.object({
      totp: s.optional(
        s.text({ charsMax: limits.totpCharsMax }),
        'With a second factor: a code of the authenticator app, or a recovery code.',
      ),
    }),
    out: CreationOut,
  }).handledBy(async ({ caller, body }, { passkeys, baseUrl }) => {
    const { options, flow } = await passkeys.beginAdding(caller, body.totp)
    return answer(options, { headers: [passkeyCookie(flow, baseUrl)] })
  }),
  add: post('/', {
    ...withChallenge,
    who: personAgain,
    summary: 'Add the passkey that a browser made',
    example: {
      name: 'Laptop',
      credential: {
        id: exampleId,
        response: { clientDataJSON: exampleClientData, attestationObject: 'o2NmbXRkbm9uZQ' },
      },
    },
    body: AddIn,
    out: PasskeyOut,
    message: 'Passkey added',
  }).handledBy(async ({ caller, body, cookie }, { passkeys, baseUrl }) => {
    const { name, credential: created } = body
    const made = await passkeys.add(caller, { name, created, sealed: cookie })
    return answer(passkeyTimes(made), { headers: [passkeyCookie(null, baseUrl)] })
  }),
  rename: patch('/:passkeyId', {
    who: person,
    summary: 'Rename one of your passkeys',
    isOfMany: true,
    example: { name: 'Old laptop' },
    body: s.object({ name }),
    out: PasskeyOut,
    message: 'Passkey renamed',
  }).handledBy(async ({ caller, params, body }, { passkeys }) =>
    passkeyTimes(await passkeys.rename(caller, params.passkeyId, body.name)),
  ),
  remove: del('/:passkeyId', {
    who: personAgain,
    summary: 'Remove one of your passkeys',
    message: 'Passkey removed',
  }).handledBy(({ caller, params }, { passkeys }) => passkeys.remove(caller, params.passkeyId)),
  beginSignIn: get('/sign-in', {
    who: { public: true },
    summary: 'What a browser needs to sign in with a passkey',
    rate: 'auth',
    problems: [409],
    out: RequestOut,
  }).handledBy((_call, { passkeys, baseUrl }) => {
    const { options, flow } = passkeys.beginSignIn()
    return answer(options, { headers: [passkeyCookie(flow, baseUrl)] })
  }),
  signIn: post('/sign-in', {
    ...withChallenge,
    who: { public: true },
    summary: 'Sign in with a passkey, which is both factors',
    example: exampleUse,
    body: UseIn,
    out: s.object({ user: UserOut, token: s.anyText }),
    message: 'Signed in',
  }).handledBy(async ({ caller, body, cookie }, services) => {
    const signedIn = await services.passkeys.signIn(caller, cookie, body.credential)
    const cleared = passkeyCookie(null, services.baseUrl)
    const headers = [...signInCookies(signedIn, services), cleared]
    return answer({ user: userToWire(signedIn.user), token: signedIn.token }, { headers })
  }),
  beginConfirming: get('/confirm', {
    who: person,
    summary: 'What a browser needs to confirm your identity with a passkey',
    problems: [409],
    out: RequestOut,
  }).handledBy(({ caller }, { passkeys, baseUrl }) => {
    const { options, flow } = passkeys.beginConfirming(caller)
    return answer(options, { headers: [passkeyCookie(flow, baseUrl)] })
  }),
  confirm: post('/confirm', {
    ...withChallenge,
    who: person,
    summary: 'Confirm your identity with a passkey, for 15 minutes of sensitive actions',
    example: exampleUse,
    body: UseIn,
    out: ReauthenticatedOut,
    message: 'Confirmed',
  }).handledBy(async ({ caller, body, cookie }, { passkeys, baseUrl }) => {
    const { token, freshUntilMs } = await passkeys.confirm(caller, cookie, body.credential)
    const headers = [sessionCookie(token, baseUrl), passkeyCookie(null, baseUrl)]
    return answer({ token, freshUntil: s.toIso(freshUntilMs) }, { headers })
  }),
})
