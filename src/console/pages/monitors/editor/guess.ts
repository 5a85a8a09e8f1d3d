// What somebody means who types an address: the kind of check, the whole URL, and a name.
import { type CheckType, factsOf, kindWhere } from '../../../api/kinds.ts'

export interface Guess {
  readonly checkType: CheckType
  readonly url: string
  /** The host alone: a name is shown where its port, path and scheme should not be. */
  readonly name: string
  /** What the address has of a kind that signs in: its URL leaves them out. */
  readonly username?: string
  readonly password?: string
}

const usualPorts: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
}

const webPorts = new Set(['80', '443', '3000', '5000', '8000', '8080', '8443'])

const ipv4 = /^\d+\.\d+\.\d+\.\d+$/

/** Undefined while it is no address. */
export function guessMonitor(text: string): Guess | undefined {
  const typed = withoutCommand(text.trim())
  if (typed === '' || /\s/.test(typed)) return undefined
  if (/^(jdbc:)?[a-z]+:\/\//i.test(typed)) return ofUrl(typed.replace(/^jdbc:/i, ''))
  if (ipv4.test(typed)) return ofUrl(`ping://${typed}`)
  const port = /^[^/:]+:(\d+)$/.exec(typed)?.[1]
  if (port !== undefined && !webPorts.has(port)) {
    const meant = kindWhere(({ typedPorts }) => typedPorts.includes(Number(port)))
    return ofUrl(`${meant ? factsOf(meant).schemes[0] : 'tcp'}://${typed}`)
  }
  if (/^[^/]+\.[a-z0-9-]+|^localhost/i.test(typed)) return ofUrl(`https://${typed}`)
  return undefined
}

/** Whether the text itself names a kind of check, by a scheme or a command: then it replaces a chosen kind. */
export function saysHow(text: string): boolean {
  return /^\s*[a-z:]+:\/\//i.test(text) || withoutCommand(text) !== text
}

/** Whether a text is a command of curl that says more than an address. */
export function isCurl(text: string): boolean {
  return /^\s*curl(\.exe)?\s+\S+\s+\S/i.test(text)
}

/** The address of a text for a kind of check: with a scheme that it takes. */
export function addressFor(kind: CheckType, text: string): string {
  const guess = guessMonitor(text)
  const url = URL.parse(guess?.url ?? '')
  const [secure, plain = secure] = factsOf(kind).schemes
  if (!guess || secure === undefined) return text
  if (!url || takes(kind, guess.url)) return guess.url
  const isPlain = url.protocol === 'http:' || url.protocol === 'ws:'
  return `${isPlain ? plain : secure}://${placeFor(kind, url, saysHow(text))}`
}

/** Whether the kind takes the address as it is. */
export function takes(kind: CheckType, url: string): boolean {
  return factsOf(kind).schemes.includes(URL.parse(url)?.protocol.slice(0, -1) ?? '')
}

/** A port is added only where the scheme that was typed implies it. */
function placeFor(kind: CheckType, url: URL, hasScheme: boolean): string {
  const { hostname, port, pathname, search, protocol } = url
  const { keeps, typedPorts } = factsOf(kind)
  const withPort = port === '' ? hostname : `${hostname}:${port}`
  if (keeps === 'host') return typedPorts.includes(Number(port)) ? withPort : hostname
  if (keeps === 'all') return `${withPort}${pathname === '/' ? '' : pathname}${search}`
  const implied = hasScheme ? usualPorts[protocol] : undefined
  return port === '' && implied !== undefined ? `${hostname}:${implied}` : withPort
}

/** `ping 127.0.0.1`, `telnet db 5432`: the address that a command line checks, or a connection string names. */
function withoutCommand(text: string): string {
  const [command = '', ...rest] = text.trim().split(/\s+/)
  if (text.includes('=') && text.includes(';')) return ofPairs(text) ?? text
  const [host, port] = rest.slice(-2)
  switch (command.toLowerCase()) {
    case 'ping':
      return rest.length === 0 ? text : `ping://${rest.at(-1)}`
    case 'telnet':
    case 'nc':
      return port === undefined ? text : `tcp://${host}:${port}`
    case 'curl':
      return rest.find((word) => word.includes('://')) ?? rest.at(-1) ?? text
    default:
      return text
  }
}

/**
 * `Server=db,1433;Database=shop;User Id=ann;Password=secret`, or `jdbc:sqlserver://db:1433;databaseName=shop;…`:
 * the same as a URL.
 */
function ofPairs(text: string): string | undefined {
  const [start = '', ...pairs] = text.split(';')
  const place = /^(?:jdbc:)?sqlserver:\/\/(.+)/i.exec(start)?.[1]
  const found: Record<string, string> = {}
  for (const pair of place === undefined ? [start, ...pairs] : pairs) {
    const [name = '', ...value] = pair.split('=')
    found[name.replace(/\s/g, '').toLowerCase()] = value.join('=').trim()
  }
  const server = place ?? found.server ?? found.datasource
  if (!server) return undefined
  const [user, password, database] = [
    found.userid ?? found.uid ?? found.user,
    found.password ?? found.pwd,
    found.database ?? found.databasename ?? found.initialcatalog,
  ].map((value = '') => encodeURIComponent(value))
  const login = user === '' ? '' : `${user}:${password}@`
  return `sqlserver://${login}${server.replace(/^tcp:/i, '').replace(',', ':')}${database && `/${database}`}`
}

/** The URL of a kind that signs in, and apart from it the user and the password that it names. */
function withoutLogin(kind: CheckType, url: string): Pick<Guess, 'url' | 'username' | 'password'> {
  const [, start = '', login = '', rest = ''] = /^(\w+:\/\/)([^/?#]*)@(.*)$/s.exec(url) ?? []
  if (login === '' || !factsOf(kind).signsIn) return { url }
  const [username = '', ...password] = login.split(':')
  return {
    url: `${start}${rest}`,
    ...(username === '' ? {} : { username: plain(username) }),
    ...(password.length === 0 ? {} : { password: plain(password.join(':')) }),
  }
}

function plain(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

function ofUrl(url: string): Guess | undefined {
  const parsed = URL.parse(url)
  if (!parsed) return undefined
  const { protocol, hostname, pathname, port } = parsed
  const scheme = protocol.slice(0, -1)
  const checkType = kindWhere(({ typedSchemes }) => typedSchemes.includes(scheme))
  const isPath = checkType !== undefined && factsOf(checkType).isNamedByPath
  const place = isPath ? (pathname.split('/').at(-1) ?? '') : hostname
  if (place === '') return undefined
  const name = place.replace(/^\[|\]$/g, '').slice(0, 120)
  if (checkType) return { checkType, name, ...withoutLogin(checkType, url) }
  const ofServer = kindWhere(({ servers }) => scheme in servers)
  if (!ofServer) return undefined
  // The user, the password and the database are left out: only the port is looked at.
  const { schemes, servers } = factsOf(ofServer)
  return {
    checkType: ofServer,
    url: `${schemes[0]}://${hostname}:${port || servers[scheme]}`,
    name,
  }
}
