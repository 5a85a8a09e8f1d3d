// The API of a person's sessions: list, end one, and confirm one's identity again.

import { invalidField } from '../../../base/fault.ts'
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Session } from '../../../domain/people/person.ts'
import type { Proof } from '../../../services/sign-in/reauthentication.ts'
import { sessionCookie } from '../../pipeline/session-cookie.ts'
import { documented, eitherOf } from '../../routing/documented.ts'
import { answer, del, list, post, resource } from '../../routing/route.ts'

const SessionOut = s.object({
  id: s.idOf('session'),
  address: s.anyText,
  userAgent: s.anyText,
  createdAt: s.isoTime,
  lastSeenAt: s.isoTime,
  expiresAt: s.isoTime,
  isCurrent: s.flag,
})

const ReauthenticateIn = documented(
  s.object({
    password: s.optional(s.text({ charsMax: limits.passwordCharsMax })),
    totp: s.optional(s.text({ charsMax: limits.totpCharsMax })),
  }),
  eitherOf('password', 'totp'),
)

const ReauthenticatedOut = s.object({ token: s.anyText, freshUntil: s.isoTime })

const sessionToWire = ({ id, address, userAgent, ...session }: Session, currentId: string) => ({
  id,
  address,
  userAgent,
  isCurrent: id === currentId,
  createdAt: s.toIso(session.createdAtMs),
  lastSeenAt: s.toIso(session.lastSeenAtMs),
  expiresAt: s.toIso(session.expiresAtMs),
})

function proofOf({ password, totp }: { password?: string; totp?: string }): Proof {
  if (password !== undefined && totp === undefined) return { password }
  if (totp !== undefined && password === undefined) return { totp }
  throw invalidField('', 'oneOf', 'must have either password or totp')
}

export const authSessions = resource('/auth', {
  sessions: list('/sessions', {
    who: { user: true },
    summary: 'Your sessions',
    out: SessionOut,
  }).handledBy(({ caller, page }, { sessions }) => {
    const { items, nextAfter } = sessions.list(caller, page)
    const own = items.map((session) => sessionToWire(session, caller.principal.sessionId))
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
  reauthenticate: post('/reauthenticate', {
    who: { user: true },
    summary: 'Confirm your identity again, to be allowed sensitive actions for some minutes',
    rate: 'auth',
    body: ReauthenticateIn,
    out: ReauthenticatedOut,
    message: 'Confirmed',
  }).handledBy(async ({ caller, body }, { reauthentication, baseUrl }) => {
    const { token, freshUntilMs } = await reauthentication.confirm(caller, proofOf(body))
    const headers = [sessionCookie(token, baseUrl)]
    return answer({ token, freshUntil: s.toIso(freshUntilMs) }, { headers })
  }),
})
