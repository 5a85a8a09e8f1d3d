// The API of e-mail addresses: verify one's own by a mailed link, and agree to or refuse a change.

import * as s from '../../../base/schema/schema.ts'
import {
  changeEmailPage,
  deadEmailLinkPage,
  type EmailOutcome,
  emailDonePage,
  emailOutcomes,
  verifyEmailPage,
} from '../../../pages/email-pages.ts'
import type { Html } from '../../../pages/html.ts'
import type { Caller } from '../../../services/context.ts'
import { exampleLinkToken } from '../../openapi/examples.ts'
import { UserOut, userToWire } from '../../output/account-wire.ts'
import {
  deadLinkOf,
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
  }).handledBy(({ caller, query }, { emails }) =>
    pageOr(caller, query.outcome, () => {
      const token = query.token ?? ''
      const { email } = emails.lookVerification(token)
      const { language } = caller
      return verifyEmailPage({ language, email, action: verifyPath, token })
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
    orFaultPage(isForm, deadLink(caller), async () => {
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
  }).handledBy(({ caller, query }, { emails }) =>
    pageOr(caller, query.outcome, () => {
      const token = query.token ?? ''
      const change = emails.lookChange(token)
      const { language } = caller
      return changeEmailPage({ ...change, language, action: changePath, token })
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
    orFaultPage(isForm, deadLink(caller), async () => {
      const outcome = await emails.answerChange(caller, body.token, body.answer)
      if (isForm) return seeOther(`${baseUrl}${changePath}?outcome=${outcome}`)
      return answer({ outcome })
    }),
  ),
})

function pageOr(
  caller: Pick<Caller, 'language'>,
  outcome: EmailOutcome | undefined,
  make: () => Html,
): PlainAnswer {
  if (outcome !== undefined) return pageAnswer(200, emailDonePage(caller.language, outcome))
  return orDeadLink(() => pageAnswer(200, make()), deadLink(caller))
}

const deadLink = (caller: Pick<Caller, 'language'>) => deadLinkOf(caller, deadEmailLinkPage)
