// API keys of an organization: make one (shown once), list them, revoke one.
import Type from 'typebox'
import {
  idOf,
  isoTime,
  nullable,
  object,
  oneOf,
  optional,
  text,
  toIso,
  toIsoOrNull,
} from '../../base/schema.ts'
import { keyRoles } from '../../domain/access.ts'
import { limits } from '../../domain/limits.ts'
import type { ApiKey } from '../../domain/person.ts'
import { del, list, post, resource, wirePage } from '../route.ts'

const KeyIn = object({
  name: text({ charsMin: 1, charsMax: limits.nameCharsMax }),
  role: optional(oneOf(keyRoles)),
  expiresAt: optional(nullable(isoTime)),
})

const keyFields = {
  id: idOf('key'),
  name: Type.String(),
  role: oneOf(keyRoles),
  prefix: Type.String({ description: 'The first characters, to tell keys apart' }),
  createdBy: idOf('user'),
  createdAt: isoTime,
  expiresAt: nullable(isoTime),
  lastUsedAt: nullable(isoTime),
}
const KeyOut = object(keyFields)
const MintedKeyOut = object({
  ...keyFields,
  key: Type.String({ description: 'The key itself, shown only now' }),
})

const toWire = <Key extends ApiKey>(key: Key) => ({
  ...key,
  createdAt: toIso(key.createdAtMs),
  expiresAt: toIsoOrNull(key.expiresAtMs),
  lastUsedAt: toIsoOrNull(key.lastUsedAtMs),
})

export const apiKeys = resource('/orgs/:orgId/api-keys', {
  create: post(
    '/',
    {
      who: { role: 'admin', sessionOnly: true, sudo: true },
      summary: 'Make an API key; it is shown once',
      creates: true,
      body: KeyIn,
      out: MintedKeyOut,
      message: 'API key created',
    },
    async ({ scope, body: { name, role, expiresAt } }, { keys }) => {
      const expiresAtMs = expiresAt ? Date.parse(expiresAt) : null
      return toWire(await keys.create(scope, { name, role, expiresAtMs }))
    },
  ),
  list: list(
    '/',
    { who: { role: 'viewer', sessionOnly: true }, summary: 'API keys, newest first', out: KeyOut },
    ({ scope, page }, { keys }) => wirePage(keys.list(scope, page), toWire),
  ),
  revoke: del(
    '/:keyId',
    {
      who: { role: 'admin', sessionOnly: true },
      summary: 'Revoke an API key, effective at once',
      out: KeyOut,
      message: 'API key revoked',
    },
    async ({ scope, params }, { keys }) => toWire(await keys.revoke(scope, params.keyId)),
  ),
})
