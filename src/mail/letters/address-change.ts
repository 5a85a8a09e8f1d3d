// Letters about addresses: to prove one, and about a change of it, before and after.
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { type Letter, letterOf } from '../letter.ts'

interface Move {
  readonly from: string
  readonly to: string
  readonly language: Language
}

/** To the new address: the link proves that the person reads it. */
export function addressToConfirm({
  from,
  to,
  url,
  language,
}: Move & { readonly url: string }): Letter {
  const { address, worksOnce, ignore } = textsOf('letters', language)
  const { subject, isYours, button } = address.confirm
  return letterOf({
    language,
    subject,
    paragraphs: [address.asked({ from, to }), isYours],
    button: { label: button, url },
    footer: [worksOnce, ignore],
  })
}

/** To the old address: its holder agrees, or reports that somebody else asked. */
export function addressChangeAsked({
  from,
  to,
  url,
  language,
}: Move & { readonly url: string }): Letter {
  const { address, worksOnce } = textsOf('letters', language)
  const { subject, asked, open, button, otherwise } = address.agree
  return letterOf({
    language,
    subject,
    paragraphs: [asked({ from, to }), open],
    button: { label: button, url },
    footer: [worksOnce, otherwise],
  })
}

/** To an address that was requested but already belongs to an account. */
export function addressAlreadyHasAccount({ from, to, language }: Move): Letter {
  const { address, ignore } = textsOf('letters', language)
  const { subject, exists, both } = address.taken
  return letterOf({
    language,
    subject,
    paragraphs: [address.asked({ from, to }), exists],
    footer: [both, ignore],
  })
}

/** To the old address: the last letter it receives. */
export function addressChanged({ from, to, language }: Move): Letter {
  const { subject, now, otherwise } = textsOf('letters', language).address.changed
  return letterOf({ language, subject, paragraphs: [now({ from, to })], footer: [otherwise] })
}

interface AddressToVerify {
  readonly url: string
  readonly language: Language
}

/** To the address of a new account: opening its link shows that the person reads mail there. */
export function addressToVerify({ url, language }: AddressToVerify): Letter {
  const { address, worksOnce } = textsOf('letters', language)
  const { subject, created, button, otherwise } = address.verify
  return letterOf({
    language,
    subject,
    paragraphs: [created],
    button: { label: button, url },
    footer: [worksOnce, otherwise],
  })
}
