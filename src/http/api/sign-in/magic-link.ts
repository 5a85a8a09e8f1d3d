// The API of magic links: requested by JSON, opened in a browser, used by JSON or by the page's
// form.

import type { Fault } from '../../../base/fault.ts'
import { anyText, object, optional, text } from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { deadLinkPage, signInPage } from '../../../pages/sign-in-page.ts'
import type { Services } from '../../../services/assembly/services.ts'
import type { Caller } from '../../../services/context.ts'
import { exampleEmail, exampleLinkToken } from '../../openapi/examples.ts'
import { UserOut, userToWire } from '../../output/account-wire.ts'
import { letterAskedPath, signInAnswer } from '../../output/entrance-answer.ts'
import {
  deadLinkOf,
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
import { signInCookies } from '../../pipeline/session-cookie.ts'
import { documented } from '../../routing/documented.ts'
import { answer, get, type PlainAnswer, post, resource } from '../../routing/route.ts'
import { rememberedField } from './second-step.ts'

const base = '/identity/oauth/login/magic-link'
const verifyPath = `/api/v1${base}/verify`

const RequestIn = object({
  email: text({
    charsMax: limits.emailCharsMax,
    format: 'email',
    description: 'The address of the account.',
  }),
  redirectUri: documented(
    text({
      charsMax: limits.urlCharsMax,
      description:
        'Where the link leads after the sign-in: a path of this service, or an address at an ' +
        'origin of `auth.redirectOrigins`.',
    }),
    // A path with one slash, or a scheme and a host; no fragment, backslash or space anywhere.
    {
      'x-rule': 'must be a path such as /app, or an http or https URL',
      pattern: '^(/($|[!"$-.0-\\[\\]-~])|[hH][tT][tT][pP][sS]?://[^/?@])[!"$-\\[\\]-~]*$',
    },
  ),
})

const VerifyIn = object({
  token: linkToken,
  totp: optional(
    text({
      charsMax: limits.totpCharsMax,
      description: 'With a second factor: the code of the authenticator app, or a recovery code.',
    }),
  ),
  isRemembered: rememberedField,
})
const SignedInOut = object({ user: UserOut, token: anyText, redirectUri: anyText })

export const magicLink = resource(base, {
  about: 'Sign-in with a link that is sent by letter.',
  request: post('/request', {
    ...formOrJson,
    who: { public: true },
    summary: 'Send a sign-in link; the response does not reveal whether an account exists',
    rate: 'auth',
    example: { email: exampleEmail, redirectUri: '/' },
    body: RequestIn,
    message: 'If this address may sign in, a link is on its way',
  }).handledBy(({ caller, body, isForm }, services) => {
    const { email, redirectUri } = body
    const pageOf = (fault: Fault) =>
      signInAnswer(services, caller, redirectUri, { failed: { fault, email } })
    return orFaultPage(isForm, pageOf, async () => {
      await services.magicLinks.request(caller, body)
      return isForm ? seeOther(letterAskedPath) : undefined
    })
  }),
  callback: get('/callback', {
    ...linkPage,
    summary: 'The page of a link; opening it does not use it up',
    query: object({ token: optional(linkToken) }),
    knowsDevices: true,
  }).handledBy(({ caller, query: { token = '' }, trusted }, services) =>
    orDeadLink(() => formPage(services, caller, { token, trusted }), deadLink(caller)),
  ),
  verify: post('/verify', {
    ...formPost,
    who: { public: true },
    summary: 'Sign in with a link: JSON is answered with the session, a form with a redirect',
    example: { token: exampleLinkToken },
    body: VerifyIn,
    knowsDevices: true,
    out: SignedInOut,
    message: 'Signed in',
  }).handledBy(({ caller, body, trusted, isForm }, services) => {
    const { magicLinks, audit } = services
    const pageOf = (fault: Fault) => {
      // The pipeline does not see a refusal that is answered with a page, so it is recorded here.
      audit.signInFailed(caller, undefined, `magic-link.verify: ${fault.code}`)
      return formProblem(services, caller, { token: body.token, trusted }, fault)
    }
    return orFaultPage(isForm, pageOf, async () => {
      const arrival = await magicLinks.verify(caller, { ...body, trusted })
      const { leadsTo, ...signedIn } = arrival
      const headers = signInCookies(signedIn, services)
      if (isForm) return seeOther(leadsTo, headers)
      return answer({ ...signedIn, user: userToWire(signedIn.user) }, { headers })
    })
  }),
})

interface Presented {
  readonly token: string
  readonly trusted: string | undefined
}

function formPage(
  { magicLinks }: Pick<Services, 'magicLinks'>,
  caller: Caller,
  { token, trusted }: Presented,
  fault?: Fault,
): PlainAnswer {
  const view = magicLinks.look(caller, token, trusted)
  const { language } = caller
  const problem = problemIn(language, fault)
  const page = signInPage(view, { language, action: verifyPath, token, problem })
  const leadsTo = view.leadsTo === null ? [] : [view.leadsTo]
  return pageAnswer(fault?.status ?? 200, page, { leadsTo, headers: fault?.headers ?? [] })
}

/** The page for a refused form: the form again, while its link still works. */
function formProblem(
  services: Pick<Services, 'magicLinks'>,
  caller: Caller,
  presented: Presented,
  fault: Fault,
): PlainAnswer {
  const mayTryAgain = ['totp_required', 'invalid_credentials', 'rate_limited', 'unavailable']
  if (!mayTryAgain.includes(fault.code)) return deadLink(caller)(fault)
  return orDeadLink(() => formPage(services, caller, presented, fault), deadLink(caller))
}

const deadLink = (caller: Pick<Caller, 'language'>) => deadLinkOf(caller, deadLinkPage)
