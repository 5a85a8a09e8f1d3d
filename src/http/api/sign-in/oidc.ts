// The API of sign-in through OpenID providers: the list, the redirect, the return, and the second
// factor.
import Type from 'typebox'
import type { Fault } from '../../../base/fault.ts'
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { consolePath } from '../../../domain/sign-in/redirect.ts'
import { codePage } from '../../../pages/sign-in-page.ts'
import type { Services } from '../../../services/assembly/services.ts'
import type { Caller } from '../../../services/context.ts'
import { callbackPath, type OidcArrival } from '../../../services/sign-in/oidc.ts'
import { notSignedInAnswer } from '../../output/entrance-answer.ts'
import { orFaultPage, pageAnswer, problemIn, seeOther } from '../../output/page-answer.ts'
import { flowCookie, flowCookieName, signInCookies } from '../../pipeline/session-cookie.ts'
import { get, list, type PlainAnswer, post, resource } from '../../routing/route.ts'
import { codeField, rememberedField } from './second-step.ts'

const ProviderOut = s.object({ name: s.anyText, label: s.anyText, startUrl: s.anyText })

const StartQuery = s.object({
  redirectUri: s.preset(
    s.text({
      charsMax: limits.redirectUriCharsMax,
      description: 'A path of this service, or an address at an origin that the operator allows',
    }),
    consolePath,
  ),
})

const oidcParameterCharsMax = 4_096

const parameter = s.optional(
  s.text({ charsMax: oidcParameterCharsMax }),
  'As the provider sends it.',
)
// Providers send more than the standard parameters, such as session_state.
const CallbackQuery = Type.Object({
  state: parameter,
  code: parameter,
  iss: parameter,
  error: parameter,
  error_description: parameter,
})

const ConfirmIn = s.object({ totp: codeField, isRemembered: rememberedField })

const redirects = {
  rate: 'auth',
  who: { public: true },
  plain: { status: 303, contentType: 'text/html' },
} as const

export const oidc = resource('/auth/oidc', {
  about: 'Sign-in through OpenID providers. A browser follows these addresses.',
  list: list('/', {
    who: { public: true },
    summary: 'The available sign-in providers',
    out: ProviderOut,
  }).handledBy(({ page: { limit, after } }, { oidc, baseUrl }) => {
    const all = oidc.list()
    const rest = all.slice(all.findIndex(({ name }) => name === after) + 1)
    const items = rest.slice(0, limit).map(({ name, label }) => ({
      name,
      label,
      startUrl: `${baseUrl}/api/v1/auth/oidc/${name}/start`,
    }))
    const last = items.at(-1)?.name
    return rest.length > limit && last ? { items, nextAfter: last } : { items }
  }),
  start: get('/:provider/start', {
    ...redirects,
    summary: 'Redirect to a provider to sign in there',
    query: StartQuery,
  }).handledBy(({ caller, params: { provider }, query }, services) =>
    forPeople(services, caller, 'oidc.start', async () => {
      const { oidc, baseUrl } = services
      const { url, flow } = await oidc.start(provider, query.redirectUri)
      return onward(url, [flowCookie(flow, callbackPath(provider), baseUrl)])
    }),
  ),
  callback: get('/:provider/callback', {
    ...redirects,
    summary:
      'The return address for providers; only the browser that started the sign-in may use it',
    query: CallbackQuery,
    cookie: flowCookieName,
    knowsDevices: true,
    problems: [410],
  }).handledBy(({ caller, params: { provider }, query, cookie, trusted }, services) =>
    forPeople(services, caller, 'oidc.callback', async () => {
      const given = new URLSearchParams()
      for (const name of Object.keys(CallbackQuery.properties)) {
        const value: unknown = Reflect.get(query, name)
        if (typeof value === 'string') given.set(name, value)
      }
      const arrival = await services.oidc.callback(caller, provider, given, cookie, { trusted })
      return arrivalPage(services, caller, provider, arrival)
    }),
  ),
  confirm: post('/:provider/callback', {
    ...redirects,
    summary: 'Submit the second factor of a sign-in through a provider',
    example: { totp: '492039' },
    body: ConfirmIn,
    takesForm: true,
    cookie: flowCookieName,
    problems: [410],
  }).handledBy(({ caller, params: { provider }, body, cookie }, services) =>
    forPeople(services, caller, 'oidc.confirm', async () => {
      const arrival = await services.oidc.confirm(caller, provider, body.totp, cookie, body)
      if (arrival.step === 'code') {
        services.audit.signInFailed(caller, undefined, 'oidc.confirm: invalid_credentials')
      }
      return arrivalPage(services, caller, provider, arrival)
    }),
  ),
})

function arrivalPage(
  services: Services,
  { language }: Caller,
  provider: string,
  arrival: OidcArrival,
): PlainAnswer {
  const { trustedDevices, baseUrl } = services
  const path = callbackPath(provider)
  if (arrival.step === 'entered') {
    const cookies = [...signInCookies(arrival.signedIn, services), flowCookie(null, path, baseUrl)]
    return onward(arrival.redirectUri, cookies)
  }
  const { origin } = new URL(arrival.redirectUri)
  const page = codePage({
    language,
    action: path,
    trustDays: trustedDevices.days(),
    problem: problemIn(language, arrival.problem),
  })
  return pageAnswer(401, page, {
    leadsTo: origin === new URL(baseUrl).origin ? [] : [origin],
    headers: [flowCookie(arrival.flow, path, baseUrl)],
  })
}

function onward(location: string, cookies: PlainAnswer['headers']): PlainAnswer {
  return { ...seeOther(location, cookies), contentType: 'text/html; charset=utf-8' }
}

/** The caller is a person, so problems appear on a page; they are recorded as usual. */
function forPeople(
  { audit }: Services,
  caller: Caller,
  route: string,
  work: () => Promise<PlainAnswer>,
): Promise<PlainAnswer> {
  const pageOf = (fault: Fault) => {
    const { code, status } = fault
    if (status === 401 || status === 403 || status === 410) {
      audit.signInFailed(caller, undefined, `${route}: ${code}`)
    }
    return notSignedInAnswer(caller, fault)
  }
  return orFaultPage(true, pageOf, work)
}
