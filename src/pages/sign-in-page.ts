// The pages of signing in: of a link, with one button, because mail scanners open links too; for
// a code; and why a sign-in failed.
import { browserInWords } from '../domain/sign-in/browser.ts'
import type { Language } from '../texts/languages.ts'
import { textsOf } from '../texts/texts.ts'
import { actionPage, signInLink } from './action-page.ts'
import { codeInputs } from './entrance-fields.ts'
import type { Html } from './html.ts'
import { pageFormats } from './page-formats.ts'

/** What the page shows about a working link. */
export interface SignInPage {
  readonly email: string
  /** No account has this address yet: the button creates it. */
  readonly isNew: boolean
  readonly askedAtMs: number
  readonly address: string
  readonly userAgent: string
  /** The page is opened from another network or browser than the link was requested from. */
  readonly isElsewhere: boolean
  /** The account has a second factor. */
  readonly needsCode: boolean
  /** The origin of another site that the sign-in leads to; null for this service. */
  readonly leadsTo: string | null
  /** For how many days a device can be remembered; 0: none can. */
  readonly trustDays: number
}

export interface SignInForm {
  readonly language: Language
  /** The path that the form is posted to. */
  readonly action: string
  readonly token: string
  /** Why the form is shown again. */
  readonly problem?: string | undefined
}

export function signInPage(about: SignInPage, form: SignInForm): Html {
  const { email, isNew, leadsTo, askedAtMs, address, userAgent } = about
  const { language, action, token, problem } = form
  const words = textsOf('entrance', language)
  const { link, signIn } = words
  const time = pageFormats(language, 'UTC').dateTime(askedAtMs)
  return actionPage({
    language,
    isOfService: true,
    title: isNew ? link.titleNew : signIn.title,
    warning: problem ?? (about.isElsewhere ? link.elsewhere : undefined),
    sentences: [
      isNew ? link.creates({ email }) : link.signsIn({ email }),
      link.asked({ time, address, browser: browserInWords(userAgent, language) }),
      ...(leadsTo === null ? [] : [link.leadsTo({ origin: leadsTo })]),
    ],
    form: {
      action,
      hidden: { token },
      inputs: about.needsCode ? codeInputs(words, about.trustDays) : [],
      button: isNew ? link.buttonNew : signIn.button,
    },
  })
}

/** The page for a link that was used, was replaced or has expired, and for all other failed sign-ins. */
export function deadLinkPage(language: Language, problem?: string): Html {
  const { link, links } = textsOf('entrance', language)
  return actionPage({
    language,
    isOfService: true,
    title: link.dead,
    warning: problem,
    sentences: [link.deadSignIn],
    links: [{ label: links.requestNew, href: '/sign-in' }],
  })
}

interface CodePage {
  readonly language: Language
  /** The path that the form is posted to. */
  readonly action: string
  /** For how many days this device can be remembered; 0: it cannot. */
  readonly trustDays: number
  /** Why the form is shown again. */
  readonly problem?: string | undefined
}

/** The password was right, or the provider let the person in; now comes the second factor. */
export function codePage({ language, action, problem, trustDays }: CodePage): Html {
  const words = textsOf('entrance', language)
  const { signIn, code } = words
  return actionPage({
    language,
    isOfService: true,
    title: signIn.title,
    warning: problem,
    sentences: [code.sentence],
    form: { action, hidden: {}, inputs: codeInputs(words, trustDays), button: signIn.button },
    links: [{ label: code.other, href: '/sign-in' }],
  })
}

/** `problem` is one or more sentences. */
export function notSignedInPage(language: Language, problem: string): Html {
  return actionPage({
    language,
    isOfService: true,
    title: textsOf('entrance', language).signIn.failed,
    sentences: [problem],
    links: [signInLink(language)],
  })
}
