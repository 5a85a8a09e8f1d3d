// The pages at the entrance: every way to sign in, and registration.
import { limits } from '../domain/limits/limits.ts'
import {
  type ActionInput,
  actionPage,
  formOf,
  lettersAreFiles,
  linksOf,
  signInLink,
  startLink,
  warningOf,
} from './action-page.ts'
import { frame } from './frame.ts'
import { type Html, html } from './html.ts'
import { brandBar } from './mark.ts'

export interface SignInWays {
  /** The path that a sign-in leads to. */
  readonly next: string
  /** The OpenID providers that are set up. */
  readonly providers: readonly { readonly label: string; readonly startPath: string }[]
  /** The script that offers passkeys; undefined where there are none. */
  readonly passkeyScript?: string | undefined
  /** False: letters are files that only the operator can read. */
  readonly hasMailServer: boolean
  /** The path for registration; null if new accounts need an invitation. */
  readonly registerPath: string | null
  /** What the previous form did: a letter with a link is on its way. */
  readonly isLetterAsked?: boolean | undefined
  /** The problem with the previous attempt, and the address that was typed. */
  readonly problem?: string | undefined
  readonly email?: string | undefined
}

const emailInput: ActionInput = {
  name: 'email',
  label: 'E-mail address',
  type: 'email',
  autocomplete: 'username',
  charsMax: limits.emailCharsMax,
}

const passwordInput: ActionInput = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  charsMax: limits.passwordCharsMax,
}

/** Every way to sign in that is set up. */
export function signInWaysPage(ways: SignInWays): Html {
  const { problem, isLetterAsked, registerPath } = ways
  const register = registerPath === null ? [] : [{ label: 'Create an account', href: registerPath }]
  return frame({
    title: 'Sign in – stillup',
    isIndexed: false,
    ...(ways.passkeyScript === undefined
      ? {}
      : { head: html`<script src="${ways.passkeyScript}" defer></script>` }),
    body: html`${brandBar()}<main class="task card">
<h1>Sign in</h1>
${problem !== undefined && warningOf(problem)}${isLetterAsked && letterNote(ways)}
${passkeyPart(ways)}${providerLinks(ways)}${passwordForm(ways)}${ways.hasMailServer ? letterForms(ways) : noLetters}
${registerPath === null && html`<p>New accounts need an invitation.</p>\n`}\
${linksOf([...register, startLink])}</main>`,
  })
}

function letterNote({ hasMailServer }: SignInWays): Html {
  const letter = hasMailServer
    ? 'a link is on its way. Look into your mailbox.'
    : `there is a letter with a link now. ${lettersAreFiles}`
  return html`<p class="note is-maintenance" role="status">If there is an account with this address, \
${letter}</p>
`
}

/** A button, which the script shows where the browser has passkeys. */
function passkeyPart({ next, passkeyScript, providers }: SignInWays): Html | false {
  if (passkeyScript === undefined) return false
  return html`<div class="passkey" data-passkey data-next="${next}" hidden>
<button type="button">Sign in with a passkey</button>
<p class="note is-degraded" role="alert" hidden></p>
${providers.length === 0 && orPassword}</div>
`
}

function passwordForm({ next, email, passkeyScript }: SignInWays): Html {
  // The browser offers passkeys where the address is typed.
  const autocomplete = passkeyScript === undefined ? 'username' : 'username webauthn'
  return formOf({
    action: '/api/v1/auth/login',
    hidden: { redirectUri: next },
    inputs: [{ ...emailInput, autocomplete, value: email }, passwordInput],
    button: 'Sign in',
  })
}

function letterForms({ next, email }: SignInWays): Html {
  const inputs = [{ ...emailInput, value: email }]
  return html`<details><summary>Sign in with a link by e-mail</summary>
${formOf({
  action: '/api/v1/identity/oauth/login/magic-link/request',
  hidden: { redirectUri: next },
  inputs,
  button: 'Send a link to sign in',
})}</details>
<details><summary>Forgot your password?</summary>
${formOf({
  action: '/api/v1/auth/password/forgot',
  hidden: {},
  inputs,
  button: 'Send a link to choose a new password',
})}</details>
`
}

const noLetters = html`<details><summary>Forgot your password?</summary>
<p>This service sends no e-mail. Its operator can give you a new password.</p></details>
`

function providerLinks({ providers }: SignInWays): Html | false {
  if (providers.length === 0) return false
  return html`<div class="providers">${providers.map(
    ({ label, startPath }) => html`<a href="${startPath}">Continue with ${label}</a>\n`,
  )}</div>
${orPassword}`
}

const orPassword = html`<p class="or"><span>or with your password</span></p>
`

export interface RegisterForm {
  /** Who may register now. */
  readonly who: 'anyone' | 'setup' | 'invited'
  /** Whether the setup token still makes an administrator. */
  readonly takesSetupToken: boolean
  readonly referralCode?: string | undefined
  readonly problem?: string | undefined
  readonly email?: string | undefined
}

/** The form of registration, or why there is none. */
export function registerPage(about: RegisterForm): Html {
  const { who, takesSetupToken, referralCode, problem, email } = about
  const links = [signInLink, startLink]
  if (who === 'invited') {
    return actionPage({
      isOfService: true,
      title: 'New accounts need an invitation',
      warning: problem,
      sentences: ['Ask an administrator of an organization here to invite your e-mail address.'],
      links,
    })
  }
  const token = { ...setupTokenInput, isOptional: who === 'anyone' }
  return actionPage({
    isOfService: true,
    title: who === 'setup' ? 'Create the first account' : 'Create an account',
    warning: problem,
    sentences:
      who === 'setup'
        ? ['It owns an organization and administers this service.']
        : ['You become the owner of an organization of your own.'],
    form: {
      action: '/api/v1/auth/register',
      hidden: referralCode === undefined ? {} : { referralCode },
      inputs: [
        { ...emailInput, value: email },
        newPasswordInput,
        organizationInput,
        ...(takesSetupToken ? [token] : []),
      ],
      button: 'Create the account',
    },
    links,
  })
}

export const newPasswordInput: ActionInput = {
  name: 'password',
  label: 'Choose a password',
  type: 'password',
  autocomplete: 'new-password',
  charsMin: limits.passwordCharsMin,
  charsMax: limits.passwordCharsMax,
  hint: `At least ${limits.passwordCharsMin} characters. A few unrelated words are good.`,
}

const organizationInput: ActionInput = {
  name: 'organizationName',
  label: 'Name of your organization',
  type: 'text',
  autocomplete: 'organization',
  charsMax: limits.nameCharsMax,
  isOptional: true,
  hint: 'You can change it later.',
}

const setupTokenInput: ActionInput = {
  name: 'setupToken',
  label: 'Setup token',
  type: 'text',
  autocomplete: 'off',
  charsMax: limits.setupTokenCharsMax,
  hint: 'The daemon prints it when it starts. It makes this account the administrator.',
}
