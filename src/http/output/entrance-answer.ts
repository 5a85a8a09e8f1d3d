// The pages at the entrance as responses: of their own routes, and of forms that failed.
import type { Fault } from '../../base/fault.ts'
import { nextPath } from '../../domain/sign-in/redirect.ts'
import { providerSigns, signInScript } from '../../pages/console/console-document.ts'
import { registerPage, signInWaysPage } from '../../pages/entrance.ts'
import { notSignedInPage } from '../../pages/sign-in-page.ts'
import type { Services } from '../../services/assembly/services.ts'
import type { Caller } from '../../services/context.ts'
import { saidIn } from '../../texts/texts.ts'
import type { PlainAnswer } from '../routing/route.ts'
import { pageAnswer, problemIn } from './page-answer.ts'

/** The sign-in page once a letter with a link was asked for. */
export const letterAskedPath = '/sign-in?isLetterAsked=true'
const registerPath = '/register'

/** A form that did not work, and what it contained. */
export interface FailedForm {
  readonly fault: Fault
  readonly email?: string | undefined
}

/** The path of registration for strangers; null if they need an invitation. */
export function openRegistration({ entrance }: Pick<Services, 'entrance'>): string | null {
  return entrance.mayRegister() === 'invited' ? null : registerPath
}

/** The page with every way to sign in. `redirectUri` is where the sign-in leads. */
export function signInAnswer(
  services: Pick<Services, 'entrance' | 'oidc' | 'passkeys'>,
  { language }: Pick<Caller, 'language'>,
  redirectUri: string | undefined,
  {
    failed,
    isLetterAsked,
  }: { readonly failed?: FailedForm; readonly isLetterAsked?: boolean } = {},
): PlainAnswer {
  const next = nextPath(redirectUri)
  const startPath = (name: string) =>
    `/api/v1/auth/oidc/${name}/start?redirectUri=${encodeURIComponent(next)}`
  const signs = providerSigns()
  const signOf = (brand: string | undefined) => (brand === undefined ? undefined : signs[brand])
  const passkeyScript = services.passkeys.state === 'possible' ? signInScript() : undefined
  const page = signInWaysPage({
    language,
    passkeyScript,
    next,
    providers: services.oidc.list().map(({ name, label, brand }) => ({
      label,
      startPath: startPath(name),
      sign: signOf(brand),
    })),
    hasMailServer: services.entrance.hasMailServer(),
    registerPath: openRegistration(services),
    isLetterAsked,
    problem: problemIn(language, failed?.fault),
    email: failed?.email,
  })
  return pageAnswer(failed?.fault.status ?? 200, page, {
    hasScript: passkeyScript !== undefined,
    headers: failed?.fault.headers ?? [],
  })
}

/** The page with the form of registration, or why there is none. */
export function registerAnswer(
  { entrance }: Pick<Services, 'entrance'>,
  { language }: Pick<Caller, 'language'>,
  referralCode: string | undefined,
  failed?: FailedForm,
): PlainAnswer {
  const page = registerPage({
    language,
    who: entrance.mayRegister(),
    takesSetupToken: entrance.takesSetupToken(),
    referralCode,
    problem: problemIn(language, failed?.fault),
    email: failed?.email,
  })
  return pageAnswer(failed?.fault.status ?? 200, page, {
    headers: failed?.fault.headers ?? [],
  })
}

/** The page that says why a sign-in failed. */
export function notSignedInAnswer(
  { language }: Pick<Caller, 'language'>,
  { status, message, headers }: Fault,
): PlainAnswer {
  return pageAnswer(status, notSignedInPage(language, saidIn(language, message)), { headers })
}
