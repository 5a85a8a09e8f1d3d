// The monitors of Uptime Kuma that look at devices and at the servers of a network.
import { gameOnceCalled, steamGame } from '../../monitors/games.ts'
import { type ForeignFields, flagOf, hostText, type Note, numberOf, textOf } from '../foreign.ts'

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
  const user = textOf(item.snmpV3Username) || textOf(item.snmp_v3_username)
  if (version === '3' && user === '') note('SNMP 3: its user, which is not in the file')
  if (version === '3') note('SNMP 3: set auth and priv in its url, and the passwords')
  const query = version === '2c' ? '' : `?version=${version}`
  const path = oid === '' ? '' : `/${oid}`
  const login = { username: user, password: item.radiusPassword }
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

/**
 * Kuma asks at the port beside the one that it has, unless it may ask only there. Undefined for a game that
 * cannot be watched.
 */
export function gameServerOf(item: ForeignFields, note: Note): KumaServer | undefined {
  const named = textOf(item.game)
  const game = gameOnceCalled(named)
  if (game === undefined) {
    note(`its game "${named}" cannot be asked: the monitor was left out`)
    return undefined
  }
  if (textOf(item.gamedigToken) !== '') note('its token: the server is asked without one')
  const given = numberOf(item.port)
  const isOnly = flagOf(item.gamedigGivenPortOnly)
  const port = given === undefined || isOnly ? given : game.portBeside(given)
  return {
    checkType: 'game',
    url: `game://${placeOf({ ...item, port: port ?? game.port }, game.port)}`,
    game: game.id,
  }
}

/** Kuma asks Steam whether it lists the server; here the server is asked itself. */
export function steamServerOf(item: ForeignFields): KumaServer {
  const { id, port } = steamGame
  return { checkType: 'game', url: `game://${placeOf(item, port)}`, game: id }
}

/** Kuma's own thresholds, where it has none of the monitor. */
const ntpStratum = 5
const ntpOffsetMs = 1_000
const ntpDispersionMs = 500

export function ntpOf(item: ForeignFields): KumaServer {
  const below = (path: string, given: unknown, usual: number) => {
    return { source: 'json', path, type: 'lessThan', value: String(numberOf(given) || usual) }
  }
  return {
    checkType: 'ntp',
    url: `ntp://${placeOf(item, 123)}`,
    assertions: [
      below('$.stratum', item.ntpStratumThreshold, ntpStratum),
      below('$.value', item.ntpTimeOffsetThreshold, ntpOffsetMs),
      below('$.rootDispersionMs', item.ntpRootDispersionThreshold, ntpDispersionMs),
    ],
  }
}

/** The operator lists the units that may be looked at. */
export function unitOf(item: ForeignFields, note: Note): KumaServer {
  const name = textOf(item.system_service_name)
  const unit = /\.\w{1,20}$/.test(name) ? name : `${name}.service`
  note(`its unit: list ${unit} with checks.units, then resume the monitor`)
  return { checkType: 'systemd', url: `systemd://${unit}`, isActive: false }
}
