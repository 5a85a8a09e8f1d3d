// The API of e-mail addresses: verify one's own by a mailed link, and agree to or refuse a change.

import type { Fault } from '../../../base/fault.ts'
import * as s from '../../../base/schema/schema.ts'
import {
  changeEmailPage,
  deadEmailLinkPage,
  emailDonePage,
  emailOutcomes,
  verifyEmailPage,
} from '../../../pages/email-pages.ts'
import type { Html } from '../../../pages/html.ts'
import { exampleLinkToken } from '../../openapi/examples.ts'
import { UserOut, userToWire } from '../../output/account-wire.ts'
import {
  formOrJson,
  formPost,
  linkPage,
  linkToken,
  orDeadLink,
  orFaultPage,
  pageAnswer,
  seeOther,
} from '../../output/page-answer.ts'
import { answer, get, type PlainAnswer, post, resource } from '../../routing/route.ts'

const verifyPath = '/api/v1/auth/email/verify'
const changePath = '/api/v1/auth/email/change'

const PageQuery = s.object({
  token: s.optional(linkToken),
  outcome: s.optional(
    s.oneOf(emailOutcomes),
    'In place of the token: the page that says how it ended.',
  ),
})

export const authEmail = resource('/auth', {
  verifyEmailPage: get('/email/verify', {
    ...linkPage,
    query: PageQuery,
    summary: 'The page of a link that confirms an address',
  }).handledBy(({ query }, { emails }) =>
    pageOr(query.outcome, () => {
      const token = query.token ?? ''
      const { email } = emails.lookVerification(token)
      return verifyEmailPage({ email, action: verifyPath, token })
    }),
  ),
  verifyEmail: post('/email/verify', {
    ...formPost,
    who: { public: true },
    summary: 'Confirm an address with the token from a letter',
    example: { token: exampleLinkToken },
    body: s.object({ token: linkToken }),
    out: s.object({ user: UserOut }),
    message: 'Address confirmed',
  }).handledBy(({ caller, body, isForm }, { emails, baseUrl }) =>
    orFaultPage(isForm, deadLink, async () => {
      const user = await emails.verify(caller, body.token)
      if (isForm) return seeOther(`${baseUrl}${verifyPath}?outcome=verified`)
      return answer({ user: userToWire(user) })
    }),
  ),
  resendVerification: post('/email/verify/resend', {
    ...formOrJson,
    who: { user: true },
    summary: 'Send the link that confirms your address again',
    message: 'A link is on its way',
  }).handledBy(async ({ caller, isForm }, { emails }) => {
    await emails.resendVerification(caller)
    return isForm ? seeOther('/') : undefined
  }),
  changeEmailPage: get('/email/change', {
    ...linkPage,
    query: PageQuery,
    summary: 'The page of a link about a change of address',
  }).handledBy(({ query }, { emails }) =>
    pageOr(query.outcome, () => {
      const token = query.token ?? ''
      const change = emails.lookChange(token)
      return changeEmailPage({ ...change, action: changePath, token })
    }),
  ),
  changeEmail: post('/email/change', {
    ...formPost,
    who: { public: true },
    summary: 'Agree to or refuse a change of address with the token from a letter',
    example: { token: exampleLinkToken, answer: 'confirm' },
    body: s.object({
      token: linkToken,
      answer: s.preset(
        s.oneOf(['confirm', 'refuse']),
        'confirm',
        'Whether the address may change.',
      ),
    }),
    out: s.object({ outcome: s.oneOf(['waiting', 'changed', 'refused']) }),
  }).handledBy(({ caller, body, isForm }, { emails, baseUrl }) =>
    orFaultPage(isForm, deadLink, async () => {
      const outcome = await emails.answerChange(caller, body.token, body.answer)
      if (isForm) return seeOther(`${baseUrl}${changePath}?outcome=${outcome}`)
      return answer({ outcome })
    }),
  ),
})

function pageOr(outcome: Parameters<typeof emailDonePage>[0] | undefined, make: () => Html) {
  if (outcome !== undefined) return pageAnswer(200, emailDonePage(outcome))
  return orDeadLink(() => pageAnswer(200, make()), deadLink)
}

function deadLink({ code, status, message }: Fault): PlainAnswer {
  // The page itself explains an expired link.
  return pageAnswer(status, deadEmailLinkPage(code === 'link_expired' ? undefined : message))
}
