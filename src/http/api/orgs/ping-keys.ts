// The API of the ping keys of Healthchecks that an organization keeps.
import * as s from '../../../base/schema/schema.ts'
import { pingKeysMax } from '../../../domain/monitors/kept-address.ts'
import { del, get, resource } from '../../routing/route.ts'

const PingKeysOut = s.object({
  pingKeys: s.described(
    s.listOf(
      s.object({
        hash: s.described(s.anyText, 'Names it: SHA-256 of the key, base64url.'),
        hint: s.described(s.anyText, 'Its first characters.'),
        createdAt: s.isoTime,
      }),
      pingKeysMax,
    ),
    'Nobody is shown a whole one.',
  ),
})

export const pingKeys = resource('/orgs/:orgId/ping-keys', {
  about:
    'Ping keys of Healthchecks, which an import brought: `/ping/<key>/<slug>?create=1` makes a push monitor, ' +
    'as there. Monitors that have an address with such a key keep it, also without the key.',
  list: get('/', {
    who: { role: 'admin' },
    summary: 'The ping keys that make monitors',
    out: PingKeysOut,
  }).handledBy(({ scope }, { pingKeys }) => ({
    pingKeys: pingKeys.list(scope).map(({ createdAtMs, ...key }) => {
      return { ...key, createdAt: s.toIso(createdAtMs) }
    }),
  })),
  remove: del('/:hash', {
    who: { role: 'admin' },
    summary: 'Let a ping key make no more monitors',
    message: 'Ping key removed',
    problems: [404],
  }).handledBy(({ scope, params }, { pingKeys }) => pingKeys.remove(scope, params.hash)),
})
