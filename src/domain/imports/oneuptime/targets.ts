// What the monitors of OneUptime look at, as ours do, by their types (Common/Types/Monitor/MonitorType.ts).
import { methods } from '../../checks/check-type.ts'
import { limits } from '../../limits/limits.ts'
import {
  type ForeignFields,
  fieldsOf,
  hostText,
  listOf,
  type Note,
  numberOf,
  textOf,
} from '../foreign.ts'
import { readScript } from '../scripts/read-script.ts'
import { untyped } from './criteria.ts'
import { type FilterReadings, readings } from './filters.ts'
import { type SecretNames, writtenSecrets } from './secrets.ts'

export interface OneuptimeTarget {
  readonly fields: ForeignFields & { readonly checkType: string }
  readonly readings: FilterReadings
  /** It sends an HTTP request, and judges the status. */
  readonly isWeb?: true
  /** How often a check is tried. */
  readonly tries?: unknown
  readonly timeoutMs?: unknown
  /** What its name gets besides that of its monitor. */
  readonly suffix?: string
}

/** Their tries of a check, and how long one may take, if nothing else is said. */
export const usualTries = 3
export const usualTimeoutMs = 60_000

/** Why monitors of a type are left out. */
const leftOut: Readonly<Record<string, string>> = {
  Server: 'it needs an agent on the machine; a probe there has monitors of the kind host',
  Host: 'it looks at what an agent sends; a probe on the machine has monitors of the kind host',
  Docker:
    'it looks at what an agent sends; a probe on the machine has monitors of the kind container',
  Podman:
    'it looks at what an agent sends; a probe on the machine has monitors of the kind container',
  'Docker Swarm': 'it looks at what an agent sends',
  Kubernetes: 'it looks at what an agent sends',
  Proxmox: 'it looks at what an agent sends',
  Ceph: 'it looks at what an agent sends',
  'IoT Device': 'it looks at what devices send',
  'Network Device':
    'its device is not in the file; for each value of it, add a monitor of the kind snmp',
  Logs: 'it counts what is kept of logs',
  Metrics: 'it looks at metrics that are kept',
  Traces: 'it counts what is kept of traces',
  Exceptions: 'it counts what is kept of exceptions',
  Profiles: 'it counts what is kept of profiles',
  'Security Events': 'it counts what is kept of events',
  'Incoming Email': 'it waits for letters; a monitor of the kind push waits for requests',
  'Custom JavaScript Code':
    'its script is not run here; requests become a monitor of the kind steps, a program one of the kind command',
}

/** None if its type or its address has no equivalent; several for one that asks for several values. */
export function targetsOf(
  type: string,
  step: ForeignFields,
  { note, secrets }: { readonly note: Note; readonly secrets: SecretNames },
): OneuptimeTarget[] {
  const destination = textOf(fieldsOf(step.monitorDestination).value ?? step.monitorDestination)
  const withoutPlace = (what: unknown): boolean => {
    const text = textOf(what)
    const secret = /\{\{[^{}]{0,100}\}\}/.exec(text)?.[0]
    if (text !== '' && secret === undefined) return false
    const why = text === '' ? 'it has no address' : `its address has ${secret}`
    note(`${why}: the monitor was left out`)
    return true
  }
  switch (type) {
    case 'Website':
    case 'API': {
      if (destination === '' && withoutPlace('')) return []
      const [, scheme] = /^([a-z][a-z\d+.-]{0,30}):(?!\d)/i.exec(destination) ?? []
      if (scheme !== undefined && !/^https?:\/\//i.test(destination)) {
        note(`its address is one of ${scheme}: the monitor was left out`)
        return []
      }
      return [{ fields: webOf(destination, step, note), readings: readings.web, isWeb: true }]
    }
    case 'Ping':
    case 'IP':
      if (withoutPlace(destination)) return []
      return [
        {
          fields: { checkType: 'ping', url: `ping://${hostText(hostIn(destination))}` },
          readings: readings.host,
        },
      ]
    case 'Port': {
      const port = numberOf(
        fieldsOf(step.monitorDestinationPort).value ?? step.monitorDestinationPort,
      )
      if (withoutPlace(destination) || (port === undefined && withoutPlace(''))) return []
      const url = `tcp://${hostText(hostIn(destination))}:${port}`
      return [{ fields: { checkType: 'tcp', url }, readings: readings.host }]
    }
    case 'SSL Certificate': {
      if (withoutPlace(destination)) return []
      const host = URL.parse(destination.replace(/^(?!\w{1,20}:\/\/)/, 'https://'))?.host
      if (!host && withoutPlace('')) return []
      return [
        { fields: { checkType: 'ssl', url: `https://${host}` }, readings: readings.certificate },
      ]
    }
    case 'DNS':
      return withoutPlace(fieldsOf(step.dnsMonitor).queryName) ? [] : [dnsOf(step)]
    case 'DNSSEC':
      return withoutPlace(fieldsOf(step.dnssecMonitor).domainName) ? [] : [dnssecOf(step, note)]
    case 'Domain':
      return withoutPlace(fieldsOf(step.domainMonitor).domainName) ? [] : [domainOf(step, note)]
    case 'SQL Query':
      return withoutPlace(fieldsOf(step.sqlMonitor).host) ? [] : databaseOf(step, note)
    case 'External Status Page':
      if (withoutPlace(fieldsOf(step.externalStatusPageMonitor).statusPageUrl)) return []
      return pageOf(step, note)
    case 'SNMP':
      return withoutPlace(fieldsOf(step.snmpMonitor).hostname) ? [] : snmpOf(step, note)
    case 'Synthetic Monitor':
      return scriptOf(step, note, secrets)
    default: {
      const why = leftOut[type]
      note(
        why === undefined
          ? `its type "${type}" has no equivalent: the monitor was left out`
          : `its type "${type}": ${why}; the monitor was left out`,
      )
      return []
    }
  }
}

/** The host of what people wrote as an address of a host. */
function hostIn(destination: string): string {
  const [, host = destination] = /^\w{1,20}:\/\/([^/?#]+)/.exec(destination) ?? []
  return host
}

function webOf(
  url: string,
  step: ForeignFields,
  note: Note,
): ForeignFields & { readonly checkType: string } {
  const method = textOf(step.requestType).toUpperCase() || 'GET'
  const isKnown = methods.some((one) => one === method)
  if (!isKnown) note(`its method ${method}: GET is used`)
  const given = Object.entries(fieldsOf(step.requestHeaders))
  const headers = Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]))
  const body = typeof step.requestBody === 'string' ? step.requestBody.trim() : ''
  const hasType = given.some(([name]) => name.toLowerCase() === 'content-type')
  if (body !== '' && !hasType) headers['Content-Type'] = 'application/json'
  return {
    checkType: 'endpoint',
    url,
    method: isKnown ? method : 'GET',
    headers,
    ...(body === '' ? {} : { body }),
    ...(step.doNotFollowRedirects === true ? { followRedirects: false } : {}),
    ...(step.allowSelfSignedCertificates === true ? { ignoreTlsErrors: true } : {}),
    // Its certificates are another monitor's.
    certificateWarnDays: [],
    ...mutualOf(step, note),
  }
}

function mutualOf(step: ForeignFields, note: Note): ForeignFields {
  const [clientCertificate, clientKey] = [
    textOf(step.tlsClientCertificate),
    textOf(step.tlsClientKey),
  ]
  if (clientCertificate === '' && clientKey === '') return {}
  if (textOf(step.tlsClientKeyPassphrase) !== '') {
    note('the passphrase of its client key: give the key without it, then resume the monitor')
    return { isActive: false, clientCertificate: pemIn(clientCertificate, note) }
  }
  const certificate = pemIn(clientCertificate, note)
  const key = pemIn(clientKey, note)
  const isWhole = certificate !== undefined && key !== undefined
  return {
    ...(certificate === undefined ? {} : { clientCertificate: certificate }),
    ...(key === undefined ? {} : { clientKey: key }),
    ...(isWhole ? {} : { isActive: false }),
  }
}

function pemIn(text: string, note: Note): string | undefined {
  if (text.startsWith('-----BEGIN ')) return text
  note(`its client certificate or key ${namedSecret(text)}: set it, then resume the monitor`)
  return undefined
}

/** The secret that a text names; the text itself is not repeated. */
function namedSecret(text: string): string {
  return /\{\{monitorSecrets\.[^{}]{1,100}\}\}/.exec(text)?.[0] ?? 'of the file'
}

/** The value, if it is one; a secret is named, and must be set. */
function secretless(what: string, value: unknown, note: Note): string | undefined {
  const text = textOf(value)
  if (text === '') return undefined
  if (!text.includes('{{')) return text
  note(`its ${what} ${namedSecret(text)}: set it, then resume the monitor`)
  return undefined
}

const fieldTypes: ReadonlySet<string> = new Set(['MX', 'SRV', 'SOA', 'CAA'])

function dnsOf(step: ForeignFields): OneuptimeTarget {
  const { queryName, recordType, hostname, port, timeout, retries } = fieldsOf(step.dnsMonitor)
  const type = textOf(recordType) || 'A'
  const name = textOf(queryName).replace(/\.$/, '')
  const server = textOf(hostname)
  const number = numberOf(port) ?? 53
  const place = `${hostText(server)}${number === 53 ? '' : `:${number}`}`
  const wantsDnssec = JSON.stringify(step.monitorCriteria ?? null).includes('"DNSSEC Is Valid"')
  const query = [
    `type=${type}`,
    ...(server === '' ? [] : [`server=${place}`]),
    ...(wantsDnssec ? ['dnssec=required'] : []),
  ]
  return {
    fields: { checkType: 'dns', url: `dns://${name}?${query.join('&')}` },
    readings: fieldTypes.has(type) ? readings.dnsFields : readings.dns,
    tries: retries,
    timeoutMs: timeout,
  }
}

function dnssecOf(step: ForeignFields, note: Note): OneuptimeTarget {
  const { domainName, resolvers, checkNameserverConsistency, timeout, retries } = fieldsOf(
    step.dnssecMonitor,
  )
  const [first = '', ...others] = listOf(resolvers).map(textOf)
  if (others.length > 0) note(`its resolvers ${others.join(', ')}: add a monitor for each`)
  if (checkNameserverConsistency === true) note('that its name servers agree is not checked')
  const server = first === '' ? '' : `&server=${hostText(first)}`
  const url = `dns://${textOf(domainName).replace(/\.$/, '')}?type=SOA${server}&dnssec=required`
  return {
    fields: { checkType: 'dns', url },
    readings: readings.dnssec,
    tries: retries,
    timeoutMs: timeout,
  }
}

function domainOf(step: ForeignFields, note: Note): OneuptimeTarget {
  const { domainName, lookupMethod, timeout, retries } = fieldsOf(step.domainMonitor)
  if (textOf(lookupMethod) === 'WHOIS') note('its look-up by WHOIS: the registry is asked by RDAP')
  return {
    fields: { checkType: 'domain', url: `domain://${textOf(domainName).toLowerCase()}` },
    readings: readings.domain,
    tries: retries,
    timeoutMs: timeout,
  }
}

const databases: Readonly<Record<string, readonly [checkType: string, usualPort: number]>> = {
  PostgreSQL: ['postgres', 5_432],
  MySQL: ['mysql', 3_306],
  'Microsoft SQL Server': ['sqlserver', 1_433],
}

function databaseOf(step: ForeignFields, note: Note): OneuptimeTarget[] {
  const sql = fieldsOf(step.sqlMonitor)
  const product = textOf(sql.databaseType) || 'PostgreSQL'
  const [checkType, usualPort] = databases[product] ?? []
  if (checkType === undefined || usualPort === undefined) {
    note(`its database ${product} has no equivalent: the monitor was left out`)
    return []
  }
  const port = numberOf(sql.port) ?? usualPort
  const place = `${hostText(textOf(sql.host))}${port === usualPort ? '' : `:${port}`}`
  const isTls = sql.useSsl === true
  // SQL Server has TLS unless it is off, the others if they are told so.
  const isOfMicrosoft = product === 'Microsoft SQL Server'
  const query = isOfMicrosoft ? (isTls ? '' : '?tls=off') : isTls ? '?tls=required' : ''
  if (isOfMicrosoft && sql.useWindowsIntegratedAuthentication === true) {
    note('its sign-in by the account of Windows: give a user name and a password')
  }
  const username = secretless('user name', sql.username, note)
  const password = secretless('password', sql.password, note)
  const isReady =
    (textOf(sql.username) !== '') === (username !== undefined) &&
    (textOf(sql.password) !== '') === (password !== undefined)
  const body = secretless('query', sql.query, note)
  // What is reached without TLS there is not down because it offers TLS with any certificate.
  const isUnjudged = isTls ? sql.rejectUnauthorizedSsl === false : !isOfMicrosoft
  const spans = [numberOf(sql.connectionTimeoutInMs), numberOf(sql.statementTimeoutInMs)]
  return [
    {
      fields: {
        checkType,
        url: `${checkType}://${place}/${encodeURIComponent(textOf(sql.databaseName))}${query}`,
        ...(username === undefined ? {} : { username }),
        ...(password === undefined ? {} : { password }),
        ...(body === undefined ? {} : { body }),
        ...(isUnjudged ? { ignoreTlsErrors: true } : {}),
        ...(isReady ? {} : { isActive: false }),
      },
      readings: readings.sql,
      timeoutMs: (spans[0] ?? 10_000) + (spans[1] ?? 15_000),
    },
  ]
}

function pageOf(step: ForeignFields, note: Note): OneuptimeTarget[] {
  const page = fieldsOf(step.externalStatusPageMonitor)
  const provider = textOf(page.provider)
  if (provider === 'RSS' || provider === 'Atom') {
    note(`its page is read as ${provider} there: the monitor was left out`)
    return []
  }
  const group = textOf(page.componentGroupName)
  if (group !== '') note(`its group "${group}": name its components with ?component=`)
  const component = textOf(page.componentName)
  const query = component === '' ? '' : `?component=${encodeURIComponent(component)}`
  const address = textOf(page.statusPageUrl).replace(/^(?!\w{1,20}:\/\/)/, 'https://')
  return [
    {
      fields: { checkType: 'status-page', url: `${address.replace(/[?#].*$/s, '')}${query}` },
      readings: readings.page,
      tries: page.retries,
      timeoutMs: page.timeout,
    },
  ]
}

const authNames: Readonly<Record<string, string>> = {
  MD5: 'md5',
  SHA: 'sha',
  SHA256: 'sha256',
  SHA512: 'sha512',
}
const privNames: Readonly<Record<string, string>> = { DES: 'des', AES: 'aes', AES256: 'aes256b' }

/** The type of former versions; a monitor of ours asks for one value. */
function snmpOf(step: ForeignFields, note: Note): OneuptimeTarget[] {
  const snmp = fieldsOf(step.snmpMonitor)
  const version = textOf(snmp.snmpVersion) || '2c'
  const { username, authProtocol, authKey, privProtocol, privKey, securityLevel } = fieldsOf(
    snmp.snmpV3Auth,
  )
  const level = textOf(securityLevel).toLowerCase()
  const signsIn = version === '3' && level.startsWith('auth')
  const encrypts = signsIn && level.endsWith('priv') && !level.endsWith('nopriv')
  const auth = authNames[textOf(authProtocol)] ?? 'sha'
  const priv = privNames[textOf(privProtocol)] ?? 'aes'
  const isKnown = {
    auth: textOf(authProtocol) in authNames,
    priv: textOf(privProtocol) in privNames,
  }
  if (signsIn && !isKnown.auth) note(`its protocol ${textOf(authProtocol)}: ${auth} is used`)
  if (encrypts && !isKnown.priv) note(`its protocol ${textOf(privProtocol)}: ${priv} is used`)
  const query = [
    ...(version === '2c' ? [] : [`version=${version}`]),
    ...(signsIn ? [`auth=${auth}`] : []),
    ...(encrypts ? [`priv=${priv}`] : []),
  ].join('&')
  const login = {
    username: version === '3' ? secretless('user name', username, note) : undefined,
    password:
      version === '3'
        ? signsIn && secretless('key of authentication', authKey, note)
        : secretless('community', snmp.communityString, note),
    secret: encrypts && secretless('key of encryption', privKey, note),
  }
  const said = Object.entries(login).filter(([, value]) => typeof value === 'string')
  const needed = version === '3' ? 1 + Number(signsIn) + Number(encrypts) : 0
  if (snmp.monitorInterfaces === true) note('its interfaces: add a monitor for the state of each')
  const port = numberOf(snmp.port) ?? 161
  const place = `${hostText(textOf(snmp.hostname))}${port === 161 ? '' : `:${port}`}`
  const oids = listOf(snmp.oids).map((one) => {
    const { oid, name } = fieldsOf(one)
    return { oid: textOf(oid).replace(/^\./, ''), label: textOf(name) }
  })
  const asked = oids.length === 0 ? [{ oid: '', label: '' }] : oids.slice(0, snmpOidsMax)
  if (oids.length > asked.length) note(`its OIDs beyond ${snmpOidsMax}`)
  if (asked.length > 1) note(`its ${asked.length} values became monitors of their own`)
  return asked.map(({ oid, label }) => ({
    fields: {
      checkType: 'snmp',
      url: `snmp://${place}${oid === '' ? '' : `/${oid}`}${query === '' ? '' : `?${query}`}`,
      ...Object.fromEntries(said),
      ...(said.length < needed || textOf(snmp.communityString).includes('{{')
        ? { isActive: false }
        : {}),
    },
    readings: readings.snmp,
    tries: snmp.retries,
    timeoutMs: snmp.timeout,
    ...(asked.length > 1 ? { suffix: label || oid } : {}),
  }))
}

const snmpOidsMax = 100

/** Its script is read, as one of Playwright, and never run. */
function scriptOf(step: ForeignFields, note: Note, secrets: SecretNames): OneuptimeTarget[] {
  const { customCode } = step
  const text = typeof customCode === 'string' ? customCode : ''
  const script = readScript(writtenSecrets(text), note)
  if (script === undefined) return []
  const browsers = listOf(step.browserTypes).map(textOf)
  const others = browsers.filter((one) => one !== 'Chromium')
  if (others.length > 0) note(`its browsers ${others.join(', ')}: Chromium is used`)
  const [size = 'Desktop', ...more] = listOf(step.screenSizeTypes).map(textOf)
  if (more.length > 0) note(`its sizes ${more.join(', ')}: add a monitor for each`)
  const { url, actions } = script
  const host = URL.parse(url)?.hostname ?? ''
  // The value of a variable is no template, so a secret stands in its place.
  const isSecret = (value: string) => value.includes('{{secret.')
  const entries = Object.entries(script.variables)
  const variables = Object.fromEntries(entries.filter(([, value]) => !isSecret(value)))
  const named = actions.map(({ value, ...action }) => {
    const written = entries.reduce((text, [name, one]) => {
      return isSecret(one) ? text.replaceAll(`{{${name}}}`, one) : text
    }, value ?? '')
    return { ...action, ...(value === null ? {} : { value: secrets.namedIn(written, host) }) }
  })
  return [
    {
      fields: {
        checkType: 'browser',
        url,
        viewport: size === 'Mobile' ? 'phone' : 'desktop',
        ...(named.length > 0 ? { actions: named } : {}),
        ...(Object.keys(variables).length > 0 ? { variables } : {}),
        isActive: false,
      },
      readings: readings.script,
      tries: (numberOf(step.retryCountOnError) ?? 0) + 1,
      timeoutMs: limits.timeoutMsMax,
    },
  ]
}

/** The pace of a monitor that waits for requests. */
export function silenceMinutesOf(step: ForeignFields, note: Note): number | undefined {
  const { monitorCriteriaInstanceArray: given } = untyped(step.monitorCriteria)
  const filters = listOf(given)
    .map(untyped)
    .filter(({ isEnabled }) => isEnabled !== false)
    .flatMap(({ filters }) => listOf(filters).map(fieldsOf))
  const others = filters.filter(
    ({ checkOn }) => !['Incoming Request', 'Is Online'].includes(textOf(checkOn)),
  )
  const words = others.map(({ checkOn, value }) => `${textOf(checkOn)} "${textOf(value)}"`)
  if (words.length > 0) {
    const listed = [...new Set(words)].slice(0, 5).join(', ')
    note(`its filters (${listed}): let the sender report a failure at the address with /error`)
  }
  const minutes = filters
    .filter(({ checkOn, filterType }) => {
      return textOf(checkOn) === 'Incoming Request' && textOf(filterType).startsWith('Not ')
    })
    .flatMap(({ value }) => numberOf(value) ?? [])
    .filter((one) => one > 0)
  return minutes.length === 0 ? undefined : Math.min(...minutes)
}
