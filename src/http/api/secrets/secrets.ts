// The API of an organization's secrets: schemas and routes.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { secretMask } from '../../../domain/secret-mask.ts'
import {
  secretBytesMax,
  secretHostsMax,
  secretNamePattern,
} from '../../../domain/secrets/org-secret.ts'
import { senderCountMax, senderIdsMax } from '../../../services/secrets/secrets.ts'
import { withTimes } from '../../output/times.ts'
import { del, get, list, patch, post, resource, wirePage } from '../../routing/route.ts'

const name = s.text({
  charsMax: 64,
  pattern: secretNamePattern,
  rule: 'must be a letter or _ and then up to 63 letters, digits or _',
  description:
    'What templates call it: `{{secret.NAME}}`. Upper and lower case differ. No two secrets of an ' +
    'organization have the same. It can be changed as long as no monitor sends the secret.',
  example: 'SHOP_TOKEN',
})

const fields = {
  hosts: s.optionalOrNull(
    s.listOf(
      s.text({ charsMin: 1, charsMax: limits.hostnameCharsMax + 2, example: 'api.example.com' }),
      secretHostsMax,
    ),
    'The hosts to which alone checks send it, on any port: names such as `api.example.com`, ' +
      '`*.example.com` for every name below one, IP addresses. Set them: everybody who may edit ' +
      'monitors can otherwise send the secret to a server of their own, and read it there. More ' +
      'hosts need the value again. Null or empty: wherever monitors send it.',
  ),
  description: s.optionalOrNull(
    s.text({ charsMax: limits.descriptionCharsMax }),
    'What it is for, and who can replace it.',
  ),
}

/** A shorter one could not be kept out of what checks show. */
const valueCharsMin = limits.redactedCharsMin

const value = {
  ...s.text({
    charsMin: valueCharsMin,
    charsMax: secretBytesMax,
    description:
      `The value, at most ${secretBytesMax} bytes in UTF-8. It is stored encrypted and never shown ` +
      `again. Line breaks are allowed within it, as keys have them. Send the mask \`${secretMask}\` ` +
      'to keep what is stored.',
    example: 'sk_live_8JbFzuQ2',
  }),
  'x-secret': true,
}

const SecretIn = s.object({ name, value, ...fields })

/** A secret in an exported document, and in one that is imported: none has the value. */
export const secretItem = {
  out: s.object({ id: s.idOf('secret'), name, ...fields }),
  in: s.object({ id: s.optional(s.idInDocument('secret')), name, ...fields }),
}

const SecretOut = s.revised({
  id: s.idOf('secret'),
  orgId: s.idOf('org'),
  name: s.anyText,
  value: s.nullable(
    s.anyText,
    'The mask. Null: an import brought no value, and checks that are to send the secret end as `unknown` until it has one.',
  ),
  hosts: s.listOf(s.anyText, secretHostsMax),
  description: s.nullable(s.anyText),
  monitors: s.described(s.anyNumber, `How many monitors send it. Counted up to ${senderCountMax}.`),
  monitorIds: s.described(
    s.listOf(s.idOf('monitor'), senderIdsMax),
    `The first ${senderIdsMax} of them.`,
  ),
  ...s.revisionFields,
})

const toWire = withTimes('createdAt', 'updatedAt')

const viewer = { role: 'viewer' } as const
const admin = { role: 'admin' } as const

export const secrets = resource('/orgs/:orgId/secrets', {
  about:
    'Named values that checks send and nobody is shown, such as tokens and passwords: the steps of a ' +
    'monitor name one as `{{secret.NAME}}`. A change holds from the next check of each monitor on.',
  create: post('/', {
    who: admin,
    summary: 'Create a secret',
    example: {
      name: 'SHOP_TOKEN',
      value: 'sk_live_8JbFzuQ2',
      hosts: ['api.example.com'],
      description: 'Of the test customer in the shop',
    },
    body: SecretIn,
    out: SecretOut,
    message: 'Secret created',
  }).createdBy(({ scope, body }, services) => services.secrets.create(scope, body), toWire),
  list: list('/', {
    who: viewer,
    summary: 'Secrets without their values, newest first',
    out: SecretOut,
  }).handledBy(({ scope, page }, services) => wirePage(services.secrets.list(scope, page), toWire)),
  get: get('/:secretId', {
    who: viewer,
    summary: 'One secret without its value',
    out: SecretOut,
  }).handledBy(({ scope, params }, services) =>
    toWire(services.secrets.get(scope, params.secretId)),
  ),
  change: patch('/:secretId', {
    who: admin,
    summary: 'Change a secret, or replace its value',
    example: { value: 'sk_live_x7Qm2LrT' },
    body: s.patchOf(SecretIn),
    out: SecretOut,
    message: 'Secret updated',
  }).handledBy(async ({ scope, params, body, expectedRevision }, services) =>
    toWire(await services.secrets.change(scope, params.secretId, body, expectedRevision)),
  ),
  remove: del('/:secretId', {
    who: admin,
    summary: 'Delete a secret, unless monitors send it',
    message: 'Secret deleted',
  }).handledBy(({ scope, params, expectedRevision }, services) =>
    services.secrets.remove(scope, params.secretId, expectedRevision),
  ),
})
