// Sign-up, sign-in, sign-out and the session, with the cookie that carries it.
import Type from 'typebox'
import { isoTime, nullable, object, oneOf, optional, text, toIso } from '../../base/schema.ts'
import { roles } from '../../domain/access.ts'
import { limits } from '../../domain/limits.ts'
import type { User } from '../../domain/person.ts'
import type { SessionInfo } from '../../services/people.ts'
import { answer, get, post, resource } from '../route.ts'
import { sessionCookie } from '../session-cookie.ts'
import { OrganizationOut, organizationName, organizationToWire } from './orgs.ts'

const email = text({ charsMax: limits.emailCharsMax, format: 'email' })

const RegisterIn = object({
  email,
  password: text({ charsMin: limits.passwordCharsMin, charsMax: limits.passwordCharsMax }),
  name: optional(text({ charsMax: limits.nameCharsMax })),
  organizationName: optional(organizationName),
  setupToken: optional(text({ charsMax: limits.setupTokenCharsMax })),
})

const LoginIn = object({
  email: text({ charsMax: limits.emailCharsMax }),
  password: text({ charsMax: limits.passwordCharsMax }),
})

const UserOut = object({
  id: Type.String(),
  email: Type.String(),
  emailVerifiedAt: nullable(isoTime),
  name: nullable(Type.String()),
  isSystemAdmin: Type.Boolean(),
  createdAt: isoTime,
  updatedAt: isoTime,
})

const RegisteredOut = object({ user: UserOut, organization: OrganizationOut, token: Type.String() })
const SignedInOut = object({ user: UserOut, token: Type.String() })
const SessionOut = object({
  user: UserOut,
  organizations: Type.Array(object({ id: Type.String(), name: Type.String(), role: oneOf(roles) })),
  expiresAt: isoTime,
})

const userToWire = (user: User) => ({
  ...user,
  emailVerifiedAt: user.emailVerifiedAtMs === null ? null : toIso(user.emailVerifiedAtMs),
  createdAt: toIso(user.createdAtMs),
  updatedAt: toIso(user.updatedAtMs),
})

const sessionToWire = ({ user, session, organizations }: SessionInfo) => ({
  user: userToWire(user),
  organizations,
  expiresAt: toIso(session.expiresAtMs),
})

export const auth = resource('/auth', {
  register: post(
    '/register',
    {
      who: { public: true },
      summary: 'Make an account with an organization, and sign in',
      rate: 'auth',
      rateField: 'email',
      body: RegisterIn,
      out: RegisteredOut,
      message: 'Account created',
    },
    async ({ caller, body }, { people, baseUrl }) => {
      const { user, organization, token } = await people.register(caller, body)
      const own = organizationToWire(organization)
      const data = { user: userToWire(user), organization: own, token }
      return answer(data, { headers: [sessionCookie(token, baseUrl)] })
    },
  ),
  login: post(
    '/login',
    {
      who: { public: true },
      summary: 'Sign in',
      rate: 'auth',
      rateField: 'email',
      body: LoginIn,
      out: SignedInOut,
      message: 'Signed in',
    },
    async ({ caller, body }, { people, baseUrl }) => {
      const { user, token } = await people.signIn(caller, body)
      return answer({ user: userToWire(user), token }, { headers: [sessionCookie(token, baseUrl)] })
    },
  ),
  logout: post(
    '/logout',
    { who: { user: true }, summary: 'End this session', message: 'Signed out' },
    async ({ caller }, { people, baseUrl }) => {
      await people.signOut(caller)
      return answer(null, { headers: [sessionCookie(null, baseUrl)] })
    },
  ),
  session: get(
    '/session',
    { who: { user: true }, summary: 'Who is signed in, and where', out: SessionOut },
    ({ caller }, { people }) => sessionToWire(people.session(caller)),
  ),
})
