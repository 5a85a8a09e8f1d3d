// Mail addresses: parses the setting mail.from, and masks recipients for the log.

/** The sender of a letter. */
export interface Mailbox {
  /** Empty if there is none. */
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

/** Whether a mail server reads the text as one address: no list, name, quotes or second line. */
export function isOneAddress(text: string): boolean {
  return plain.test(text)
}

/** The part after the last @. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** `a…@example.com`: enough to find a letter in the log, too little to write to the person. */
export function maskedAddress(address: string): string {
  const [first = ''] = address
  return `${first}…@${domainOf(address)}`
}
