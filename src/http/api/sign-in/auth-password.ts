// The API of passwords: a new one by a mailed link, on a page or by JSON; changed while signed in.

import type { Fault } from '../../../base/fault.ts'
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import {
  deadPasswordLinkPage,
  newPasswordPage,
  passwordSetPage,
} from '../../../pages/password-page.ts'
import type { Caller } from '../../../services/context.ts'
import type { OwnPassword } from '../../../services/sign-in/own-password.ts'
import { formPassword } from '../../input/form-body.ts'
import { exampleEmail, exampleLinkToken, examplePassword } from '../../openapi/examples.ts'
import { letterAskedPath, signInAnswer } from '../../output/entrance-answer.ts'
import {
  formOrJson,
  formPost,
  linkPage,
  linkToken,
  orDeadLink,
  orFaultPage,
  pageAnswer,
  problemIn,
  seeOther,
} from '../../output/page-answer.ts'
import { sessionCookie } from '../../pipeline/session-cookie.ts'
import { answer, get, type PlainAnswer, post, resource } from '../../routing/route.ts'

const resetPath = '/api/v1/auth/password/reset'
const newPassword = s.text({
  charsMin: limits.passwordCharsMin,
  charsMax: limits.passwordCharsMax,
  description: 'The password from now on; common ones are refused.',
})

const ForgotIn = s.object({
  email: s.text({
    charsMax: limits.emailCharsMax,
    format: 'email',
    description: 'The address of the account.',
  }),
})
const ResetIn = s.object({
  token: linkToken,
  password: s.described(formPassword, 'The password from now on; common ones are refused.'),
})
const ChangeIn = s.object({
  currentPassword: s.text({
    charsMax: limits.passwordCharsMax,
    description: 'The password until now.',
  }),
  newPassword,
})

export const authPassword = resource('/auth', {
  forgotPassword: post('/password/forgot', {
    ...formOrJson,
    who: { public: true },
    summary:
      'Send a link to choose a new password; the response does not reveal whether an account exists',
    rate: 'auth',
    rateField: 'email',
    example: { email: exampleEmail },
    body: ForgotIn,
    message: 'If there is an account with this address, a link is on its way',
  }).handledBy(({ caller, body: { email }, isForm }, services) => {
    const pageOf = (fault: Fault) =>
      signInAnswer(services, caller, undefined, { failed: { fault, email } })
    return orFaultPage(isForm, pageOf, async () => {
      await services.ownPassword.forgot(caller, email)
      return isForm ? seeOther(letterAskedPath) : undefined
    })
  }),
  resetPasswordPage: get('/password/reset', {
    ...linkPage,
    summary: 'The page of the link; opening it does not use it up',
    query: s.object({
      token: s.optional(linkToken),
      isDone: s.optional(s.flag, 'True: the page that says that it is done.'),
    }),
  }).handledBy(({ caller, query }, { ownPassword }) =>
    query.isDone === true
      ? pageAnswer(200, passwordSetPage(caller.language))
      : formPage(ownPassword, caller, query.token ?? ''),
  ),
  resetPassword: post('/password/reset', {
    ...formPost,
    who: { public: true },
    summary: 'Set a new password with the token from a letter; all sessions end',
    example: { token: exampleLinkToken, password: examplePassword },
    body: ResetIn,
    message: 'Password set',
  }).handledBy(({ caller, body, isForm }, { ownPassword, baseUrl }) => {
    const pageOf = (fault: Fault) => formPage(ownPassword, caller, body.token, fault)
    return orFaultPage(isForm, pageOf, async () => {
      await ownPassword.reset(caller, body.token, body.password)
      return isForm ? seeOther(`${baseUrl}${resetPath}?isDone=true`) : undefined
    })
  }),
  changePassword: post('/password/change', {
    who: { user: true },
    summary: 'Change the password; all other sessions end, and this one gets a new value',
    rate: 'auth',
    example: {
      currentPassword: examplePassword,
      newPassword: 'another long sentence, better',
    },
    body: ChangeIn,
    out: s.object({ token: s.anyText }),
    message: 'Password changed',
  }).handledBy(async ({ caller, body }, { ownPassword, baseUrl }) => {
    const { token: value } = await ownPassword.change(caller, body)
    return answer({ token: value }, { headers: [sessionCookie(value, baseUrl)] })
  }),
})

/** The page with the form and the previous problem, or the page for a link that does not work. */
function formPage(
  ownPassword: OwnPassword,
  { language }: Pick<Caller, 'language'>,
  token: string,
  fault?: Fault,
): PlainAnswer {
  const make = () => {
    const { email } = ownPassword.look(token)
    const problem = problemIn(language, fault)
    const about = { language, email, action: resetPath, token, problem }
    const headers = fault?.headers ?? []
    return pageAnswer(fault?.status ?? 200, newPasswordPage(about), { headers })
  }
  return orDeadLink(make, ({ status }) => pageAnswer(status, deadPasswordLinkPage(language)))
}
