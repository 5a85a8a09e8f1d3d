// Kinds of settings: the allowed values, and how to parse them from the file or a variable.
import { isIP } from 'node:net'
import { asId } from '../base/ids.ts'
import { limits } from '../domain/limits/limits.ts'
import { secretMask } from '../domain/secret-mask.ts'
import { isLoopbackUrl } from '../domain/sign-in/oidc.ts'
import { readProxy } from '../net/proxy-address.ts'

export interface Kind<T> {
  /** Describes the allowed values, for messages and for the commented file. */
  readonly allowed: string
  /** Parses the value from the file; undefined if it is not allowed. */
  parse(raw: unknown): T | undefined
  /** Converts the text of a variable into the value that the file would have. */
  fromText(text: string): unknown
  /** For a value with parts: lists the invalid ones after `parse` returned undefined. */
  explain?(raw: unknown): readonly KindProblem[]
  /** A secret value as administrators see it; default: all of it is hidden. */
  masked?(value: T): unknown
  /**
   * A value that came back as it was shown, with the secrets that its masks stand for; undefined if one is
   * missing. Default: all of it came back, or a new one.
   */
  unmasked?(raw: unknown, before: T): unknown
  /** How a form asks for it. */
  readonly form: KindForm
}

type KindForm =
  | { readonly type: 'text' | 'flag' | 'providers' }
  | { readonly type: 'number'; readonly min: number; readonly max: number }
  | { readonly type: 'choice'; readonly choices: readonly string[] }
  | { readonly type: 'list'; readonly ofNumbers: boolean }

/** An invalid part of a value, without secrets. */
export interface KindProblem {
  /** The path below the setting: `.google.issuer`. */
  readonly place: string
  readonly found: string
  readonly allowed: string
}

export interface HostAndPort {
  /** An address or a name; IPv6 without brackets. */
  readonly host: string
  readonly port: number
}

const asIs = (text: string): unknown => text
const hostLabels =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/
const portMax = 65_535

/** A kind that is a text in the file; `parse` returns undefined for an invalid one. */
function textKind<T>(allowed: string, parse: (text: string) => T | undefined): Kind<T> {
  return {
    allowed,
    parse: (raw) => (typeof raw === 'string' ? parse(raw.trim()) : undefined),
    fromText: asIs,
    form: { type: 'text' },
  }
}

function asUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function asOrigin(text: string): string | undefined {
  const url = asUrl(text)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return undefined
  const isBare = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
  return isBare ? url.origin : undefined
}

function splitPort(text: string): { host: string; port: number | undefined } | undefined {
  const found = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text)
  const port = found?.[3] === undefined ? undefined : Number(found[3])
  if (!found || (port !== undefined && port > portMax)) return undefined
  const [, bracketed, plain] = found
  if (bracketed !== undefined) return isIP(bracketed) === 6 ? { host: bracketed, port } : undefined
  return { host: plain ?? '', port }
}

/** `host:port`; port 0 lets the system choose. */
export const listenAddress: Kind<HostAndPort> = textKind(
  'host:port, such as 127.0.0.1:8080 or [::1]:8080',
  (text) => {
    const parts = splitPort(text)
    if (parts?.port === undefined) return undefined
    const isHost = isIP(parts.host) !== 0 || hostLabels.test(parts.host.toLowerCase())
    return isHost ? { host: parts.host, port: parts.port } : undefined
  },
)

/** The same; without a host it is every address of the machine. */
export const tlsListenAddress: Kind<{ readonly host: string | null; readonly port: number }> =
  textKind('host:port such as 0.0.0.0:443, or :443 for every address', (text) => {
    if (!text.startsWith(':')) return listenAddress.parse(text)
    const parts = splitPort(text)
    return parts?.port === undefined ? undefined : { host: null, port: parts.port }
  })

export const origin: Kind<string> = textKind(
  'an http or https address without a path, such as https://status.example.com',
  asOrigin,
)

const basePathCharsMax = 100
/** What the service itself has at its root, so that a path in front of it is told apart. */
const ownSegments =
  /^\/(?:alerts|api|app|assets|docs|guide|healthz|internal|metrics|pictures|problems|readyz|register|sign-in|status|styles|subscriptions|unsubscribe)(?:\/|$)/

/** The address of the service: an origin, or one with a path that a proxy forwards. */
export const serviceAddress: Kind<string> = textKind(
  'an http or https address, such as https://up.example.com or https://example.com/stillup. A path has letters, digits, - and _, and does not begin with one of the service itself, such as /api',
  (text) => {
    const url = asUrl(text)
    const isAddress = url && asOrigin(url.origin) !== undefined && !url.username && !url.password
    if (!isAddress || url.search || url.hash) return undefined
    const path = url.pathname.replace(/\/$/, '')
    const isPlain = path === '' || (/^(?:\/[\w-]+)+$/.test(path) && !ownSegments.test(path))
    return isPlain && path.length <= basePathCharsMax ? url.origin + path : undefined
  },
)

export const hostname: Kind<string> = textKind(
  'a host name with at least one dot, such as status.example.com',
  (text) => {
    const name = text.toLowerCase().replace(/\.$/, '')
    if (!hostLabels.test(name) || !name.includes('.') || isIP(name) !== 0) return undefined
    // Browsers read a last label such as 1 or 0x7f as part of an address: no host can be below it.
    return URL.canParse(`http://a.${name}`) ? name : undefined
  },
)

/** One address or a block of them, in CIDR notation. */
export const addressBlock: Kind<string> = textKind(
  'an IP address or a block such as 10.0.0.0/8 or fd00::/8',
  (text) => {
    const [address = '', bits, ...rest] = text.split('/')
    const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    if (bitsMax < 0 || rest.length > 0) return undefined
    if (bits === undefined) return address
    return /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax ? text : undefined
  },
)

export const nameServer: Kind<string> = textKind(
  'an IP address, with a port where it is not 53, such as 9.9.9.9 or [2620:fe::fe]:53',
  (text) => {
    if (isIP(text) !== 0) return text
    const parts = splitPort(text)
    return parts && parts.port !== 0 && isIP(parts.host) !== 0 ? text : undefined
  },
)

/** A host that is only probed, given by address because name resolution may be what fails. */
export const sentinel: Kind<string> = textKind(
  'auto, off, or an IP address and a port such as 9.9.9.9:443 or [2620:fe::fe]:443',
  (text) => {
    if (text === 'auto' || text === 'off') return text
    const parts = splitPort(text)
    return parts?.port && isIP(parts.host) !== 0 ? text : undefined
  },
)

export const smtpUrl: Kind<string> = {
  ...textKind(
    'smtp://user:password@host:port or smtps://…, with nothing after the port',
    (text) => {
      const url = asUrl(text)
      if (!url?.hostname || !/^smtps?:$/.test(url.protocol)) return undefined
      // Options in the url would be ignored, so they are refused.
      const isBare = /^\/?$/.test(url.pathname) && !url.search && !url.hash && url.port !== '0'
      return isBare && isEncoded(url.username) && isEncoded(url.password) ? text : undefined
    },
  ),
  masked(text) {
    const { protocol, username, password, host } = new URL(text)
    if (password === '') return `${protocol}//${username === '' ? '' : `${username}@`}${host}`
    // Some services give one token for both.
    const user = username === password ? secretMask : username
    return `${protocol}//${user}:${secretMask}@${host}`
  },
}

/** Whether every % begins an escape: a password that contains an @ must have %40. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

export const mailbox: Kind<string> = textKind(
  'an e-mail address, such as alerts@example.com or Alerts <alerts@example.com>',
  (text) => {
    const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text
    return /^[^\s@<>]+@[^\s@<>]+$/.test(address) && !/[\r\n]/.test(text) ? text : undefined
  },
)

export const path: Kind<string> = textKind('a path', (text) => text || undefined)

/** A secret text. */
export function secretText(charsMin: number): Kind<string> {
  return textKind(`at least ${charsMin} characters without spaces`, (text) =>
    text.length >= charsMin && !/\s/.test(text) ? text : undefined,
  )
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Kind<Choice> {
  return {
    ...textKind(choices.join(', '), (text) => choices.find((choice) => choice === text)),
    form: { type: 'choice', choices },
  }
}

export function integer(min: number, max: number): Kind<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    parse: (raw) => {
      const value = typeof raw === 'bigint' ? Number(raw) : raw
      const isInRange = Number.isInteger(value) && Number(value) >= min && Number(value) <= max
      return isInRange ? Number(value) : undefined
    },
    fromText: (text) => (/^-?\d{1,15}$/.test(text.trim()) ? Number(text) : text),
    form: { type: 'number', min, max },
  }
}

/** A value that the daemon chooses by itself, unless it is set. */
export function autoOr<T>(kind: Kind<T>): Kind<T | 'auto'> {
  return {
    allowed: `auto, or ${kind.allowed}`,
    parse: (raw) => (raw === 'auto' ? raw : kind.parse(raw)),
    fromText: (text) => (text.trim() === 'auto' ? 'auto' : kind.fromText(text)),
    form: { type: 'text' },
  }
}

export const webUrl: Kind<string> = textKind(
  'an http or https address, such as https://verify.example.com/cases',
  (text) => {
    const url = asUrl(text)
    const isWeb = (url?.protocol === 'http:' || url?.protocol === 'https:') && url.port !== '0'
    return isWeb && !url.username && !url.password && !url.hash ? url.href : undefined
  },
)

/** A NATS server. Others can overhear nats:// outside of this machine. */
export const natsServer: Kind<string> = textKind(
  'an address like tls://nats.example:4222; nats:// only on this machine itself',
  (text) => {
    const url = asUrl(text)
    const isNats = url?.protocol === 'tls:' || (url?.protocol === 'nats:' && isLoopbackUrl(url))
    return url && isNats && url.hostname !== '' && !url.username && !url.password ? text : undefined
  },
)

/** A name that becomes part of subjects of NATS. */
export const clusterName: Kind<string> = textKind(
  'letters, digits, - and _, at most 32 of them',
  (text) => (/^[A-Za-z0-9_-]{1,32}$/.test(text) ? text : undefined),
)

export const emailAddress: Kind<string> = textKind('an e-mail address', (text) =>
  /^[^\s@<>,]{1,64}@[^\s@<>,]{1,255}$/.test(text) ? text : undefined,
)

export const flag: Kind<boolean> = {
  allowed: 'true or false',
  parse: (raw) => (typeof raw === 'boolean' ? raw : undefined),
  fromText: (text) => ({ true: true, false: false })[text.trim()] ?? text,
  form: { type: 'flag' },
}

/** A list in the file; a variable separates the items by commas. */
export function listOf<T>(item: Kind<T>): Kind<readonly T[]> {
  return {
    allowed: `a list, each of ${item.allowed}`,
    parse: (raw) => {
      if (!Array.isArray(raw)) return undefined
      const values = raw.map((one) => item.parse(one)).filter((one) => one !== undefined)
      return values.length === raw.length ? values : undefined
    },
    fromText: (text) =>
      text
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
        .map((one) => item.fromText(one)),
    form: { type: 'list', ofNumbers: item.form.type === 'number' },
  }
}

export const bucketName: Kind<string> = textKind(
  'the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
  (text) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? text : undefined),
)

/** Ends in a slash, unless it is empty. */
export const keyPrefix: Kind<string> = textKind(
  'folders such as backups/one, of letters, digits, dots, hyphens and underscores',
  (text) => {
    const folders = text.replace(/\/$/, '').split('/')
    if (text === '') return ''
    const isRight = (folder: string) => /^[\w.-]{1,100}$/.test(folder) && !/^\.\.?$/.test(folder)
    return folders.length <= 10 && folders.every(isRight) ? `${folders.join('/')}/` : undefined
  },
)

export const word: Kind<string> = textKind('lower-case letters, digits and hyphens', (text) =>
  /^[a-z0-9-]{1,64}$/.test(text) ? text : undefined,
)

export const nameLine: Kind<string> = textKind(
  `a name of at most ${limits.nameCharsMax} characters`,
  (text) =>
    text !== '' && text.length <= limits.nameCharsMax && !/\p{Cc}/u.test(text) ? text : undefined,
)

const tableNameForm = /^[a-z][a-z0-9-]{0,63}$/

/** A table of values by their names: in a variable the same as JSON. */
export function tableOf<T>(item: Kind<T>): Kind<Readonly<Record<string, T>>> {
  return {
    allowed: `a table of names (lower-case letters, digits and hyphens), each with ${item.allowed}; in a variable as JSON`,
    parse(raw) {
      if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined
      const entries = Object.entries(raw).flatMap(([name, one]): [string, T][] => {
        const value = tableNameForm.test(name) ? item.parse(one) : undefined
        return value === undefined ? [] : [[name, value]]
      })
      return entries.length === Object.keys(raw).length ? Object.fromEntries(entries) : undefined
    },
    fromText(text) {
      try {
        return JSON.parse(text)
      } catch {
        return text
      }
    },
    form: { type: 'text' },
  }
}

/** A path from the root, without a way back up. */
export const wholePath: Kind<string> = textKind(
  'a path from the root, such as /var/backups',
  (text) => (isWholePath(text) ? text.replace(/(?!^)\/$/, '') : undefined),
)

function isWholePath(text: string): boolean {
  return /^\/[^\0]*$/.test(text) && !/\/\.{0,2}(\/|$)/.test(text.replace(/\/$/, ''))
}

/** Where an engine of containers answers. */
export const engineAddress: Kind<string> = textKind(
  'the path of a socket, or an http or https address with nothing after the port',
  (text) => asOrigin(text) ?? wholePath.parse(text),
)

/** A browser: the path of a program with its arguments, or where one listens that runs. */
export const browserPlace: Kind<string> = textKind(
  'the path of a browser with its arguments, or an http, https, ws or wss address of one',
  (text) => {
    const [place = ''] = text.trim().split(/\s+/)
    if (/^wss?:\/\//.test(place)) return URL.canParse(place) ? place : undefined
    return asOrigin(place) ?? (wholePath.parse(place) === undefined ? undefined : text.trim())
  },
)

/** A proxy with its login. */
export const proxyAddress: Kind<string> = textKind(
  'http://user:password@host:port or socks5://…, and perhaps ?resolves=true',
  (text) => (readProxy(text) === undefined ? undefined : text),
)

export const unitPattern: Kind<string> = textKind(
  'the name of a unit with its type, such as nginx.service; * stands for anything',
  (text) => (/^(\*|[\w:.@*-]{1,200}\.(\*|[a-z]+))$/.test(text) ? text : undefined),
)

/** Something of the machine itself. */
export const hostPart: Kind<string> = textKind('memory, load, cpu, or a path on a disk', (text) =>
  /^(memory|load|cpu)$/.test(text) ? text : wholePath.parse(text),
)

export const organizationId: Kind<string> = textKind('the id of an organization', (text) =>
  asId('org', text),
)

/** A program by its whole path, with its arguments. */
export const commandLine: Kind<readonly string[]> = {
  allowed: 'a list: the whole path of a program, then its arguments',
  parse(raw) {
    if (!Array.isArray(raw) || !isWholePath(String(raw[0]))) return undefined
    const words = raw.filter((one) => typeof one === 'string' && !one.includes('\0'))
    return words.length === raw.length ? words : undefined
  },
  fromText: asIs,
  form: { type: 'text' },
}
