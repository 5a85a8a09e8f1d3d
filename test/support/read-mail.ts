// Reads a mail as a mail program does: its headers decoded, its text and its HTML.

export interface ReadMail {
  /** By lower-case name, unfolded and decoded; of those that come twice, the first. */
  readonly headers: Readonly<Record<string, string>>
  readonly subject: string
  /** As in the header: a name may stand before the address. */
  readonly from: string
  readonly to: string
  readonly messageId: string
  readonly text: string
  readonly html: string
  /** As it came over the wire or lies in the file. */
  readonly raw: string
}

/** Reads what nodemailer composes: one text, or text and HTML as alternatives. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw)
  const parts = partsOf(headers, body)
  const textOf = (type: string) => parts.find((part) => part.type === type)?.text ?? ''
  return {
    headers,
    subject: headers.subject ?? '',
    from: headers.from ?? '',
    to: headers.to ?? '',
    messageId: headers['message-id'] ?? '',
    text: textOf('text/plain'),
    html: textOf('text/html'),
    raw,
  }
}

/** The first link in the text of a mail; throws where there is none. */
export function linkIn({ text, subject }: Pick<ReadMail, 'text' | 'subject'>): string {
  const [link] = /https?:\/\/\S+/.exec(text) ?? []
  if (link === undefined) throw new Error(`no link in the mail "${subject}"`)
  return link
}

type Headers = Readonly<Record<string, string>>

function split(raw: string): { headers: Headers; body: string } {
  const [head = '', ...rest] = raw.replaceAll('\r\n', '\n').split('\n\n')
  const headers: Record<string, string> = {}
  for (const line of head.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    headers[name.toLowerCase()] ??= decodedWords(value)
  }
  return { headers, body: rest.join('\n\n') }
}

function partsOf(headers: Headers, body: string): { type: string; text: string }[] {
  const contentType = headers['content-type'] ?? 'text/plain'
  const [, boundary] = /boundary="?([^";]+)"?/.exec(contentType) ?? []
  if (boundary !== undefined) {
    const inner = body.split(`--${boundary}`).slice(1, -1)
    return inner.flatMap((part) => {
      const one = split(part.replace(/^\n/, ''))
      return partsOf(one.headers, one.body)
    })
  }
  const type = contentType.split(';')[0]?.trim() ?? ''
  return [{ type, text: decodedBody(headers['content-transfer-encoding'], body) }]
}

function decodedBody(encoding = '7bit', body: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  return decodedQuoted(body.replaceAll('=\n', ''))
}

function decodedQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** RFC 2047: `=?UTF-8?Q?…?=`; the space between two such words is not part of the text. */
function decodedWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      how.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodedQuoted(text.replaceAll('_', ' ')),
    )
}
