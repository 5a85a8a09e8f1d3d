// The API of an invitation for the holder of its token: view, accept, or create an account.

import type { Fault } from '../../../base/fault.ts'
import * as s from '../../../base/schema/schema.ts'
import { roles } from '../../../domain/access.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { consolePath } from '../../../domain/sign-in/redirect.ts'
import { deadInvitePage, invitePage } from '../../../pages/invite-pages.ts'
import type { Caller } from '../../../services/context.ts'
import type { Invites } from '../../../services/orgs/invites.ts'
import { formPassword } from '../../input/form-body.ts'
import { examplePassword } from '../../openapi/examples.ts'
import {
  OrganizationOut,
  organizationToWire,
  UserOut,
  userToWire,
} from '../../output/account-wire.ts'
import {
  formPost,
  linkPage,
  orDeadLink,
  orFaultPage,
  pageAnswer,
  problemIn,
  seeOther,
} from '../../output/page-answer.ts'
import { signInCookies } from '../../pipeline/session-cookie.ts'
import { answer, get, type PlainAnswer, post, resource } from '../../routing/route.ts'

const pathOf = (token: string, what: 'page' | 'join' | 'accept') =>
  `/api/v1/invites/${encodeURIComponent(token)}/${what}`

const ShownInviteOut = s.object({
  organization: s.object({ id: s.idOf('org'), name: s.anyText }),
  role: s.oneOf(roles),
  email: s.anyText,
  expiresAt: s.isoTime,
})

const JoinIn = s.object({
  password: s.described(formPassword, 'The password of the new account; common ones are refused.'),
  name: s.optional(s.text({ charsMax: limits.nameCharsMax }), 'The name of the person.'),
})
const JoinedOut = s.object({ user: UserOut, organization: OrganizationOut, token: s.anyText })

export const inviteTokens = resource('/invites', {
  look: get('/:token', {
    who: { public: true },
    summary: 'The organization and role of an invitation',
    rate: 'auth',
    out: ShownInviteOut,
    problems: [410],
  }).handledBy(({ params }, { invites }) => {
    const { organization, invite } = invites.look(params.token)
    return { ...invite, organization, expiresAt: s.toIso(invite.expiresAtMs) }
  }),
  page: get('/:token/page', {
    ...linkPage,
    who: { visitor: true },
    summary: 'The page of an invitation; opening it does not use it up',
    rate: 'auth',
  }).handledBy(({ caller, params }, { invites }) => formPage(invites, params.token, caller)),
  join: post('/:token/join', {
    ...formPost,
    who: { public: true },
    summary: 'Create an account with the invited address, become a member, and sign in',
    example: { password: examplePassword, name: 'Grace' },
    body: JoinIn,
    out: JoinedOut,
    message: 'Account created',
  }).handledBy(({ caller, params: { token }, body, isForm }, services) =>
    orFaultPage(isForm, pageFor(services.invites, token, caller), async () => {
      const { email } = services.invites.look(token).invite
      const input = { ...body, email, inviteToken: token }
      const { organization, ...signedIn } = await services.people.register(caller, input)
      const headers = signInCookies(signedIn, services)
      if (isForm) return seeOther(consolePath, headers)
      const data = {
        user: userToWire(signedIn.user),
        organization: organizationToWire(organization),
        token: signedIn.token,
      }
      return answer(data, { headers })
    }),
  ),
  accept: post('/:token/accept', {
    ...formPost,
    who: { user: true },
    summary: 'Become a member; your confirmed address must be the invited one',
    out: OrganizationOut,
    message: 'Invitation accepted',
  }).handledBy(({ caller, params: { token }, isForm }, { invites }) =>
    orFaultPage(isForm, pageFor(invites, token, caller), async () => {
      const organization = await invites.accept(caller, token)
      return isForm ? seeOther(consolePath) : organizationToWire(organization)
    }),
  ),
})

const pageFor = (invites: Invites, token: string, caller: Caller) => (fault: Fault) =>
  formPage(invites, token, caller, fault)

/** The page with the forms and the previous problem, or the page for an invalid invitation. */
function formPage(invites: Invites, token: string, caller: Caller, fault?: Fault): PlainAnswer {
  const { language } = caller
  const make = () => {
    const { organization, invite } = invites.look(token)
    const { role, email, expiresAtMs } = invite
    const page = invitePage({
      language,
      organizationName: organization.name,
      role,
      email,
      expiresAtMs,
      joinAction: pathOf(token, 'join'),
      acceptAction: caller.principal.kind === 'session' ? pathOf(token, 'accept') : null,
      signInPath: `/sign-in?redirectUri=${encodeURIComponent(pathOf(token, 'page'))}`,
      problem: problemIn(language, fault),
    })
    const headers = fault?.headers ?? []
    return pageAnswer(fault?.status ?? 200, page, { headers })
  }
  return orDeadLink(make, ({ status }) => pageAnswer(status, deadInvitePage(language)))
}
