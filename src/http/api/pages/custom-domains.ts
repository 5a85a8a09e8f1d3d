// The API of custom domains: schemas and routes.

import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { domainProblems, domainStates } from '../../../domain/pages/custom-domain.ts'
import type { DomainRecord, NewCustomDomain } from '../../../services/pages/custom-domains.ts'
import { withTimes } from '../../output/times.ts'
import { type BodyRules, del, get, list, post, resource, wirePage } from '../../routing/route.ts'

const DomainIn = s.object({
  hostname: s.described(
    s.text({ charsMax: limits.hostnameCharsMax, pattern: '\\S', rule: 'must not be blank' }),
    'The host name at which the page is to be served. A name with other letters than a-z is stored ' +
      'as the DNS writes it (`xn--…`).',
    'status.example.com',
  ),
  statusPageId: s.described(s.idOf('page'), 'The status page of this organization to serve there.'),
})

const DomainOut = s.revised({
  id: s.idOf('domain'),
  orgId: s.idOf('org'),
  hostname: s.described(s.anyText, 'The host name as the DNS writes it.'),
  statusPageId: s.described(s.idOf('page'), 'The status page that is served there.'),
  status: s.described(
    s.oneOf(domainStates),
    '`pending`: the TXT record was not seen yet. `verified`: it was; the page is served at the host ' +
      'name, which does not lead here yet. `active`: it does. `failed`: the page is not served, and ' +
      'the name is not checked any more.',
  ),
  problem: s.nullable(
    s.oneOf(domainProblems),
    'What the newest check found wrong; null if all is well, or before the first check.',
  ),
  reason: s.nullable(s.anyText, 'The problem as a sentence.'),
  records: s.described(
    s.listOf(
      s.object({
        type: s.described(s.oneOf(['TXT', 'CNAME', 'A', 'AAAA']), 'The type of the record.'),
        name: s.described(s.anyText, 'Its full name, without a dot at the end.'),
        value: s.described(s.anyText, 'Its value.'),
      }),
      limits.dnsKeptAddressesMax,
    ),
    'The records to set at the DNS provider: a TXT record as the proof, which has to stay, and the ' +
      'one that leads here. A proxy or a CDN that passes requests on may stand in place of the second.',
  ),
  verifiedAt: s.nullable(s.isoTime, 'Since when the host name is proven.'),
  failingSince: s.nullable(
    s.isoTime,
    `Since when the TXT record of a served domain is gone. After ${limits.domainGraceMs / 3_600_000} hours the domain fails.`,
  ),
  lastCheckedAt: s.nullable(s.isoTime, 'The newest check.'),
  nextCheckAt: s.nullable(s.isoTime, 'The next check; null once it has failed.'),
  ...s.revisionFields,
})

const domainTimes = withTimes(
  'verifiedAt',
  'failingSince',
  'lastCheckedAt',
  'nextCheckAt',
  'createdAt',
  'updatedAt',
)

const toWire = (domain: DomainRecord) => ({
  ...domainTimes(domain),
  statusPageId: domain.pageId,
  status: domain.state,
})

/** Rules that are also judged for requests with other problems; otherwise the service refuses the same. */
const rules: BodyRules = (fields: Partial<NewCustomDomain>, { scope, services }) =>
  scope ? services.customDomains.problems(scope, fields) : []

const admin = { role: 'admin' } as const
const viewer = { role: 'viewer' } as const

const exampleStatusPageId = 'pag_01kar4f6h8k0n2q4s6v8x0z2b4'

export const customDomains = resource('/orgs/:orgId/custom-domains', {
  about:
    'Host names of your own at which status pages are served. A record in the DNS proves that a name ' +
    'is yours.',
  create: post('/', {
    who: admin,
    summary: 'Claim a host name for a status page',
    description:
      'Set the `records` of the answer at your DNS provider. The first organization whose TXT record ' +
      'is seen has the host name. It is looked for again and again for seven days, and daily once it ' +
      'was seen. A host name that the organization has claimed before keeps its records: it moves to ' +
      'the page, and is looked for again if it has failed.',
    example: { hostname: 'status.example.com', statusPageId: exampleStatusPageId },
    body: DomainIn,
    rules,
    out: DomainOut,
    message: 'Custom domain created',
  }).createdBy(({ scope, body }, { customDomains }) => customDomains.create(scope, body), toWire),
  list: list('/', {
    who: viewer,
    summary: 'Custom domains, newest first',
    out: DomainOut,
  }).handledBy(async ({ scope, page }, { customDomains }) =>
    wirePage(await customDomains.list(scope, page), toWire),
  ),
  get: get('/:customDomainId', {
    who: viewer,
    summary: 'One custom domain',
    out: DomainOut,
  }).handledBy(async ({ scope, params }, { customDomains }) =>
    toWire(await customDomains.get(scope, params.customDomainId)),
  ),
  verify: post('/:customDomainId/verify', {
    who: admin,
    summary: 'Check the records of a custom domain now',
    description: 'Answers when they were looked for, with what was found.',
    out: DomainOut,
  }).handledBy(async ({ scope, params }, { customDomains }) =>
    toWire(await customDomains.verify(scope, params.customDomainId)),
  ),
  remove: del('/:customDomainId', {
    who: admin,
    summary: 'Delete a custom domain; it is not served any more',
    message: 'Custom domain deleted',
  }).handledBy(async ({ scope, params, expectedRevision }, { customDomains }) => {
    await customDomains.remove(scope, params.customDomainId, expectedRevision)
  }),
})
