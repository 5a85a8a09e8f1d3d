// Addresses of mail: the setting mail.from taken apart, and what a log may say of a recipient.

/** Who a letter comes from. */
export interface Mailbox {
  /** Empty where there is none. */
  readonly name: string
  readonly address: string
}

/** `Name <address>`, `"Name" <address>` or an address alone. */
export function mailboxOf(text: string): Mailbox {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

const part = String.raw`[^\s\p{Cc}<>,;:()\[\]\\"@]+`
const plain = new RegExp(`^${part}@${part}$`, 'u')

/** Whether a text is one address to a mail server: no list, no name, no quotes, no second line. */
export function isOneAddress(text: string): boolean {
  return plain.test(text)
}

/** What follows the last @. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** `a…@example.com`: enough to find a letter in the log, too little to write to somebody. */
export function maskedAddress(address: string): string {
  const [first = ''] = address
  return `${first}…@${domainOf(address)}`
}
