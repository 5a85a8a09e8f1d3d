// Answers of OneUptime's API in the form that its serializers write (Common/Types/Monitor, toJSON).

type Fields = Readonly<Record<string, unknown>>

export const idOf = (last: number): string =>
  `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`
const [up, degraded, offline] = [idOf(1), idOf(2), idOf(3)]
export const stateIds = { up, degraded, offline }

const answer = (data: readonly Fields[]) => ({ data, count: data.length, skip: 0, limit: 10_000 })

export const oneuptimeStates = answer([
  { _id: up, name: 'Operational', isOperationalState: true, isOfflineState: false, priority: 1 },
  { _id: degraded, name: 'Slow', isOperationalState: false, isOfflineState: false, priority: 2 },
  { _id: offline, name: 'Offline', isOperationalState: false, isOfflineState: true, priority: 3 },
])

/** `Is Online False`, or with a value. */
export function filter(checkOn: string, filterType: string, value?: unknown, more: Fields = {}) {
  return { checkOn, filterType, ...(value === undefined ? {} : { value }), ...more }
}

export interface SampleCriterion {
  readonly to: keyof typeof stateIds
  readonly filters: readonly Fields[]
  readonly condition?: 'All' | 'Any'
  readonly more?: Fields
}

export function criterion({ to, filters, condition = 'Any', more = {} }: SampleCriterion) {
  return {
    _type: 'MonitorCriteriaInstance',
    value: {
      id: idOf(80),
      monitorStatusId: stateIds[to],
      filterCondition: condition,
      filters,
      incidents:
        to === 'offline'
          ? [
              {
                title: 'It is offline',
                description: 'It is currently offline.',
                incidentSeverityId: { _type: 'ObjectID', value: idOf(60) },
                autoResolveIncident: true,
                id: idOf(81),
                onCallPolicyIds: [],
              },
            ]
          : [],
      alerts: [],
      createAlerts: false,
      changeMonitorStatus: true,
      createIncidents: to === 'offline',
      name: `Check if it is ${to}`,
      description: `This criteria checks if it is ${to}`,
      ...more,
    },
  }
}

/** What a new monitor of the type has. */
export const usualCriteria = [
  criterion({ to: 'offline', filters: [filter('Is Online', 'False')] }),
  criterion({ to: 'up', filters: [filter('Is Online', 'True')], condition: 'All' }),
]

export function stepsOf(step: Fields, criteria: readonly Fields[], defaultId = up): Fields {
  return {
    _type: 'MonitorSteps',
    value: {
      monitorStepsInstanceArray: [
        {
          _type: 'MonitorStep',
          value: {
            id: idOf(90),
            monitorCriteria: {
              _type: 'MonitorCriteria',
              value: { monitorCriteriaInstanceArray: criteria },
            },
            requestType: 'GET',
            ...step,
          },
        },
      ],
      defaultMonitorStatusId: defaultId,
    },
  }
}

let lastId = 100

/** A monitor as `POST /api/monitor/get-list` answers it. */
export function oneuptimeMonitor(
  monitorType: string,
  step: Fields = {},
  criteria: readonly Fields[] = usualCriteria,
  more: Fields = {},
): Fields {
  lastId += 1
  return {
    _id: idOf(lastId),
    name: `The ${monitorType}`,
    description: `About ${monitorType}`,
    monitorType,
    labels: [{ _id: idOf(50), name: 'Production' }],
    monitorSteps: stepsOf(step, criteria),
    monitoringInterval: '*/5 * * * *',
    disableActiveMonitoring: false,
    minimumProbeAgreement: null,
    ...more,
  }
}

const url = (value: string) => ({ _type: 'URL', value })
export const host = (value: string) => ({ _type: 'Hostname', value })
export const webStep = { monitorDestination: url('https://shop.example.com/health?deep=1') }

const waited = { timeout: 10_000, retries: 3 }

/** What each type looks at. */
export const oneuptimeSteps: Readonly<Record<string, Fields>> = {
  Website: webStep,
  API: {
    ...webStep,
    requestType: 'POST',
    requestHeaders: { Authorization: 'Bearer {{monitorSecrets.ApiKey}}' },
    requestBody: '{"a":1}',
    doNotFollowRedirects: true,
    requestTimeoutInMs: 20_000,
    retryCount: 2,
  },
  Ping: { monitorDestination: host('router.example.com') },
  IP: { monitorDestination: { _type: 'IP', value: '2001:db8::7' } },
  Port: {
    monitorDestination: host('db.example.com'),
    monitorDestinationPort: { _type: 'Port', value: 5_432 },
  },
  'SSL Certificate': { monitorDestination: url('https://shop.example.com:8443/') },
  DNS: {
    dnsMonitor: {
      ...{ queryName: 'example.com', recordType: 'MX', hostname: '9.9.9.9', port: 53 },
      ...waited,
    },
  },
  DNSSEC: {
    dnssecMonitor: {
      ...{ domainName: 'example.com', resolvers: ['1.1.1.1', '9.9.9.9'] },
      ...{ checkNameserverConsistency: true, signatureExpiryWarningDays: 7 },
      ...waited,
    },
  },
  Domain: { domainMonitor: { domainName: 'example.com', lookupMethod: 'Auto', ...waited } },
  'SQL Query': {
    sqlMonitor: {
      ...{ databaseType: 'PostgreSQL', host: 'db.example.com', port: 5_432, databaseName: 'shop' },
      ...{ username: 'stillup', password: '{{monitorSecrets.dbPassword}}' },
      ...{ useWindowsIntegratedAuthentication: false, useSsl: true, rejectUnauthorizedSsl: false },
      query: 'SELECT count(*) FROM jobs',
      ...{ connectionTimeoutInMs: 10_000, statementTimeoutInMs: 15_000, maxRows: 100 },
    },
  },
  'External Status Page': {
    externalStatusPageMonitor: {
      ...{ statusPageUrl: 'https://www.githubstatus.com', provider: 'Auto' },
      ...{ componentName: 'API Requests', ...waited },
    },
  },
  'Synthetic Monitor': {
    customCode: "await page.goto('https://shop.example.com/');\nreturn { data: 1 };",
    screenSizeTypes: ['Mobile', 'Desktop'],
    browserTypes: ['Chromium', 'Firefox'],
    retryCountOnError: 1,
  },
  'Custom JavaScript Code': { customCode: 'return { data: 1 };' },
  SNMP: {
    snmpMonitor: {
      ...{ snmpVersion: '3', hostname: 'switch.example.com', port: 161 },
      snmpV3Auth: {
        ...{ securityLevel: 'authPriv', username: 'stillup', authProtocol: 'SHA256' },
        ...{ authKey: 'a-long-password', privProtocol: 'AES', privKey: 'another-password' },
      },
      oids: [{ oid: '1.3.6.1.2.1.2.2.1.8.1' }, { oid: '.1.3.6.1.2.1.1.3.0', name: 'sysUpTime' }],
      ...{ timeout: 5_000, retries: 3, monitorInterfaces: false },
    },
  },
  'Network Device': {
    networkDeviceMonitor: { networkDeviceId: idOf(70), monitorInterfaces: true, oids: [] },
  },
}

export const oneuptimeAnswer = answer([
  oneuptimeMonitor('Manual', {}, [], { monitorSteps: undefined }),
  ...Object.entries(oneuptimeSteps).map(([type, step]) => oneuptimeMonitor(type, step)),
  oneuptimeMonitor('Incoming Request', {}, [
    criterion({
      to: 'offline',
      filters: [filter('Incoming Request', 'Not Recieved In Minutes', 30)],
    }),
  ]),
  oneuptimeMonitor('Server'),
  oneuptimeMonitor('Kubernetes'),
])
/** As two requests of curl write it into one file. */
export const oneuptimeFile = JSON.stringify(oneuptimeAnswer) + JSON.stringify(oneuptimeStates)
