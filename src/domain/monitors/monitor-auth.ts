// How a check of HTTP, a WebSocket or gRPC signs in. The name and the secret are `username` and `password`.
import type { FieldProblem } from '../../base/fault.ts'
import { type CheckKind, hasField, type MonitorAuth, type MonitorInput } from './monitor-fields.ts'

/** All its fields: an empty text, and what an earlier version did not store, becomes null. */
export function completedAuth(given: MonitorAuth): MonitorAuth {
  const { type, tokenUrl, scope, audience, region, service } = given
  return {
    type,
    tokenUrl: tokenUrl || null,
    scope: scope || null,
    audience: audience || null,
    region: region || null,
    service: service || null,
  }
}

/** The fields that only one type has. */
const fieldsOfTypes = {
  oauth2: ['tokenUrl', 'scope', 'audience'],
  awsSigV4: ['region', 'service'],
} as const

const scopeRule = 'must consist of letters, digits and hyphens'
const accessKeyRule = 'must be an access key id, in ASCII without blanks, commas, slashes and ='

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
  const isOfHttp = auth?.type === 'digest' || auth?.type === 'awsSigV4'
  if (isOfHttp && !hasField(kind, 'method')) {
    say('/auth/type', 'forbidden', `does not apply to checkType ${kind.type}`)
  }
  for (const type of ['oauth2', 'awsSigV4'] as const) {
    if (auth?.type === type) {
      if (password === null) say('/password', 'required', 'is required')
      continue
    }
    for (const name of fieldsOfTypes[type]) {
      if (auth?.[name]) say(`/auth/${name}`, 'forbidden', `is only for the type ${type}`)
    }
  }
  if (auth?.type === 'oauth2' && !auth.tokenUrl) say('/auth/tokenUrl', 'required', 'is required')
  if (auth?.type === 'awsSigV4') {
    for (const name of fieldsOfTypes.awsSigV4) {
      const value = auth[name]
      if (!value) say(`/auth/${name}`, 'required', 'is required')
      else if (!/^[a-z0-9-]{1,64}$/i.test(value)) say(`/auth/${name}`, 'format', scopeRule)
    }
    if (username !== null && !/^[\x21-\x7e]+$/.test(username.replace(/[,/=]/g, ' '))) {
      say('/username', 'format', accessKeyRule)
    }
  } else if (auth?.type !== 'oauth2' && username?.includes(':')) {
    say('/username', 'format', 'must not contain a colon')
  }
  const isTwice = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
  if (username !== null && isTwice) {
    say('/headers/Authorization', 'forbidden', 'must not be given together with a user name')
  }
  return problems
}
