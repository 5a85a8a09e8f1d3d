// The API of API keys: create (shown once), list, change, rotate, adopt and revoke.

import Type from 'typebox'
import * as s from '../../../base/schema/schema.ts'
import { keyRoles } from '../../../domain/access.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { keyEndings } from '../../../domain/orgs/api-key.ts'
import { timeIn } from '../../input/times.ts'
import { withTimes } from '../../output/times.ts'
import { del, list, patch, post, resource, wirePage } from '../../routing/route.ts'

const nameWords = 'What it is for.'
const KeyIn = s.object({
  name: s.text({ charsMin: 1, charsMax: limits.nameCharsMax, description: nameWords }),
  role: s.optional(s.oneOf(keyRoles), 'What it may do. Absent: viewer.'),
  expiresAt: s.optionalOrNull(timeIn, 'When it ends. Absent: in a year. Null: never.'),
})

const KeyChangesIn = s.object({
  name: s.optional(s.text({ charsMin: 1, charsMax: limits.nameCharsMax }), nameWords),
  expiresAt: s.optionalOrNull(timeIn, 'When it ends. Null: never.'),
})

const RotationIn = s.object({
  revokeNow: s.optional(s.flag, 'True ends the old key at once. Absent: it works for another day.'),
})

const keyFields = {
  id: s.idOf('key'),
  name: Type.String(),
  role: s.described(s.oneOf(keyRoles), 'The most that it may do.'),
  effectiveRole: s.nullable(
    s.oneOf(keyRoles),
    'What it may do now: its role, at most that of its maker in the organization. Null: it has ended.',
  ),
  endedBecause: s.nullable(
    s.oneOf(keyEndings),
    'Why it does nothing any more; null while it works. Unless it has expired, an owner can adopt it.',
  ),
  prefix: Type.String({ description: 'The first characters, to tell keys apart' }),
  createdBy: s.described(
    s.idOf('user'),
    'Its maker: who answers for it, and gets the letters before it expires. An owner who adopts it becomes ' +
      'its maker.',
  ),
  madeBy: s.nullable(
    s.object({ name: s.nullable(s.anyText), email: s.anyText }),
    'The name of its maker. Null if the account was deleted or is one of the operator, and to readers ' +
      'below admin if its maker has left.',
  ),
  createdAt: s.isoTime,
  expiresAt: s.nullable(s.isoTime),
  lastUsedAt: s.nullable(s.isoTime),
  lastUsedFrom: s.nullable(Type.String({ description: 'The network from which it was last used' })),
  replacedBy: s.nullable(
    s.idOf('key'),
    'The key that took its place by rotation; null if none did.',
  ),
}
export const KeyOut = s.revised(keyFields)
const RevokedKeyOut = Type.Union([
  KeyOut,
  s.described(s.object({ id: s.idOf('key') }), 'Of a key whose stored record was damaged.'),
])
export const MintedKeyOut = s.revised({
  ...keyFields,
  key: Type.String({ description: 'The key itself, shown only now' }),
})

export const keyToWire = withTimes('createdAt', 'expiresAt', 'lastUsedAt')

/** Keeps absent, which differs from never. */
function timeOf(text: string | null | undefined): number | null | undefined {
  return text == null ? text : Date.parse(text)
}

export const apiKeys = resource('/orgs/:orgId/api-keys', {
  about:
    'Keys with which programs use an organization. Each is shown once, and may do what its role allows: at ' +
    'most what its maker may do now. It ends with its maker, unless an owner adopts it.',
  create: post('/', {
    who: { role: 'admin', sessionOnly: true, sudo: true },
    summary: 'Create an API key; it is shown once',
    example: {
      name: 'deploy script',
      role: 'member',
      expiresAt: '2027-12-31T00:00:00.000Z',
    },
    body: KeyIn,
    out: MintedKeyOut,
    message: 'API key created',
  }).createdBy(
    ({ scope, body: { name, role, expiresAt } }, { keys }) =>
      keys.create(scope, { name, role, expiresAtMs: timeOf(expiresAt) }),
    keyToWire,
  ),
  list: list('/', {
    who: { role: 'viewer', sessionOnly: true },
    summary: 'API keys, newest first',
    out: KeyOut,
  }).handledBy(({ scope, page }, { keys }) => wirePage(keys.list(scope, page), keyToWire)),
  change: patch('/:keyId', {
    who: { role: 'admin', sessionOnly: true, sudo: true },
    summary: 'Rename an API key, or change when it expires',
    example: { name: 'deploy script of the shop' },
    body: KeyChangesIn,
    out: KeyOut,
    message: 'API key changed',
  }).handledBy(async ({ scope, params, body: { name, expiresAt }, expectedRevision }, { keys }) => {
    const changes = { name, expiresAtMs: timeOf(expiresAt) }
    return keyToWire(await keys.change(scope, params.keyId, changes, expectedRevision))
  }),
  rotate: post('/:keyId/rotate', {
    who: { role: 'admin', sessionOnly: true, sudo: true },
    summary: 'Replace an API key; the old one works for another day unless revokeNow is set',
    example: { revokeNow: false },
    body: RotationIn,
    out: MintedKeyOut,
    message: 'API key rotated',
  }).createdBy(
    ({ scope, params, body }, { keys }) => keys.rotate(scope, params.keyId, body),
    keyToWire,
  ),
  adopt: post('/:keyId/adopt', {
    who: { role: 'owner', sessionOnly: true, sudo: true },
    summary:
      'Adopt an API key: you become its maker, and one that ended with its maker works again',
    out: KeyOut,
    message: 'API key adopted',
  }).handledBy(async ({ scope, params }, { keys }) =>
    keyToWire(await keys.adopt(scope, params.keyId)),
  ),
  revoke: del('/:keyId', {
    who: { role: 'admin', sessionOnly: true },
    summary: 'Revoke an API key, effective at once',
    out: RevokedKeyOut,
    message: 'API key revoked',
  }).handledBy(async ({ scope, params }, { keys }) => {
    const revoked = await keys.revoke(scope, params.keyId)
    return 'name' in revoked ? keyToWire(revoked) : revoked
  }),
})
