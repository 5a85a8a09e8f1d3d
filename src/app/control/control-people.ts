// What the daemon answers to the commands about accounts, organizations and API keys. What goes out
// has the form of the API.
import type { Static, TSchema } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { Fault, refuseInvalid } from '../../base/fault.ts'
import { asId } from '../../base/ids.ts'
import { createPick } from '../../base/schema/pick.ts'
import * as s from '../../base/schema/schema.ts'
import { createCheck } from '../../base/schema/validate.ts'
import { keyRoles, roles } from '../../domain/access.ts'
import { dayMs } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import { KeyOut, keyToWire, MintedKeyOut } from '../../http/api/orgs/api-keys.ts'
import { MemberOut, memberToWire } from '../../http/api/orgs/members.ts'
import {
  KnownOrgOut,
  KnownUserOut,
  knownOrgToWire,
  knownUserToWire,
  OrgChanges,
  UserChanges,
} from '../../http/api/system/system.ts'
import {
  OrganizationOut,
  organizationToWire,
  UserOut,
  userToWire,
} from '../../http/output/account-wire.ts'
import type { Services } from '../../services/assembly/services.ts'
import type { PageOf, PageRequest } from '../../services/context.ts'
import type { LocalCaller } from '../../services/identity.ts'
import type { ControlHandler, ControlRequest } from '../../store/control.ts'

const email = s.text({ charsMax: limits.emailCharsMax, format: 'email' })
const name = s.text({
  charsMin: 1,
  charsMax: limits.nameCharsMax,
  pattern: '\\S',
  rule: 'must not be blank',
})
const org = s.text({ charsMin: 1, charsMax: limits.nameCharsMax })
const after = s.optional(s.text({ charsMax: limits.nameCharsMax }))

const Search = s.object({ after, q: s.optional(s.text({ charsMax: limits.emailCharsMax })) })
const InOrg = s.object({ org, after })
const NewUser = s.object({
  email,
  name: s.optional(name),
  isSystemAdmin: s.flag,
  organizationName: s.optional(name),
  org: s.optional(org),
  role: s.oneOf(roles),
})
const ChangedUser = s.object({ email, changes: UserChanges })
const NewKey = s.object({
  org,
  name,
  role: s.oneOf(keyRoles),
  days: s.optionalOrNull(s.integer(1, limits.keyDaysMax)),
  holder: s.optional(email),
})
const OneKey = s.object({ org, keyId: s.idOf('key') })
const NewOrg = s.object({ name, owner: email })
const ChangedOrg = s.object({ org, changes: OrgChanges })
const OneOrg = s.object({ org })
const OneMember = s.object({ org, email })
const NewMember = s.object({ org, email, role: s.oneOf(roles) })

/** An answer to requests of a shape. Throws validation_failed, as the API does. */
function answering<Schema extends TSchema>(
  schema: Schema,
  handle: (request: Static<Schema>) => unknown,
): ControlHandler {
  const check = createCheck(schema, limits.fieldProblemsMax)
  return ({ verb: _verb, ...request }: ControlRequest) => {
    refuseInvalid(check(request))
    return handle(checked(request))
  }
}

/** The check of its schema accepted it. */
function checked<T>(request: object): T {
  return request as T
}

/** A page in the form of the API: only what the schema names. */
function pageAnswer<Item>(schema: TSchema, toWire: (item: Item) => unknown) {
  const pick = createPick(schema)
  return ({ items, nextAfter }: PageOf<Item>) => ({
    items: items.map((item) => pick(toWire(item))),
    nextAfter: nextAfter ?? null,
  })
}

const pageOf = (after: string | undefined): PageRequest => ({
  limit: limits.pageItemsMax,
  ...(after === undefined ? {} : { after }),
})

const shownUser = createPick(UserOut)
const shownKnownUser = createPick(KnownUserOut)
const shownOrg = createPick(OrganizationOut)
const shownKnownOrg = createPick(KnownOrgOut)
const shownKey = createPick(MintedKeyOut)
const shownMember = createPick(MemberOut)
const userPage = pageAnswer(KnownUserOut, knownUserToWire)
const orgPage = pageAnswer(KnownOrgOut, knownOrgToWire)
const keyPage = pageAnswer(KeyOut, keyToWire)
const memberPage = pageAnswer(MemberOut, memberToWire)

export function peopleAnswers(
  services: Services,
  caller: () => LocalCaller,
  clock: Clock,
): Readonly<Record<string, ControlHandler>> {
  return { ...userAnswers(services, caller), ...ownedAnswers(services, caller, clock) }
}

function userAnswers({ identity, operator, localOperator }: Services, caller: () => LocalCaller) {
  return {
    'list-users': answering(Search, ({ after, q }) =>
      userPage(operator.users({ ...pageOf(after), q })),
    ),
    'add-user': answering(NewUser, async ({ org, role, ...input }) => {
      const by = caller()
      const scope = org === undefined ? undefined : identity.operatorScope(by, org)
      const joins = scope && { scope, role }
      const { user, organization, url } = await localOperator.addUser(by, { ...input, joins })
      return {
        user: shownUser(userToWire(user)),
        organization: shownOrg(organizationToWire(organization)),
        url,
      }
    }),
    'change-user': answering(ChangedUser, async ({ email, changes }) => {
      const { id } = localOperator.userOf(email)
      return shownKnownUser(knownUserToWire(await operator.changeUser(caller(), id, changes)))
    }),
  }
}

function ownedAnswers(services: Services, caller: () => LocalCaller, clock: Clock) {
  const { identity, keys, members, operator, departures, localOperator } = services
  const scopeOf = (org: string) => identity.operatorScope(caller(), org)

  return {
    'list-orgs': answering(Search, ({ after, q }) =>
      orgPage(operator.orgs({ ...pageOf(after), q })),
    ),
    'create-org': answering(NewOrg, async ({ name, owner }) => {
      const made = await localOperator.createOrg(caller(), name, localOperator.userOf(owner))
      return shownOrg(organizationToWire(made))
    }),
    'change-org': answering(ChangedOrg, async ({ org, changes }) => {
      const { orgId } = scopeOf(org)
      return shownKnownOrg(knownOrgToWire(await operator.changeOrg(caller(), orgId, changes)))
    }),
    'delete-org': answering(OneOrg, async ({ org }) => {
      const scope = scopeOf(org)
      await departures.removeOrg(scope)
      return { id: scope.orgId }
    }),
    'list-members': answering(InOrg, ({ org, after }) =>
      memberPage(members.list(scopeOf(org), pageOf(after))),
    ),
    'set-member': answering(NewMember, async ({ org, email, role }) => {
      const user = localOperator.userOf(email)
      return shownMember(memberToWire(await localOperator.setMember(scopeOf(org), user, role)))
    }),
    'remove-member': answering(OneMember, async ({ org, email }) => {
      const { id } = localOperator.userOf(email)
      return shownMember(memberToWire(await members.remove(scopeOf(org), id)))
    }),
    'list-keys': answering(InOrg, ({ org, after }) =>
      keyPage(keys.list(scopeOf(org), pageOf(after))),
    ),
    'create-key': answering(NewKey, async ({ org, days, holder, ...input }) => {
      const scope = scopeOf(org)
      const holderId = localOperator.keyHolder(scope.orgId, holder)
      const made = await keys.create(scope, { ...input, holderId, expiresAtMs: endOf(days) })
      return shownKey(keyToWire(made))
    }),
    'revoke-key': answering(OneKey, async ({ org, keyId }) => {
      const id = asId('key', keyId)
      if (!id) throw new Fault('not_found', 'There is no such API key.')
      await keys.revoke(scopeOf(org), id)
      return { id }
    }),
  }

  /** Undefined for the default, null for never. */
  function endOf(days: number | null | undefined): number | null | undefined {
    return typeof days === 'number' ? clock.nowMs() + days * dayMs : days
  }
}
