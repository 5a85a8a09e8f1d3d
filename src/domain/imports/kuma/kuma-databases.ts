// The database monitors of Uptime Kuma: a connection string, and a query.
import { limits } from '../../limits/limits.ts'
import { type ForeignFields, flagOf, type Note, textOf } from '../foreign.ts'
import { conditionsOf } from './kuma-conditions.ts'

export interface KumaDatabase {
  readonly checkType: string
  readonly url: string
  readonly [field: string]: unknown
}

/** What a connection string says. */
interface Connecting {
  readonly url: string
  readonly username: string
  readonly password: string
  /** Whether Kuma does not judge the certificate, and so the import does not. */
  readonly isUnjudged: boolean
}

/** The database of a monitor; undefined, with a note, if its connection string cannot be read. */
export function databaseOf(item: ForeignFields, note: Note): KumaDatabase | undefined {
  const type = textOf(item.type)
  const found = connectingOf(type, item, note)
  if (found === undefined) {
    note('its connection string is missing or has another form: the monitor was left out')
    return undefined
  }
  const assertions = conditionsOf(item, () => '$.value', note)
  const { url, username, password, isUnjudged } = found
  // A Redis is only pinged.
  const body = type === 'redis' ? '' : textOf(item.databaseQuery)
  return {
    checkType: type,
    url,
    ...(username === '' ? {} : { username }),
    ...(password === '' ? {} : { password }),
    ...(body === '' ? {} : { body }),
    ...(isUnjudged ? { ignoreTlsErrors: true } : {}),
    ...(assertions.length > 0 ? { assertions } : {}),
  }
}

/** `scheme://user:password@host:port/path?query`, where the password may have any letters. */
const urlForm = /^([a-z]+):\/\/(?:([^:]*?)(?::(.*))?@)?([^/?#@]+)(\/[^?#]*)?(?:\?(.*))?$/is

function connectingOf(type: string, item: ForeignFields, note: Note): Connecting | undefined {
  if (type === 'sqlserver') return sqlserverOf(textOf(item.databaseConnectionString))
  const parts = urlForm.exec(textOf(item.databaseConnectionString))
  if (parts === null) return undefined
  const [, scheme = '', username = '', password = '', host = '', path = '', query = ''] = parts
  const login = { username: decoded(username), password: decoded(password) }
  const place = `${host}${path === '/' ? '' : path}`
  const options = new URLSearchParams(query)
  // What Kuma reaches without TLS is not down because it offers TLS with any certificate.
  const secured = (isRequired: boolean, isJudged: boolean) => ({
    url: `${type}://${place}${isRequired ? '?tls=required' : ''}`,
    isUnjudged: !isRequired || !isJudged,
  })
  switch (type) {
    case 'redis':
      return { ...login, url: `${scheme}://${place}`, isUnjudged: flagOf(item.ignoreTls) }
    case 'mysql': {
      const ssl = options.get('ssl') ?? ''
      const given = textOf(item.radiusPassword)
      const isJudged = !/"rejectUnauthorized"\s*:\s*false/.test(ssl)
      const own = given === '' ? {} : { password: given }
      return { ...login, ...own, ...secured(ssl !== '', isJudged) }
    }
    case 'mongodb': {
      const wanted = textOf(item.jsonPath)
      if (wanted !== '') note(`its JSON query ${wanted}: add an assertion on $.reply or $.rows`)
      const [first = '', ...others] = host.split(',')
      if (others.length > 0) note(`its servers ${others.join(', ')}: add a monitor for each`)
      const source = options.get('authSource')
      const isTls = (options.get('tls') ?? options.get('ssl')) === 'true'
      const kept = [
        ...(isTls ? ['tls=true'] : []),
        ...(source === null ? [] : [`authSource=${encodeURIComponent(source)}`]),
      ]
      const asked = kept.length === 0 ? '' : `?${kept.join('&')}`
      const url = `mongodb://${first}${path === '/' ? '' : path}${asked}`
      const insecure = ['tlsInsecure', 'tlsAllowInvalidCertificates']
      return { ...login, url, isUnjudged: insecure.some((name) => options.get(name) === 'true') }
    }
    default: {
      const mode = options.get('sslmode') ?? options.get('ssl') ?? ''
      const isRequired = /^(true|1|require|no-verify|verify-ca|verify-full)$/.test(mode)
      return { ...login, ...secured(isRequired, mode !== 'no-verify') }
    }
  }
}

/** `Server=host,port;Database=shop;User Id=ann;Password=secret;Encrypt=true`, where the names have several forms. */
function sqlserverOf(text: string): Connecting | undefined {
  if (text.length > limits.urlCharsMax) return undefined
  const given = pairsIn(text)
  const first = (...names: string[]) => names.map((name) => given.get(name)).find(Boolean) ?? ''
  // An instance with a name is told apart by its port: without one, it cannot be found.
  const server = first('server', 'datasource', 'address', 'addr')
  const [, host = '', port] =
    /^(?:tcp:)?([^,:\\]+|\[[^\]]+\])(?:\\[^,]*)?(?:[,:] *(\d+))?$/i.exec(server) ?? []
  if (host === '' || (server.includes('\\') && port === undefined)) return undefined
  const database = first('database', 'initialcatalog')
  const encrypt = first('encrypt')
  const place = `${host === '.' ? 'localhost' : host}${port === undefined ? '' : `:${port}`}`
  const path = database === '' ? '' : `/${encodeURIComponent(database)}`
  return {
    url: `sqlserver://${place}${path}${/^strict$/i.test(encrypt) ? '?tls=strict' : ''}`,
    username: first('userid', 'uid', 'user', 'username'),
    password: first('password', 'pwd'),
    isUnjudged:
      /^(false|no|optional)$/i.test(encrypt) ||
      /^(true|yes)$/i.test(first('trustservercertificate')),
  }
}

/** Pairs of names, in small letters without spaces, and values; a value in quotes or braces may have a semicolon. */
function pairsIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const parts = text.split(';')
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    const at = part.indexOf('=')
    let value = part.slice(at + 1).trim()
    const end = { '"': '"', "'": "'", '{': '}' }[value.charAt(0)]
    if (end !== undefined) {
      while (!(value.length > 1 && value.endsWith(end)) && parts.length > 0) {
        value = `${value};${parts.shift()}`.trimEnd()
      }
      value = value.slice(1, -1)
    }
    if (at > 0) found.set(part.slice(0, at).replaceAll(/\s/g, '').toLowerCase(), value)
  }
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
