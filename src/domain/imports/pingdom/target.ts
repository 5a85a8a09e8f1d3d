// What a check of Pingdom looks at.
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import { type ForeignFields, fieldsOf, hostText, type Note, numberOf, textOf } from '../foreign.ts'
import { sentText } from '../sent-text.ts'

/** Undefined, with a note, if there is no such kind. */
export function targetOf(item: ForeignFields, note: Note): ForeignFields | undefined {
  const isWhole = typeof item.type === 'object'
  const [kind = '', about] = isWhole
    ? (Object.entries(fieldsOf(item.type))[0] ?? [])
    : [textOf(item.type)]
  // Some of it stands beside the type, too.
  const fields = { ...item, ...fieldsOf(about) }
  const host = hostText(textOf(item.hostname))
  const target = kindOf(kind, fields, host, note)
  if (target === undefined) {
    note(`its type "${clip(kind, 40)}" has no equivalent: the monitor was left out`)
    return undefined
  }
  if (isWhole || kind === 'ping') return target
  note('what is set of it was not read: it is paused, so look at its address and what it expects')
  return { ...target, isActive: false }
}

function kindOf(
  kind: string,
  fields: ForeignFields,
  host: string,
  note: Note,
): ForeignFields | undefined {
  const port = numberOf(fields.port)
  switch (kind) {
    case 'http':
      return { checkType: 'endpoint', ...webOf(fields, host, note) }
    case 'httpcustom':
      return { checkType: 'endpoint', ...webOf(fields, host, note), ...statusPageOf(fields, note) }
    case 'ping':
      return { checkType: 'ping', url: `ping://${host}` }
    case 'tcp':
    case 'udp':
      return { checkType: kind, url: `${kind}://${host}:${port ?? ''}`, ...talkOf(fields) }
    case 'dns':
      return dnsOf(fields, host)
    case 'smtp':
    case 'pop3':
    case 'imap':
      return mailOf(kind, fields, host, note)
    default:
      return undefined
  }
}

function webOf(fields: ForeignFields, host: string, note: Note): ForeignFields {
  const isTls = fields.encryption === true
  const port = numberOf(fields.port)
  const isUsual = port === undefined || port === (isTls ? 443 : 80)
  const place = `${isTls ? 'https' : 'http'}://${host}${isUsual ? '' : `:${port}`}`
  const path = textOf(fields.url)
  const body = typeof fields.postdata === 'string' ? fields.postdata : ''
  const wanted = textOf(fields.shouldcontain)
  const unwanted = textOf(fields.shouldnotcontain)
  const days = numberOf(fields.ssl_down_days_before) ?? 0
  const isVerified = fields.verify_certificate !== false
  const headers = headersOf(fields, body, note)
  return {
    url: `${place}${path.startsWith('/') ? '' : '/'}${path}`,
    method: body === '' ? 'GET' : 'POST',
    acceptedStatuses: ['200-399'],
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === '' ? {} : { body }),
    ...signInOf(fields),
    ...(wanted === '' ? {} : { bodyContains: wanted }),
    ...(unwanted === '' ? {} : { bodyNotContains: unwanted }),
    ...(isTls && !isVerified ? { ignoreTlsErrors: true } : {}),
    ...(isTls && isVerified && days > 0
      ? {
          assertions: [
            { source: 'certificateDays', type: 'greaterThan', value: String(Math.round(days)) },
          ],
        }
      : {}),
  }
}

/** Name and password stand apart in answers, and as `auth` in what a check is made of. */
function signInOf({ username, password, auth }: ForeignFields): ForeignFields {
  const [name = '', ...rest] = textOf(auth).split(':')
  const user = textOf(username) || name
  const word = textOf(password) || rest.join(':')
  return {
    ...(user === '' ? {} : { username: user }),
    ...(word === '' ? {} : { password: word }),
  }
}

/** One less than a monitor takes, for the type of the body. */
const headersMax = limits.headersMax - 1

/** By name, or as texts such as `X-Shop: yes`. The service names itself in each request. */
function headersOf(fields: ForeignFields, body: string, note: Note): Record<string, string> {
  const given = fields.requestheaders
  const pairs = Array.isArray(given)
    ? given.map(textOf).map((line) => {
        const [name = '', ...rest] = line.split(':')
        return [name.trim(), rest.join(':').trim()] as const
      })
    : Object.entries(fieldsOf(given)).map(([name, value]) => [name, textOf(value)] as const)
  const isOwn = (name: string, value: string) =>
    name === '' || (name.toLowerCase() === 'user-agent' && /^pingdom/i.test(value))
  const own = pairs.filter(([name, value]) => !isOwn(name, value))
  if (own.length > headersMax) note(`its headers beyond ${headersMax}`)
  const headers = Object.fromEntries(own.slice(0, headersMax))
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  if (body !== '' && !isTyped) headers['content-type'] = 'application/x-www-form-urlencoded'
  return headers
}

/** The page is an XML document, whose `status` says OK. */
function statusPageOf(fields: ForeignFields, note: Note): ForeignFields {
  const others = textOf(fields.additionalurls)
  if (others !== '') note(`its further addresses ${clip(others, 150)}: make a monitor for each`)
  return {
    responseFormat: 'xml',
    assertions: [
      { source: 'xml', path: 'pingdom_http_custom_check > status', type: 'equals', value: 'OK' },
    ],
  }
}

function talkOf({ stringtosend, stringtoexpect }: ForeignFields): ForeignFields {
  const sent = typeof stringtosend === 'string' ? stringtosend : ''
  const expected = textOf(stringtoexpect)
  return {
    ...(sent === '' ? {} : { body: sentText(sent) }),
    ...(expected === '' ? {} : { bodyContains: expected }),
  }
}

function dnsOf({ nameserver, expectedip }: ForeignFields, host: string): ForeignFields {
  const server = textOf(nameserver)
  const addresses = textOf(expectedip)
    .split(/[,;\s]+/)
    .filter((one) => one !== '')
  const type = addresses.some((one) => one.includes(':')) ? 'AAAA' : 'A'
  return {
    checkType: 'dns',
    url: `dns://${host}?type=${type}${server === '' ? '' : `&server=${hostText(server)}`}`,
    assertions: addresses.slice(0, limits.assertionsMax).map((value) => ({
      ...{ source: 'json', path: '$.records[*]', type: 'equals', value },
    })),
  }
}

const usualPorts = { smtp: 25, pop3: 110, imap: 143 } as const
const tlsPorts = { smtp: 465, pop3: 995, imap: 993 } as const

function mailOf(
  kind: keyof typeof usualPorts,
  fields: ForeignFields,
  host: string,
  note: Note,
): ForeignFields {
  const isTls = fields.encryption === true
  const port = numberOf(fields.port) ?? (isTls ? tlsPorts[kind] : usualPorts[kind])
  const expected = textOf(fields.stringtoexpect)
  if (textOf(fields.auth) !== '' || textOf(fields.username) !== '') {
    note('that it signs in: only whether the server answers is looked at')
  }
  // Its findings are the greeting for SMTP, and what the mailbox tells for the others.
  if (expected !== '' && kind !== 'smtp') note(`its text "${clip(expected, 60)}" in the greeting`)
  return {
    checkType: kind,
    url: `${kind}${isTls ? 's' : ''}://${host}:${port}`,
    ...(expected !== '' && kind === 'smtp' ? { bodyContains: expected } : {}),
  }
}
