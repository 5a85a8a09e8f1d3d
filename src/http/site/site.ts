// The pages of the service itself: the front page, sign-in, registration, and the page of an alert.
// They are no part of the API. The form of an alert posts to its own address, the others to the API.
import Type from 'typebox'
import * as s from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'
import { titleOf } from '../../domain/pages/page.ts'
import { nextPath } from '../../domain/sign-in/redirect.ts'
import { alertPage, noAlertPage } from '../../pages/alert/alert-page.ts'
import { frontPage, ownFrontPage } from '../../pages/front-page.ts'
import type { Services } from '../../services/assembly/services.ts'
import type { Caller, SignedInCaller } from '../../services/context.ts'
import type { OrgOverview } from '../../services/orgs/overviews.ts'
import { openRegistration, registerAnswer, signInAnswer } from '../output/entrance-answer.ts'
import { formOrJson, pageAnswer, seeOther } from '../output/page-answer.ts'
import { get, type PlainAnswer, post, resource } from '../routing/route.ts'

const page = {
  who: { visitor: true },
  rate: 'page',
  plain: { status: 200, contentType: 'text/html' },
} as const

// Links to a page may carry parameters of others, such as a newsletter's.
const anyQuery = Type.Object
const code = s.optional(s.text({ charsMax: limits.linkTokenCharsMax }))

export const siteRoutes = resource('', {
  front: get('/', { ...page, query: anyQuery({ ref: code }) }).handledBy(
    ({ caller, query: { ref } }, services) =>
      isSignedIn(caller) ? ownFront(caller, services) : strangersFront(caller, ref, services),
  ),
  signIn: get('/sign-in', {
    ...page,
    query: anyQuery({
      redirectUri: s.optional(s.text({ charsMax: limits.redirectUriCharsMax })),
      isLetterAsked: s.optional(s.flag),
    }),
  }).handledBy(({ caller, query: { redirectUri, isLetterAsked = false } }, services) =>
    isSignedIn(caller)
      ? seeOther(nextPath(redirectUri))
      : signInAnswer(services, caller, redirectUri, { isLetterAsked }),
  ),
  register: get('/register', { ...page, query: anyQuery({ ref: code }) }).handledBy(
    ({ caller, query: { ref } }, services) => registerAnswer(services, caller, ref),
  ),
  alert: get('/alerts/:token', { ...page, who: { public: true }, query: anyQuery({}) }).handledBy(
    ({ caller, params: { token } }, { alertViews }) => alertAnswer(caller, token, alertViews),
  ),
  acknowledgeAlert: post('/alerts/:token', {
    ...formOrJson,
    who: { public: true },
    rate: 'page',
  }).handledBy(async ({ caller, params: { token } }, { alertViews }) => {
    const isKnown = await alertViews.acknowledge(token, caller)
    return isKnown
      ? seeOther(`/alerts/${token}`, unindexed)
      : alertAnswer(caller, token, alertViews)
  }),
})

// The address is enough to read the page, so no search engine may keep it.
const unindexed = [['X-Robots-Tag', 'noindex, nofollow']] as const

function alertAnswer(
  { language }: Caller,
  token: string,
  { open }: Services['alertViews'],
): PlainAnswer {
  const view = open(token)
  return view
    ? pageAnswer(200, alertPage(view), { headers: unindexed })
    : pageAnswer(404, noAlertPage(language), { headers: unindexed })
}

function isSignedIn(caller: {
  readonly principal: { readonly kind: string }
}): caller is SignedInCaller {
  return caller.principal.kind === 'session'
}

function strangersFront(
  { language }: Pick<Caller, 'language'>,
  referralCode: string | undefined,
  services: Services,
): PlainAnswer {
  const { entrance, pages } = services
  const registerPath = openRegistration(services)
  const query = referralCode === undefined ? '' : `?ref=${encodeURIComponent(referralCode)}`
  const front = frontPage({
    language,
    isNew: entrance.isNew(),
    registerPath: registerPath && registerPath + query,
    listedPages: pages.listed().map(named),
  })
  return pageAnswer(200, front)
}

async function ownFront(caller: SignedInCaller, services: Services): Promise<PlainAnswer> {
  const { user } = services.people.session(caller)
  const orgs = await services.overviews.of(caller)
  const { email, emailVerifiedAtMs } = user
  const front = ownFrontPage({
    language: caller.language,
    email,
    isEmailVerified: emailVerifiedAtMs !== null,
    hasMailServer: services.entrance.hasMailServer(),
    orgs: orgs.map(orgOf),
  })
  return pageAnswer(200, front)
}

function orgOf({ organization, states, monitors, pages }: OrgOverview) {
  const { id, name, role } = organization
  return { id, name, role, states, monitors, pages: pages.map(named) }
}

function named(one: Parameters<typeof titleOf>[0] & { readonly slug: string }) {
  return { title: titleOf(one), path: `/status/${one.slug}` }
}
