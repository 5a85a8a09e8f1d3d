// The API of a person's sessions: list, end one, and confirm one's identity again.

import { invalidField } from '../../../base/fault.ts'
import {
  anyText,
  flag,
  idOf,
  isoTime,
  object,
  optional,
  text,
  toIso,
} from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Session } from '../../../domain/people/person.ts'
import type { Proof } from '../../../services/sign-in/reauthentication.ts'
import { sessionCookie } from '../../pipeline/session-cookie.ts'
import { documented, eitherOf } from '../../routing/documented.ts'
import { answer, del, list, post, resource } from '../../routing/route.ts'

const SessionOut = object({
  id: idOf('session'),
  address: anyText,
  userAgent: anyText,
  createdAt: isoTime,
  lastSeenAt: isoTime,
  expiresAt: isoTime,
  isCurrent: flag,
})

const ReauthenticateIn = documented(
  object({
    password: optional(text({ charsMax: limits.passwordCharsMax })),
    totp: optional(text({ charsMax: limits.totpCharsMax })),
  }),
  eitherOf('password', 'totp'),
)

const ReauthenticatedOut = object({ token: anyText, freshUntil: isoTime })

const sessionToWire = ({ id, address, userAgent, ...session }: Session, currentId: string) => ({
  id,
  address,
  userAgent,
  isCurrent: id === currentId,
  createdAt: toIso(session.createdAtMs),
  lastSeenAt: toIso(session.lastSeenAtMs),
  expiresAt: toIso(session.expiresAtMs),
})

function proofOf({ password, totp }: { password?: string; totp?: string }): Proof {
  if (password !== undefined && totp === undefined) return { password }
  if (totp !== undefined && password === undefined) return { totp }
  throw invalidField('', 'oneOf', 'must have either password or totp')
}

export const authSessions = resource('/auth', {
  sessions: list(
    '/sessions',
    { who: { user: true }, summary: 'Your sessions', out: SessionOut },
    ({ caller, page }, { sessions }) => {
      const { items, nextAfter } = sessions.list(caller, page)
      const own = items.map((session) => sessionToWire(session, caller.principal.sessionId))
      return { items: own, ...(nextAfter === undefined ? {} : { nextAfter }) }
    },
  ),
  endSession: del(
    '/sessions/:sessionId',
    { who: { user: true }, summary: 'End one of your sessions', message: 'Session ended' },
    async ({ caller, params }, { sessions, baseUrl }) => {
      await sessions.end(caller, params.sessionId)
      const isOwn = params.sessionId === caller.principal.sessionId
      return answer(null, isOwn ? { headers: [sessionCookie(null, baseUrl)] } : {})
    },
  ),
  reauthenticate: post(
    '/reauthenticate',
    {
      who: { user: true },
      summary: 'Confirm your identity again, to be allowed sensitive actions for some minutes',
      rate: 'auth',
      body: ReauthenticateIn,
      out: ReauthenticatedOut,
      message: 'Confirmed',
    },
    async ({ caller, body }, { reauthentication, baseUrl }) => {
      const { token, freshUntilMs } = await reauthentication.confirm(caller, proofOf(body))
      const headers = [sessionCookie(token, baseUrl)]
      return answer({ token, freshUntil: toIso(freshUntilMs) }, { headers })
    },
  ),
})
