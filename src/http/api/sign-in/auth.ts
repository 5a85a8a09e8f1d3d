// The API of registration, sign-in, sign-out and the session, with its cookie.
import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { roles } from '../../../domain/access.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { SessionInfo } from '../../../services/sign-in/people.ts'
import {
  OrganizationOut,
  organizationName,
  organizationToWire,
} from '../../output/organization-wire.ts'
import { UserOut, userToWire } from '../../output/user-wire.ts'
import { sessionCookie, signInCookies } from '../../pipeline/session-cookie.ts'
import { documented } from '../../routing/documented.ts'
import { answer, get, post, resource } from '../../routing/route.ts'

const email = s.text({ charsMax: limits.emailCharsMax, format: 'email' })

const RegisterIn = documented(
  s.object({
    email,
    password: s.text({ charsMin: limits.passwordCharsMin, charsMax: limits.passwordCharsMax }),
    name: s.optional(s.text({ charsMax: limits.nameCharsMax })),
    organizationName: s.optional(organizationName),
    inviteToken: s.optional(s.text({ charsMax: limits.linkTokenCharsMax })),
    referralCode: s.optional(s.text({ charsMax: limits.linkTokenCharsMax })),
    setupToken: s.optional(s.text({ charsMax: limits.setupTokenCharsMax })),
  }),
  { not: { required: ['inviteToken', 'organizationName'] } },
)

const LoginIn = s.object({
  email: s.text({ charsMax: limits.emailCharsMax }),
  password: s.text({ charsMax: limits.passwordCharsMax }),
  totp: s.optional(s.text({ charsMax: limits.totpCharsMax })),
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
    s.object({ id: Type.String(), name: Type.String(), role: s.oneOf(roles) }),
  ),
  expiresAt: s.isoTime,
  hasTotp: s.flag,
})

const sessionToWire = ({ user, session, organizations }: SessionInfo) => ({
  user: userToWire(user),
  organizations,
  expiresAt: s.toIso(session.expiresAtMs),
})

export const auth = resource('/auth', {
  register: post('/register', {
    who: { public: true },
    summary: 'Create an account with an organization, and sign in',
    rate: 'auth',
    rateField: 'email',
    rateGroup: 'sign-in',
    body: RegisterIn,
    out: RegisteredOut,
    problems: [410],
    message: 'Account created',
  }).handledBy(async ({ caller, body }, services) => {
    const { organization, ...signedIn } = await services.people.register(caller, body)
    const { user, token } = signedIn
    const own = organizationToWire(organization)
    const data = { user: userToWire(user), organization: own, token }
    return answer(data, { headers: signInCookies(signedIn, services) })
  }),
  login: post('/login', {
    who: { public: true },
    summary: 'Sign in',
    rate: 'auth',
    rateField: 'email',
    rateGroup: 'sign-in',
    knowsDevices: true,
    body: LoginIn,
    out: SignedInOut,
    message: 'Signed in',
  }).handledBy(async ({ caller, body, device }, services) => {
    const signedIn = await services.people.signIn(caller, { ...body, device })
    const data = { user: userToWire(signedIn.user), token: signedIn.token }
    return answer(data, { headers: signInCookies(signedIn, services) })
  }),
  logout: post('/logout', {
    who: { user: true },
    summary: 'End this session',
    message: 'Signed out',
  }).handledBy(async ({ caller }, { people, baseUrl }) => {
    await people.signOut(caller)
    return answer(null, { headers: [sessionCookie(null, baseUrl)] })
  }),
  session: get('/session', {
    who: { user: true },
    summary: 'The current user and session',
    out: SessionOut,
  }).handledBy(({ caller }, { people, factors }) => ({
    ...sessionToWire(people.session(caller)),
    hasTotp: factors.isEnrolled(caller.principal.userId),
  })),
})
