// The API of organizations: create, list one's own, read, change, delete.
import {
  anyText,
  described,
  idOfAny,
  listOf,
  object,
  optional,
  patchOf,
  revised,
  usually,
} from '../../../base/schema/schema.ts'
import { defaultLocale } from '../../../domain/language.ts'
import { type LocaleChoice, localeProblems } from '../../../domain/orgs/org.ts'
import { tagColorProblems } from '../../../domain/orgs/tag-colors.ts'
import { heldKinds, type OrgChanges, type OwnOrganization } from '../../../services/orgs/orgs.ts'
import {
  OrganizationOut,
  organizationLocale,
  organizationName,
  organizationToWire,
} from '../../output/account-wire.ts'
import { del, get, list, patch, post, resource, wirePage } from '../../routing/route.ts'
import { tagColors } from './tag-colors.ts'

const { language, timezone } = organizationLocale
const OrganizationIn = object({
  name: described(organizationName, 'The name of the organization, for its members.'),
  language: optional(usually(language, defaultLocale.language)),
  timezone: optional(usually(timezone, defaultLocale.timezone)),
})
const rules = (fields: LocaleChoice) => localeProblems(fields)

const OrganizationChanges = object({
  ...OrganizationIn.properties,
  tagColors: optional(usually(tagColors, [])),
})
const rulesOfChanges = (fields: Pick<OrgChanges, 'tagColors'> & LocaleChoice) => [
  ...localeProblems(fields),
  ...tagColorProblems(fields.tagColors),
]

const OrganizationFilter = object({
  holds: optional(
    idOfAny(heldKinds),
    'Only the organization that has the monitor, incident, alert channel, status page or maintenance ' +
      'window of this id. The list is empty if none of yours has it.',
  ),
})

/** No operator lists more. */
const proxiesMax = 1_000
const OneOrganizationOut = revised({
  ...OrganizationOut.properties,
  proxies: described(
    listOf(anyText, proxiesMax),
    'The names of the proxies that its monitors may go through from here (`proxy`): those in `checks.proxies` of the ' +
      'operator.',
  ),
  tagColors,
})

const shown = (org: OwnOrganization, proxies: readonly string[]) => ({
  ...organizationToWire(org),
  proxies,
  tagColors: org.tagColors ?? [],
})

export const orgs = resource('/orgs', {
  about:
    'Organizations own monitors, channels and pages. Here they are created, summarized, exported, ' +
    'imported and handed over.',
  create: post('/', {
    who: { user: true },
    summary: 'Create an organization; you become its owner',
    description:
      'With the second organization, the service stops keeping what failed targets at private ' +
      'addresses answer, for every organization, unless `checks.keepPrivateAnswers` is `always`. ' +
      '`privateAnswers` in the session tells whether it keeps them.',
    example: { name: 'Acme', language: 'de', timezone: 'Europe/Berlin' },
    body: OrganizationIn,
    rules,
    out: OrganizationOut,
    message: 'Organization created',
  }).createdBy(({ caller, body }, { orgs }) => orgs.create(caller, body), organizationToWire),
  list: list('/', {
    // A session lists its user's organizations, an API key the one it belongs to.
    who: { credential: true },
    summary: 'Your organizations',
    query: OrganizationFilter,
    out: OrganizationOut,
  }).handledBy(({ caller, page, query }, { orgs }) =>
    wirePage(orgs.list(caller, { ...page, ...query }), organizationToWire),
  ),
  get: get('/:orgId', {
    who: { role: 'viewer' },
    summary: 'One organization',
    out: OneOrganizationOut,
  }).handledBy(({ scope }, { orgs, proxiesOf }) => {
    return shown(orgs.get(scope), proxiesOf(scope))
  }),
  change: patch('/:orgId', {
    who: { role: 'admin' },
    summary:
      'Change the name, the language, the time zone or the colours of tags of an organization',
    example: { name: 'Acme Ltd', timezone: 'Europe/London' },
    body: patchOf(OrganizationChanges),
    rules: rulesOfChanges,
    out: OneOrganizationOut,
    message: 'Organization changed',
  }).handledBy(async ({ scope, body, expectedRevision }, { orgs, proxiesOf }) => {
    const changed = await orgs.change(scope, body, expectedRevision)
    return shown(changed, proxiesOf(scope))
  }),
  remove: del('/:orgId', {
    who: { role: 'owner', sessionOnly: true, sudo: true },
    summary: 'Delete an organization and everything in it, immediately and permanently',
    message: 'Organization deleted',
  }).handledBy(({ scope, expectedRevision }, { departures }) =>
    departures.removeOrg(scope, expectedRevision),
  ),
})
