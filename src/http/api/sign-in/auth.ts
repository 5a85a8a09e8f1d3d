// The API of registration, sign-in, sign-out and sessions, with their cookie.

import Type from 'typebox'
import { Fault, invalidField } from '../../../base/fault.ts'
import * as s from '../../../base/schema/schema.ts'
import { roles } from '../../../domain/access.ts'
import { localeOf } from '../../../domain/language.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Session } from '../../../domain/people/person.ts'
import { passkeyStates } from '../../../domain/sign-in/passkey.ts'
import { consolePath, nextPath } from '../../../domain/sign-in/redirect.ts'
import { codePage } from '../../../pages/sign-in-page.ts'
import type { Services } from '../../../services/assembly/services.ts'
import { privateAnswerStates } from '../../../services/checks/private-answers.ts'
import type { Caller } from '../../../services/context.ts'
import { preferencesOf } from '../../../services/people/profile.ts'
import type { PasswordArrival, SessionInfo } from '../../../services/sign-in/people.ts'
import type { Proof } from '../../../services/sign-in/reauthentication.ts'
import { exampleEmail, examplePassword } from '../../openapi/examples.ts'
import {
  OrganizationOut,
  organizationLocale,
  organizationName,
  organizationToWire,
  PreferencesOut,
  UserOut,
  userToWire,
} from '../../output/account-wire.ts'
import { notSignedInAnswer, registerAnswer, signInAnswer } from '../../output/entrance-answer.ts'
import {
  formOrJson,
  orFaultPage,
  pageAnswer,
  problemIn,
  seeOther,
} from '../../output/page-answer.ts'
import { withTimes } from '../../output/times.ts'
import {
  codeCookie,
  codeCookieName,
  sessionCookie,
  signInCookies,
} from '../../pipeline/session-cookie.ts'
import { documented, eitherOf } from '../../routing/documented.ts'
import {
  answer,
  del,
  get,
  list,
  type PlainAnswer,
  post,
  resource,
  wirePage,
} from '../../routing/route.ts'
import { codeField, ReauthenticatedOut, rememberedField } from './second-step.ts'

const email = s.text({ charsMax: limits.emailCharsMax, format: 'email' })
const totpWords =
  'With a second factor: the code of the authenticator app, or a recovery code. Without it the answer is `totp_required`.'

const RegisterIn = documented(
  s.object({
    email: s.described(email, 'The address to sign in with. A letter asks to confirm it.'),
    password: s.text({
      charsMin: limits.passwordCharsMin,
      charsMax: limits.passwordCharsMax,
      description: 'The password to sign in with; common ones are refused.',
    }),
    name: s.optional(s.text({ charsMax: limits.nameCharsMax }), 'The name of the person.'),
    organizationName: s.optional(
      organizationName,
      'The name of the new organization. Absent: the name of the person, else My organization.',
    ),
    inviteToken: s.optional(
      s.text({ charsMax: limits.linkTokenCharsMax }),
      'The token of an invitation: the account joins its organization instead of a new one.',
    ),
    referralCode: s.optional(
      s.text({ charsMax: limits.linkTokenCharsMax }),
      'The referral code of another user, who is credited with the account.',
    ),
    setupToken: s.optional(
      s.text({ charsMax: limits.setupTokenCharsMax }),
      'For the first account of the service: the token that the daemon prints until then.',
    ),
  }),
  {
    not: {
      required: ['inviteToken', 'organizationName'],
      properties: { inviteToken: {}, organizationName: {} },
    },
  },
)

const LoginCodeIn = s.object({ totp: codeField, isRemembered: rememberedField })

const LoginIn = s.object({
  email: s.text({ charsMax: limits.emailCharsMax, description: 'The address of the account.' }),
  password: s.text({ charsMax: limits.passwordCharsMax, description: 'Its password.' }),
  totp: s.optional(s.text({ charsMax: limits.totpCharsMax }), totpWords),
  isRemembered: rememberedField,
  redirectUri: s.optional(
    s.text({
      charsMax: limits.redirectUriCharsMax,
      description: 'Where a form leads after the sign-in: a path of this service, such as /app',
    }),
  ),
})

const RegisteredOut = s.object({
  user: UserOut,
  organization: OrganizationOut,
  token: Type.String(),
})
const SignedInOut = s.object({ user: UserOut, token: Type.String() })
const SessionOut = s.object({
  user: UserOut,
  organizations: Type.Array(
    s.object({
      id: Type.String(),
      name: Type.String(),
      role: s.oneOf(roles),
      timezone: organizationLocale.timezone,
    }),
  ),
  expiresAt: s.isoTime,
  hasTotp: s.flag,
  hasPasskey: s.flag,
  passkeyState: s.described(
    s.oneOf(passkeyStates),
    'Whether browsers allow passkeys at `http.baseUrl`: it needs https unless it is local, and a name.',
  ),
  preferences: s.described(PreferencesOut, 'What the person arranged for themself.'),
  privateAnswers: s.nullable(
    s.oneOf(privateAnswerStates),
    'Whether the service keeps what failed targets at private addresses answer; null for a person ' +
      'who is in no organization and does not operate the service.',
  ),
})

const sessionToWire = ({ user, session, organizations }: SessionInfo) => ({
  user: userToWire(user),
  organizations: organizations.map((one) => ({ ...one, timezone: localeOf(one).timezone })),
  expiresAt: s.toIso(session.expiresAtMs),
})

const ListedSessionOut = s.object({
  id: s.idOf('session'),
  address: s.anyText,
  userAgent: s.anyText,
  createdAt: s.isoTime,
  lastSeenAt: s.isoTime,
  expiresAt: s.isoTime,
  isCurrent: s.flag,
})

const TrustedDeviceOut = s.object({
  id: s.idOf('device'),
  address: s.anyText,
  userAgent: s.anyText,
  createdAt: s.isoTime,
  lastUsedAt: s.isoTime,
  expiresAt: s.isoTime,
})
const deviceTimes = withTimes('createdAt', 'lastUsedAt', 'expiresAt')

const ReauthenticateIn = documented(
  s.object({
    password: s.optional(s.text({ charsMax: limits.passwordCharsMax }), 'Your password.'),
    totp: s.optional(
      s.text({ charsMax: limits.totpCharsMax }),
      'Instead of the password: a code of your authenticator app, or a recovery code.',
    ),
  }),
  eitherOf('password', 'totp'),
)

const sessionTimes = withTimes('createdAt', 'lastSeenAt', 'expiresAt')
const listedSessionToWire = (session: Session, currentId: string) => ({
  ...sessionTimes(session),
  isCurrent: session.id === currentId,
})

function proofOf({ password, totp }: { password?: string; totp?: string }): Proof {
  if (password !== undefined && totp === undefined) return { password }
  if (totp !== undefined && password === undefined) return { totp }
  throw invalidField('', 'oneOf', 'must have either password or totp')
}

export const auth = resource('/auth', {
  about: 'Accounts, sign-in with a password, sessions, and links by letter.',
  register: post('/register', {
    ...formOrJson,
    who: { public: true },
    summary: 'Create an account with an organization, and sign in',
    rate: 'auth',
    rateField: 'email',
    rateGroup: 'sign-in',
    example: {
      email: exampleEmail,
      password: examplePassword,
      name: 'Ada',
      organizationName: 'Acme',
    },
    body: RegisterIn,
    out: RegisteredOut,
    problems: [410],
    message: 'Account created',
  }).handledBy(({ caller, body, isForm }, services) => {
    const { email, referralCode } = body
    const pageOf = (fault: Fault) =>
      registerAnswer(services, caller, referralCode, { fault, email })
    return orFaultPage(isForm, pageOf, async () => {
      const { organization, ...signedIn } = await services.people.register(caller, body)
      const { user, token } = signedIn
      const headers = signInCookies(signedIn, services)
      if (isForm) return seeOther(consolePath, headers)
      const own = organizationToWire(organization)
      return answer({ user: userToWire(user), organization: own, token }, { headers })
    })
  }),
  login: post('/login', {
    ...formOrJson,
    who: { public: true },
    summary: 'Sign in',
    rate: 'auth',
    rateField: 'email',
    rateGroup: 'sign-in',
    knowsDevices: true,
    example: { email: exampleEmail, password: examplePassword },
    body: LoginIn,
    out: SignedInOut,
    message: 'Signed in',
  }).handledBy(({ caller, body, device, trusted, isForm }, services) => {
    const { email, redirectUri } = body
    const input = { ...body, device, trusted }
    const pageOf = (fault: Fault) => {
      // The pipeline does not see a refusal that is answered with a page, so it is recorded here, as
      // the pipeline would: a request for the second factor is no failed sign-in.
      if (fault.code === 'invalid_credentials') {
        services.audit.signInFailed(caller, email, `auth.login: ${fault.code}`)
      }
      return signInAnswer(services, caller, redirectUri, { failed: { fault, email } })
    }
    return orFaultPage(isForm, pageOf, async () => {
      if (isForm) {
        const arrival = await services.people.begin(caller, nextPath(redirectUri), input)
        return arrivalPage(caller, services, arrival)
      }
      const signedIn = await services.people.signIn(caller, input)
      const headers = signInCookies(signedIn, services)
      return answer({ user: userToWire(signedIn.user), token: signedIn.token }, { headers })
    })
  }),
  confirmLogin: post('/login/code', {
    ...formOrJson,
    who: { public: true },
    summary: 'The second step of a sign-in by the form: the code alone',
    description:
      'Takes the cookie `sign-in-code`, which the form of the password sets where the account has a ' +
      'second factor. It lasts 5 minutes, works once, and takes a few codes.',
    rate: 'auth',
    cookie: codeCookieName,
    example: { totp: '492039' },
    body: LoginCodeIn,
    out: SignedInOut,
    problems: [410],
    message: 'Signed in',
  }).handledBy(({ caller, body, cookie, isForm }, services) => {
    const pageOf = (fault: Fault) => {
      services.audit.signInFailed(caller, undefined, `auth.confirmLogin: ${fault.code}`)
      return notSignedInAnswer(caller, fault)
    }
    return orFaultPage(isForm, pageOf, async () => {
      const arrival = await services.people.confirm(caller, { ...body, sealed: cookie })
      if (isForm) return confirmedPage(caller, services, arrival)
      if (arrival.step === 'code') throw arrival.problem ?? new Fault('invalid_credentials')
      const { user, token } = arrival.signedIn
      const headers = arrivalCookies(services, arrival)
      return answer({ user: userToWire(user), token }, { headers })
    })
  }),
  logout: post('/logout', {
    ...formOrJson,
    who: { user: true },
    summary: 'End this session',
    message: 'Signed out',
  }).handledBy(async ({ caller, isForm }, { people, baseUrl }) => {
    await people.signOut(caller)
    const headers = [sessionCookie(null, baseUrl)]
    return isForm ? seeOther('/', headers) : answer(null, { headers })
  }),
  session: get('/session', {
    who: { user: true },
    summary: 'The current user and session',
    out: SessionOut,
  }).handledBy(({ caller }, { people, factors, passkeys, privateAnswers }) => {
    const info = people.session(caller)
    return {
      ...sessionToWire(info),
      preferences: preferencesOf(info.user),
      hasTotp: factors.isEnrolled(caller.principal.userId),
      hasPasskey: passkeys.hasAny(caller.principal.userId),
      passkeyState: passkeys.state,
      privateAnswers: privateAnswers.shownTo(info),
    }
  }),
  sessions: list('/sessions', {
    who: { user: true },
    summary: 'Your sessions',
    out: ListedSessionOut,
  }).handledBy(({ caller, page }, { sessions }) => {
    const { items, nextAfter } = sessions.list(caller, page)
    const own = items.map((session) => listedSessionToWire(session, caller.principal.sessionId))
    return { items: own, ...(nextAfter === undefined ? {} : { nextAfter }) }
  }),
  endSession: del('/sessions/:sessionId', {
    who: { user: true },
    summary: 'End one of your sessions',
    message: 'Session ended',
  }).handledBy(async ({ caller, params }, { sessions, baseUrl }) => {
    await sessions.end(caller, params.sessionId)
    const isOwn = params.sessionId === caller.principal.sessionId
    return answer(null, isOwn ? { headers: [sessionCookie(null, baseUrl)] } : {})
  }),
  devices: list('/devices', {
    who: { user: true },
    summary: 'Your devices that need no code of the second factor',
    out: TrustedDeviceOut,
  }).handledBy(({ caller, page }, { trustedDevices }) =>
    wirePage(trustedDevices.list(caller, page), deviceTimes),
  ),
  forgetDevice: del('/devices/:deviceId', {
    who: { user: true },
    summary: 'Forget one of your devices: its next sign-in needs a code',
    message: 'Device forgotten',
  }).handledBy(({ caller, params }, { trustedDevices }) =>
    trustedDevices.forget(caller, params.deviceId),
  ),
  reauthenticate: post('/reauthenticate', {
    who: { user: true },
    summary: 'Confirm your identity again, for 15 minutes of sensitive actions',
    rate: 'auth',
    example: { password: examplePassword },
    body: ReauthenticateIn,
    out: ReauthenticatedOut,
    message: 'Confirmed',
  }).handledBy(async ({ caller, body }, { reauthentication, baseUrl }) => {
    const { token, freshUntilMs } = await reauthentication.confirm(caller, proofOf(body))
    const headers = [sessionCookie(token, baseUrl)]
    return answer({ token, freshUntil: s.toIso(freshUntilMs) }, { headers })
  }),
})

const codePath = '/api/v1/auth/login/code'

function arrivalCookies(
  services: Services,
  { signedIn }: Extract<PasswordArrival, { readonly step: 'entered' }>,
) {
  return [...signInCookies(signedIn, services), codeCookie(null, codePath, services.baseUrl)]
}

/** Where the person goes on, or the page that asks for the code. */
function arrivalPage(
  { language }: Caller,
  services: Services,
  arrival: PasswordArrival,
): PlainAnswer {
  if (arrival.step === 'entered') {
    return seeOther(arrival.redirectUri, arrivalCookies(services, arrival))
  }
  const { flow } = arrival
  const page = codePage({
    language,
    action: codePath,
    trustDays: services.trustedDevices.days(),
    problem: problemIn(language, arrival.problem),
  })
  return pageAnswer(401, page, {
    headers: [codeCookie(flow, codePath, services.baseUrl)],
  })
}

function confirmedPage(caller: Caller, services: Services, arrival: PasswordArrival): PlainAnswer {
  // The pipeline does not see a refusal that is answered with a page, so it is recorded here.
  if (arrival.step === 'code') {
    services.audit.signInFailed(caller, undefined, 'auth.confirmLogin: invalid_credentials')
  }
  return arrivalPage(caller, services, arrival)
}
