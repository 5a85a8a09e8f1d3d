// Letters about signing in: the link, and the notice that a provider was linked.
import { browserInWords } from '../../domain/sign-in/browser.ts'
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { utcTimeText } from '../../texts/times.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface SignInLetter {
  readonly url: string
  readonly baseUrl: string
  readonly minutes: number
  readonly askedAtMs: number
  /** The network address of the request. */
  readonly address: string
  readonly userAgent: string
  /** The link creates the account, because none has this address. */
  readonly isNew: boolean
  readonly language: Language
}

export function signInLetter(about: SignInLetter): Letter {
  const { url, minutes, address, userAgent, isNew, language } = about
  const texts = textsOf('letters', language).signIn
  const service = new URL(about.baseUrl).host
  const asked = isNew ? texts.askedNew : texts.asked
  const time = utcTimeText(about.askedAtMs, language)
  const browser = browserInWords(userAgent, language)
  return letterOf({
    language,
    subject: texts.subject({ service }),
    paragraphs: [asked({ service }), texts.works({ minutes })],
    button: { label: isNew ? texts.buttonNew : texts.button, url },
    footer: [texts.requested({ time, address, browser }), texts.otherwise],
  })
}

interface IdentityLinked {
  /** The name of the provider, as people know it. */
  readonly label: string
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly atMs: number
  readonly language: Language
}

/** Tells the owner of an account that an OpenID provider can sign in to it from now on. */
export function identityLinkedLetter(about: IdentityLinked): Letter {
  const { label: provider, baseUrl: service, atMs, language } = about
  const { linked, why } = textsOf('letters', language)
  return letterOf({
    language,
    subject: linked.subject({ provider }),
    paragraphs: [
      linked.first({ time: utcTimeText(atMs, language), service, provider }),
      linked.confirmed({ provider }),
    ],
    footer: [why.account({ service }), linked.otherwise],
  })
}
