// The letter that proves an address: opening its link shows that the person reads mail there.
import { type Letter, letterOf } from '../letter.ts'

export function addressToVerify({ url }: { readonly url: string }): Letter {
  return letterOf({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'An account was created with this e-mail address. Please confirm that the address is yours.',
    ],
    button: { label: 'Confirm the address', url },
    footer: [
      'The link works once, for 24 hours.',
      'If you created no account, ignore this letter: the address stays unconfirmed.',
    ],
  })
}
