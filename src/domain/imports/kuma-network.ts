// The monitors of Uptime Kuma that look at devices and at the servers of a network.
import { type ForeignFields, hostText, type Note, numberOf, textOf } from './foreign.ts'

export interface KumaServer {
  readonly checkType: string
  readonly [field: string]: unknown
}

function placeOf({ hostname, port }: ForeignFields, usualPort: number): string {
  const number = numberOf(port) ?? usualPort
  return `${hostText(textOf(hostname))}${number === usualPort ? '' : `:${number}`}`
}

/** The fields that say something. */
function said(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(fields).map(([name, value]) => [name, textOf(value)] as const)
  return Object.fromEntries(texts.filter(([, text]) => text !== ''))
}

/** `json`: the assertions of a JSON query. Kuma keeps the community where it keeps passwords of RADIUS. */
export function snmpOf(
  item: ForeignFields,
  note: Note,
  json: (query: ForeignFields) => ForeignFields,
): KumaServer {
  const version = textOf(item.snmpVersion) || '2c'
  const oid = textOf(item.snmpOid).replace(/^\./, '')
  if (version === '3') note('SNMP 3: set auth and priv in its url, and the passwords')
  const query = version === '2c' ? '' : `?version=${version}`
  const path = oid === '' ? '' : `/${oid}`
  const login = { username: item.snmpV3Username, password: item.radiusPassword }
  const isExpected = textOf(item.expectedValue) !== ''
  return {
    checkType: 'snmp',
    url: `snmp://${placeOf(item, 161)}${path}${query}`,
    ...said(version === '3' ? login : { password: login.password }),
    ...(isExpected ? json({ ...item, jsonPath: textOf(item.jsonPath) || '$' }) : {}),
  }
}

export function radiusOf(item: ForeignFields): KumaServer {
  const { radiusUsername, radiusPassword, radiusSecret } = item
  const { radiusCalledStationId: called, radiusCallingStationId: calling } = item
  const query = new URLSearchParams(said({ called, calling })).toString()
  return {
    checkType: 'radius',
    url: `radius://${placeOf(item, 1_812)}${query === '' ? '' : `?${query}`}`,
    ...said({ username: radiusUsername, password: radiusPassword, secret: radiusSecret }),
  }
}
