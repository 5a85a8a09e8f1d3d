// The pages at the entrance: every way to sign in, and registration.
import type { Language } from '../texts/languages.ts'
import { marksOf } from '../texts/marks.ts'
import { saidIn, textsOf } from '../texts/texts.ts'
import { actionPage, formOf, linksOf, signInLink, startLink, warningOf } from './action-page.ts'
import { type EntranceTexts, entranceInputs } from './entrance-fields.ts'
import { frame } from './frame.ts'
import { type Html, html } from './html.ts'
import { brandBar } from './mark.ts'

export interface SignInWays {
  readonly language: Language
  /** The path that a sign-in leads to. */
  readonly next: string
  /** The OpenID providers that are set up. */
  readonly providers: readonly ShownProvider[]
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

interface ShownProvider {
  readonly label: string
  readonly startPath: string
  /** The sign of a known provider, as the data of a path in a square of 24. */
  readonly sign?: string | undefined
}

/** Every way to sign in that is set up. */
export function signInWaysPage(ways: SignInWays): Html {
  const { language, problem, isLetterAsked, registerPath } = ways
  const words = textsOf('entrance', language)
  const { signIn, links } = words
  const register = registerPath === null ? [] : [{ label: links.register, href: registerPath }]
  return frame({
    title: `${signIn.title} – stillup`,
    language,
    isIndexed: false,
    ...(ways.passkeyScript === undefined
      ? {}
      : { head: html`<script src="${ways.passkeyScript}" defer></script>` }),
    body: html`${brandBar()}<main class="task card">
<h1>${signIn.title}</h1>
${problem !== undefined && warningOf(problem)}${isLetterAsked && letterNote(words, ways)}
${passkeyPart(words, ways)}${providerLinks(words, ways)}${passwordForm(words, ways)}\
${letterForms(words, ways)}
${registerPath === null && html`<p>${signIn.invitationNeeded}</p>\n`}\
${linksOf([...register, startLink(language)])}</main>`,
  })
}

function letterNote({ signIn, lettersAreFiles }: EntranceTexts, ways: SignInWays): Html {
  const { letterOnItsWay, letterIsFile } = signIn
  const note = ways.hasMailServer
    ? letterOnItsWay
    : letterIsFile + marksOf(ways.language).gap + lettersAreFiles
  return html`<p class="note is-maintenance" role="status">${note}</p>
`
}

/** What the service says of a passkey that it refuses. */
const unknownPasskey = 'This passkey is not known here, or it could not be verified.'

/** A button, which the script shows where the browser has passkeys. */
function passkeyPart({ signIn }: EntranceTexts, ways: SignInWays): Html | false {
  const { language, next, passkeyScript, providers } = ways
  if (passkeyScript === undefined) return false
  const { passkey, passkeyFailed } = signIn
  return html`<div class="passkey" data-passkey data-next="${next}" data-failed="${passkeyFailed}" \
data-refused="${saidIn(language, unknownPasskey)}" hidden>
<button type="button">${passkey}</button>
<p class="note is-degraded" role="alert" hidden></p>
${providers.length === 0 && orPassword(signIn)}</div>
`
}

function passwordForm(words: EntranceTexts, { next, email, passkeyScript }: SignInWays): Html {
  const inputs = entranceInputs(words)
  // The browser offers passkeys where the address is typed.
  const autocomplete = passkeyScript === undefined ? 'username' : 'username webauthn'
  return formOf({
    action: '/api/v1/auth/login',
    hidden: { redirectUri: next },
    inputs: [{ ...inputs.email, autocomplete, value: email }, inputs.password],
    button: words.signIn.button,
  })
}

function letterForms(words: EntranceTexts, { next, email, hasMailServer }: SignInWays): Html {
  const { signIn } = words
  if (!hasMailServer) {
    return html`<details><summary>${signIn.forgot}</summary>
<p>${signIn.noLetters}</p></details>
`
  }
  const inputs = [{ ...entranceInputs(words).email, value: email }]
  return html`<details><summary>${signIn.byLink}</summary>
${formOf({
  action: '/api/v1/identity/oauth/login/magic-link/request',
  hidden: { redirectUri: next },
  inputs,
  button: signIn.sendLink,
})}</details>
<details><summary>${signIn.forgot}</summary>
${formOf({
  action: '/api/v1/auth/password/forgot',
  hidden: {},
  inputs,
  button: signIn.sendReset,
})}</details>
`
}

function providerLinks({ signIn }: EntranceTexts, { providers }: SignInWays): Html | false {
  if (providers.length === 0) return false
  return html`<div class="providers">${providers.map(
    ({ label, startPath, sign }) =>
      html`<a href="${startPath}">${sign !== undefined && signOf(sign)}${signIn.provider({ label })}</a>\n`,
  )}</div>
${orPassword(signIn)}`
}

const signOf = (path: string): Html =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`

const orPassword = ({ orPassword: or }: EntranceTexts['signIn']): Html =>
  html`<p class="or"><span>${or}</span></p>
`

export interface RegisterForm {
  readonly language: Language
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
  const { language, who, takesSetupToken, referralCode, problem, email } = about
  const words = textsOf('entrance', language)
  const { register } = words
  const links = [signInLink(language), startLink(language)]
  if (who === 'invited') {
    return actionPage({
      language,
      isOfService: true,
      title: register.closedTitle,
      warning: problem,
      sentences: [register.closed],
      links,
    })
  }
  const isFirst = who === 'setup'
  const inputs = entranceInputs(words)
  return actionPage({
    language,
    isOfService: true,
    title: isFirst ? register.firstTitle : register.title,
    warning: problem,
    sentences: [isFirst ? register.firstAbout : register.about],
    form: {
      action: '/api/v1/auth/register',
      hidden: referralCode === undefined ? {} : { referralCode },
      inputs: [
        { ...inputs.email, value: email },
        inputs.newPassword,
        inputs.organization,
        ...(takesSetupToken ? [{ ...inputs.setupToken, isOptional: !isFirst }] : []),
      ],
      button: register.button,
    },
    links,
  })
}
