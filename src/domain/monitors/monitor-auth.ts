// How a check of HTTP, a WebSocket or gRPC signs in. The name and the secret are `username` and `password`.
import type { FieldProblem } from '../../base/fault.ts'
import { type CheckKind, hasField, type MonitorAuth, type MonitorInput } from './monitor-fields.ts'

/** An empty text becomes null. */
export function completedAuth({ type, tokenUrl, scope, audience }: MonitorAuth): MonitorAuth {
  return {
    type,
    tokenUrl: tokenUrl || null,
    scope: scope || null,
    audience: audience || null,
  }
}

/** The fields between which no schema decides. */
export function authProblems(input: MonitorInput, kind: CheckKind): FieldProblem[] {
  const { auth, username, password, headers } = input
  if (!hasField(kind, 'auth')) return []
  const problems: FieldProblem[] = []
  const say = (pointer: string, keyword: string, message: string): void => {
    problems.push({ pointer, keyword, message })
  }
  const needed = auth !== null || password !== null
  if (needed && username === null) say('/username', 'required', 'is required')
  if (auth?.type === 'digest' && !hasField(kind, 'method')) {
    say('/auth/type', 'forbidden', `does not apply to checkType ${kind.type}`)
  }
  if (auth?.type === 'oauth2') {
    if (password === null) say('/password', 'required', 'is required')
    if (!auth.tokenUrl) say('/auth/tokenUrl', 'required', 'is required')
  } else {
    for (const name of ['tokenUrl', 'scope', 'audience'] as const) {
      if (auth?.[name]) say(`/auth/${name}`, 'forbidden', 'is only for the type oauth2')
    }
  }
  if (auth?.type !== 'oauth2' && username?.includes(':')) {
    say('/username', 'format', 'must not contain a colon')
  }
  const isTwice = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  if (username !== null && isTwice) {
    say('/headers/Authorization', 'forbidden', 'must not be given together with a user name')
  }
  return problems
}
