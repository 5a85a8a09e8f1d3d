// The pages at the entrance as responses: of their own routes, and of forms that failed.
import type { Fault } from '../../base/fault.ts'
import { nextPath } from '../../domain/sign-in/redirect.ts'
import { signInScript } from '../../pages/console/console-document.ts'
import { registerPage, signInWaysPage } from '../../pages/entrance.ts'
import type { Services } from '../../services/assembly/services.ts'
import type { PlainAnswer } from '../routing/route.ts'
import { pageAnswer } from './page-answer.ts'

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
  redirectUri: string | undefined,
  {
    failed,
    isLetterAsked,
  }: { readonly failed?: FailedForm; readonly isLetterAsked?: boolean } = {},
): PlainAnswer {
  const next = nextPath(redirectUri)
  const startPath = (name: string) =>
    `/api/v1/auth/oidc/${name}/start?redirectUri=${encodeURIComponent(next)}`
  const passkeyScript = services.passkeys.state === 'possible' ? signInScript() : undefined
  const page = signInWaysPage({
    passkeyScript,
    next,
    providers: services.oidc
      .list()
      .map(({ name, label }) => ({ label, startPath: startPath(name) })),
    hasMailServer: services.entrance.hasMailServer(),
    registerPath: openRegistration(services),
    isLetterAsked,
    problem: failed?.fault.message,
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
  referralCode: string | undefined,
  failed?: FailedForm,
): PlainAnswer {
  const page = registerPage({
    who: entrance.mayRegister(),
    takesSetupToken: entrance.takesSetupToken(),
    referralCode,
    problem: failed?.fault.message,
    email: failed?.email,
  })
  return pageAnswer(failed?.fault.status ?? 200, page, {
    headers: failed?.fault.headers ?? [],
  })
}
