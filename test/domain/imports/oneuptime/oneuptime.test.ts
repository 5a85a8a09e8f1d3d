// Monitors of OneUptime become ours, and what has no equivalent is named.
import t from 'tap'
import { fromOneuptime } from '../../../../src/domain/imports/oneuptime/oneuptime.ts'
import { limits } from '../../../../src/domain/limits/limits.ts'
import { testCertificates } from '../../../support/certificates.ts'
import {
  criterion,
  filter,
  host,
  idOf,
  oneuptimeAnswer,
  oneuptimeMonitor,
  oneuptimeStates,
  oneuptimeSteps,
  type SampleCriterion,
  stateIds,
  stepsOf,
  usualCriteria,
  webStep,
} from '../../../support/oneuptime-samples.ts'

type Fields = Readonly<Record<string, unknown>>

const pace = {
  intervalSeconds: 300,
  degradedThresholdMs: null,
  failureThreshold: 3,
  recoveryThreshold: 1,
  retryIntervalSeconds: 5,
}
const about = (type: string) => ({ description: `About ${type}`, tags: ['Production'] })

function read(monitors: readonly Fields[], states: Fields = oneuptimeStates) {
  const { notes, ...lists } = fromOneuptime([{ data: monitors }, states])
  const lines = notes.map(({ name, text }) => `${name}: ${text}`)
  return { ...lists, lines, said: lines.join('\n') }
}

/** What a web check expects by the criteria. */
function expected(
  criteria: readonly SampleCriterion[],
  step: Fields = {},
  defaultId?: string,
): Fields & { readonly said: string } {
  const whole = { ...webStep, ...step }
  const steps = stepsOf(whole, criteria.map(criterion), defaultId)
  const item = oneuptimeMonitor('Website', {}, [], { monitorSteps: steps })
  const { monitors, said } = read([item])
  return { said, ...monitors[0] }
}

t.test('each type of monitor arrives with its target', (t) => {
  const { monitors, secrets } = read(oneuptimeAnswer.data)
  const named = (name: string) => monitors.find((one) => one.name === name)
  t.same(named('The Website'), {
    ...{ name: 'The Website', checkType: 'endpoint', method: 'GET', headers: {} },
    url: 'https://shop.example.com/health?deep=1',
    ...pace,
    ...{ expectedStatus: 200, acceptedStatuses: ['100-599'], certificateWarnDays: [] },
    ...{ timeoutMs: 60_000, isActive: true, ...about('Website') },
  })
  t.same(named('The API'), {
    ...{ name: 'The API', checkType: 'steps', url: 'https://shop.example.com/' },
    ...pace,
    ...{ certificateWarnDays: [], timeoutMs: 20_000, failureThreshold: 2, isActive: true },
    steps: [
      {
        ...{ name: 'Request', method: 'POST', url: 'https://shop.example.com/health?deep=1' },
        headers: {
          Authorization: 'Bearer {{secret.ApiKey}}',
          'Content-Type': 'application/json',
        },
        ...{ body: '{"a":1}', expectedStatus: 200, acceptedStatuses: ['100-599'], assertions: [] },
        followRedirects: false,
      },
    ],
    ...about('API'),
  })
  t.same(secrets, [{ name: 'ApiKey', hosts: ['shop.example.com'] }])
  t.match(named('The Ping'), { checkType: 'ping', url: 'ping://router.example.com' })
  t.match(named('The IP'), { checkType: 'ping', url: 'ping://[2001:db8::7]' })
  t.match(named('The Port'), { checkType: 'tcp', url: 'tcp://db.example.com:5432' })
  t.match(named('The SSL Certificate'), { checkType: 'ssl', url: 'https://shop.example.com:8443' })
  t.match(named('The DNS'), {
    ...{ checkType: 'dns', url: 'dns://example.com?type=MX&server=9.9.9.9', timeoutMs: 10_000 },
  })
  t.match(named('The DNSSEC'), {
    ...{ checkType: 'dns', url: 'dns://example.com?type=SOA&server=1.1.1.1&dnssec=required' },
  })
  t.match(named('The Domain'), { checkType: 'domain', url: 'domain://example.com' })
  t.match(named('The SQL Query'), {
    ...{ checkType: 'postgres', url: 'postgres://db.example.com/shop?tls=required' },
    ...{ username: 'stillup', body: 'SELECT count(*) FROM jobs', ignoreTlsErrors: true },
    ...{ timeoutMs: 25_000, isActive: false },
  })
  t.match(named('The External Status Page'), {
    ...{ checkType: 'status-page' },
    url: 'https://www.githubstatus.com?component=API%20Requests',
  })
  t.match(named('The Synthetic Monitor'), {
    ...{ checkType: 'browser', url: 'https://shop.example.com/', viewport: 'phone' },
    ...{ failureThreshold: 2, isActive: false },
  })
  t.match(named('The SNMP (sysUpTime)'), {
    url: 'snmp://switch.example.com/1.3.6.1.2.1.1.3.0?version=3&auth=sha256&priv=aes',
    ...{ username: 'stillup', password: 'a-long-password', secret: 'another-password' },
  })
  t.match(named('The Incoming Request'), {
    ...{ checkType: 'push', intervalSeconds: 1_800, graceSeconds: limits.importGraceSeconds },
  })
  t.same(named('The Manual'), {
    ...{ name: 'The Manual', checkType: 'manual', isActive: true, ...about('Manual') },
  })
  t.end()
})

/** Every type of its MonitorType.ts, and SNMP of former versions. */
const types = [
  ...['Manual', 'Website', 'API', 'Ping', 'Kubernetes', 'Docker', 'Host', 'Podman', 'Docker Swarm'],
  ...[
    'Proxmox',
    'Ceph',
    'IoT Device',
    'IP',
    'Incoming Request',
    'Incoming Email',
    'Port',
    'Server',
  ],
  ...['SSL Certificate', 'SQL Query', 'Synthetic Monitor', 'Custom JavaScript Code', 'Logs'],
  ...['Metrics', 'Traces', 'Exceptions', 'Profiles', 'Security Events', 'Network Device', 'DNS'],
  ...['DNSSEC', 'Domain', 'External Status Page', 'SNMP', 'Of tomorrow'],
]

t.test('a type either arrives or is named, with the reason', (t) => {
  for (const type of types) {
    const { monitors, said } = read([oneuptimeMonitor(type, oneuptimeSteps[type])])
    if (monitors.length === 0) t.match(said, `The ${type}: its type "${type}"`)
    else t.notMatch(said, 'left out', type)
  }
  t.end()
})

t.test('an address that no request reaches is named', (t) => {
  const of = (value: string) =>
    read(
      ['Website', 'API'].map((type) =>
        oneuptimeMonitor(type, { ...webStep, monitorDestination: { value } }),
      ),
    )
  const script = of('javascript:alert(1)')
  t.same(script.monitors, [])
  t.match(script.said, 'The Website: its address is one of javascript: the monitor was left out')
  t.same(of('data:text/html,x').monitors, [])
  t.same(of('ftp://files.example.com').monitors, [])
  for (const good of [
    'http://a.example.com',
    'HTTPS://{{monitorSecrets.Host}}/',
    'a.example.com:8080',
  ]) {
    t.equal(of(good).monitors.length, 2, good)
  }
  t.end()
})

/** What a field says by which nobody decides. */
const meansNothing = new Set([
  ...['_type', 'id', '_id', 'count', 'skip', 'limit', 'title', 'incidentSeverityId', 'priority'],
  ...['autoResolveIncident', 'createAlerts', 'incidents', 'alerts', 'onCallPolicyIds'],
  // Of criteria; and the state of ours is that of the newest check.
  ...['maxRows', 'currentMonitorStatus', 'currentMonitorStatusId'],
  // Its form warns by it, and no check.
  ...['signatureExpiryWarningDays', 'useWindowsIntegratedAuthentication'],
])

/** The document with every part that is a value, changed one at a time. */
function* changed(value: unknown, path: readonly string[] = []): Generator<[string, unknown]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const [at, other] of changed(item, [...path, String(index)])) {
        yield [at, value.with(index, other)]
      }
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      if (meansNothing.has(name)) continue
      for (const [at, other] of changed(item, [...path, name])) {
        yield [at, { ...value, [name]: other }]
      }
    }
  } else {
    const others: Readonly<Record<string, unknown>> = { boolean: !value, number: Number(value) + 1 }
    const text = String(value)
    const other = text.includes('example') ? text.replace('example', 'other') : `x${text}`
    yield [path.join('/'), others[typeof value] ?? (text === 'GET' ? 'POST' : other)]
  }
}

const everything: readonly (readonly [
  type: string,
  step?: Fields,
  criteria?: readonly Fields[],
])[] = [
  ...Object.entries(oneuptimeSteps),
  [
    'Website',
    { ...webStep, allowSelfSignedCertificates: true, tlsClientCertificate: 'x', tlsClientKey: 'y' },
    [
      criterion({
        to: 'offline',
        filters: [
          filter('Response Status Code', 'Greater Than', 399),
          filter('Response Body', 'Contains', 'error'),
          filter('Response Header', 'Not Contains', 'x-served-by'),
          filter('Response Header Value', 'Contains', 'b'),
          filter('JavaScript Expression', 'Evaluates To True', '"{{responseBody.a}}" === "b"'),
        ],
      }),
      criterion({
        to: 'degraded',
        filters: [filter('Response Time (in ms)', 'Greater Than', 900)],
      }),
    ],
  ],
]

/** What says nothing where it stands, or is seen only with other fields; the other tests have these. */
const otherwise = [
  /^(?!Website|API).*requestType$/,
  /monitorCriteriaInstanceArray.*\/(name|description)$|customFields|defaultMonitorStatusId/,
  // An incident is a failure, whichever state it leads to, and one filter is all of them.
  /0.value.(monitorStatusId|changeMonitorStatus)$|1.value.filterCondition$|filters.4.filterType$/,
  // Paused anyway, or named whatever its value is.
  /^(Synthetic|SQL|Website).*disableActiveMonitoring/,
  /sqlMonitor.password|tlsClient(Key|Certificate)|^Synthetic.*customCode|lookupMethod|provider/,
  /^(Custom|Network)/,
]

t.test('no field of a monitor is lost without a word', (t) => {
  for (const [type, step, criteria] of everything) {
    const item = oneuptimeMonitor(type, step, criteria ?? [], {
      ...{ customFields: { team: 'web' }, minimumProbeAgreement: 2 },
      dependsOnMonitors: [{ _id: idOf(7) }],
    })
    const before = JSON.stringify(read([item]))
    let count = 0
    for (const [at, other] of changed(item)) {
      if (otherwise.some((one) => one.test(`${type} ${at}`))) continue
      count += 1
      t.not(JSON.stringify(read([other as Fields])), before, `${type}: ${at}`)
    }
    t.ok(count > 5 || otherwise.some((one) => one.test(type)), `${type}: ${count} fields`)
  }
  t.end()
})

t.test('criteria that lead to an offline state say what must not be', (t) => {
  const usual = expected([
    {
      to: 'offline',
      filters: [filter('Is Online', 'False'), filter('Response Status Code', 'Not Equal To', 200)],
    },
    {
      ...{ to: 'up', condition: 'All' },
      filters: [filter('Is Online', 'True'), filter('Response Status Code', 'Equal To', '200')],
    },
  ])
  t.match(usual, { expectedStatus: 200, acceptedStatuses: [] })
  const ranges = expected([
    { to: 'offline', filters: [filter('Response Status Code', 'Greater Than', 399)] },
    { to: 'offline', filters: [filter('Response Status Code', 'Equal To', '302')] },
  ])
  t.match(ranges, { expectedStatus: 200, acceptedStatuses: ['100-301', '303-399'] })
  const body = expected([
    {
      to: 'offline',
      filters: [
        filter('Response Body', 'Contains', 'error'),
        filter('Response Body', 'Not Contains', 'ready'),
        filter('Response Header', 'Contains', 'x-maintenance'),
        filter('Response Time (in ms)', 'Greater Than', 5_000),
      ],
    },
  ])
  t.same(body.assertions, [
    { source: 'body', type: 'notContains', value: 'error' },
    { source: 'body', type: 'contains', value: 'ready' },
    { source: 'header', path: 'x-maintenance', type: 'notExists' },
    { source: 'responseTime', type: 'lessOrEqual', value: '5000' },
  ])
  t.notMatch(body.said, 'criteria demand')
  t.end()
})

t.test('what several filters demand together is named, as alternatives', (t) => {
  const { said, assertions } = expected([
    {
      ...{ to: 'offline', condition: 'All' },
      filters: [
        filter('Response Body', 'Contains', 'error'),
        filter('Response Status Code', 'Equal To', 500),
      ],
    },
  ])
  t.match(said, /its criteria demand "status 100-499, 501-599" or ".*notContains.*": add an/)
  t.equal(assertions, undefined)
  t.end()
})

t.test('the first criterion that is met decides, and the default state where none is', (t) => {
  const good = { to: 'up', condition: 'All' } as const
  const filters = [filter('Is Online', 'True'), filter('Response Status Code', 'Equal To', 200)]
  const isOut: SampleCriterion = { to: 'offline', filters: [filter('Is Online', 'False')] }
  t.match(expected([{ ...good, filters }, isOut]), { acceptedStatuses: ['100-599'] })
  t.match(expected([{ ...good, filters }, isOut], {}, stateIds.offline), { acceptedStatuses: [] })
  const many = [200, 201, 202].map((status) => filter('Response Status Code', 'Equal To', status))
  const one = expected([{ to: 'up', filters: many }], {}, stateIds.offline)
  t.match(one, { expectedStatus: 200, acceptedStatuses: ['200-202'] })
  const disabled = { ...isOut, filters: [filter('Response Body', 'Contains', 'x')] }
  t.notOk('assertions' in expected([{ ...disabled, more: { isEnabled: false } }]))
  t.end()
})

t.test('a target that must be out of reach is watched upside down', (t) => {
  const closed = [
    criterion({ to: 'offline', filters: [filter('Is Online', 'True')] }),
    criterion({ to: 'up', filters: [filter('Is Online', 'False')] }),
  ]
  const { monitors } = read([oneuptimeMonitor('Port', oneuptimeSteps.Port, closed)])
  t.match(monitors, [{ checkType: 'tcp', isUpsideDown: true, isActive: true }])
  const never = expected([
    { to: 'offline', filters: [filter('Is Online', 'True'), filter('Is Online', 'False')] },
  ])
  t.match(never, { isActive: false, said: /no answer meets them; the monitor is paused/ })
  t.end()
})

t.test('a state between becomes a threshold or a warning', (t) => {
  const slow = [filter('Response Time (in ms)', 'Greater Than', '800')]
  t.match(expected([{ to: 'degraded', filters: slow }]), {
    ...{ degradedThresholdMs: 800, degradedThreshold: 1 },
  })
  const told = expected([{ to: 'degraded', filters: slow, more: { createIncidents: true } }])
  t.match(told, { degradedThresholdMs: 800, degradedOpensIncident: true })
  const body = expected([{ to: 'degraded', filters: [filter('Response Body', 'Contains', 'a')] }])
  t.match(body.said, 'its criterion "Check if it is degraded" for another state: Response Body')
  const days = [
    criterion({ to: 'offline', filters: [filter('Is Valid Certificate', 'False')] }),
    criterion({ to: 'offline', filters: [filter('Expires In Hours', 'Less Than', 60)] }),
    criterion({ to: 'degraded', filters: [filter('Expires In Days', 'Less Than', 30)] }),
    criterion({
      to: 'up',
      filters: [filter('Expires In Days', 'Less Than', 14)],
      more: { monitorStatusId: undefined, createAlerts: true },
    }),
  ]
  const { monitors } = read([oneuptimeMonitor('SSL Certificate', webStep, days)])
  t.match(monitors, [
    {
      assertions: [{ source: 'certificateDays', type: 'greaterOrEqual', value: '3' }],
      certificateWarnDays: [30, 14],
    },
  ])
  const domain = [
    criterion({ to: 'degraded', filters: [filter('Domain Expires In Days', 'Less Than', 20)] }),
    criterion({ to: 'offline', filters: [filter('Domain Registrar', 'Not Contains', 'Gandi')] }),
  ]
  t.match(read([oneuptimeMonitor('Domain', oneuptimeSteps.Domain, domain)]).monitors, [
    {
      domainWarnDays: [20],
      assertions: [{ source: 'json', path: '$.registrar', type: 'contains', value: 'Gandi' }],
    },
  ])
  t.end()
})

t.test('all values of some minutes are so many failed checks', (t) => {
  const over = (timeValueInMinutes: number, evaluateOverTimeType: string) => ({
    evaluateOverTime: true,
    evaluateOverTimeOptions: { timeValueInMinutes, evaluateOverTimeType },
  })
  const after = (more: Fields) =>
    expected([{ to: 'offline', filters: [filter('Is Online', 'False', undefined, more)] }])
  t.match(after(over(20, 'All Values')), { failureThreshold: 4 })
  t.match(after(over(20, 'Average')), {
    ...{ failureThreshold: 3, said: /its Average of 20 minutes \(Is Online False\): each check/ },
  })
  t.end()
})

t.test('plain expressions become assertions, and other JavaScript is named', (t) => {
  const script = (text: string) => filter('JavaScript Expression', 'Evaluates To True', text)
  const when = (text: string) =>
    expected([{ to: 'up', filters: [script(text)] }], {}, stateIds.offline)
  t.match(
    when('"{{responseBody.items[0].user-name}}" === "ann" && {{responseStatusCode}} < 300;'),
    {
      acceptedStatuses: ['100-299'],
      assertions: [
        { source: 'json', path: "$.items[0]['user-name']", type: 'equals', value: 'ann' },
      ],
    },
  )
  t.match(when('{{responseTimeInMs}} <= 500').assertions, [
    { source: 'responseTime', type: 'lessOrEqual', value: '500' },
  ])
  t.match(when("'{{responseHeaders.content-type}}' == 'text/html'").assertions, [
    { source: 'header', path: 'content-type', type: 'equals', value: 'text/html' },
  ])
  const scripts = ['"{{responseBody.a}}".match(/b/)', '!{{responseBody.a}}', 'a && b || c', '']
  for (const text of scripts) {
    t.match(when(text), { said: /its criteria demand "JavaScript Expression/ }, text)
  }
  t.end()
})

t.test('what the answers of other kinds must be comes along', (t) => {
  const of = (type: string, ...filters: readonly Fields[]) =>
    read([oneuptimeMonitor(type, oneuptimeSteps[type], [criterion({ to: 'offline', filters })])])
      .monitors[0]?.assertions
  t.same(of('SQL Query', filter('SQL Query Scalar Value', 'Greater Than', 10)), [
    { source: 'json', path: '$.value', type: 'lessOrEqual', value: '10' },
  ])
  t.same(of('SQL Query', filter('SQL Query Error', 'Is Not Empty')), undefined)
  t.same(of('DNS', filter('DNS Record Value', 'Not Contains', 'mx1')), [
    { source: 'json', path: '$.records[*].text', type: 'contains', value: 'mx1' },
  ])
  t.same(
    of('External Status Page', filter('External Status Page Active Incidents', 'Greater Than', 0)),
    [{ source: 'json', path: '$.incidents', type: 'lengthEquals', value: '0' }],
  )
  t.same(
    of(
      'External Status Page',
      filter('External Status Page Component Status', 'Equal To', 'full_outage'),
    ),
    [{ source: 'json', path: '$.components[*].status', type: 'notEquals', value: 'major_outage' }],
  )
  t.same(of('DNSSEC', filter('DNSSEC Signature Expires In Days', 'Less Than', 7)), [
    { source: 'json', path: '$.dnssec.daysLeft', type: 'greaterOrEqual', value: '7' },
  ])
  t.end()
})

t.test('secrets are named, and headers of secrets are not shown in steps', (t) => {
  const { monitors, said, secrets } = read([
    oneuptimeMonitor('API', {
      monitorDestination: { _type: 'URL', value: 'https://api.example.com/?at={{timestamp}}' },
      requestHeaders: { Authorization: 'Bearer abc', 'X-Key': '{{monitorSecrets.shop-key}}' },
    }),
    oneuptimeMonitor('API', {
      monitorDestination: { _type: 'URL', value: 'https://{{monitorSecrets.host}}/' },
    }),
    oneuptimeMonitor('Ping', { monitorDestination: host('{{monitorSecrets.host}}') }),
  ])
  t.match(monitors, [
    {
      checkType: 'steps',
      variables: { header_authorization: 'Bearer abc' },
      steps: [
        {
          url: 'https://api.example.com/?at={{$timestamp}}',
          headers: { Authorization: '{{header_authorization}}', 'X-Key': '{{secret.shop_key}}' },
        },
      ],
    },
    { checkType: 'endpoint', isActive: false },
  ])
  t.same(secrets, [{ name: 'shop_key', hosts: ['api.example.com'] }])
  t.match(said, 'its placeholders ({{monitorSecrets.host}}): set the values')
  t.match(said, 'The Ping: its address has {{monitorSecrets.host}}: the monitor was left out')
  t.match(said, 'null: the values of its secrets: give them to shop_key')
  t.end()
})

t.test('the script of a browser becomes actions, and what it does besides is named', (t) => {
  const customCode = `
    await page.goto('https://shop.example.com/login');
    await page.fill('#email', 'ann@example.com');
    await page.fill('#password', '{{monitorSecrets.shop-password}}');
    await page.click('button[type=submit]');
    screenshots['done'] = await page.screenshot();
    return { data: 'Login succeeded' };`
  const { monitors, said, secrets } = read([oneuptimeMonitor('Synthetic Monitor', { customCode })])
  t.match(monitors, [
    {
      ...{ checkType: 'browser', url: 'https://shop.example.com/login', isActive: false },
      actions: [
        { action: 'fill', selector: '#email', value: 'ann@example.com' },
        { action: 'fill', selector: '#password', value: '{{secret.shop_password}}' },
        { action: 'click', selector: 'button[type=submit]' },
      ],
    },
  ])
  t.same(secrets, [{ name: 'shop_password', hosts: ['shop.example.com'] }])
  t.notOk('variables' in (monitors[0] ?? {}))
  t.match(said, /its script: line 6 is left out: screenshots/)
  const broken =
    "await page.goto('https://shop.example.com/'); let secret = {{monitorSecrets.Number}};"
  t.match(read([oneuptimeMonitor('Synthetic Monitor', { customCode: broken })]), {
    monitors: [{ checkType: 'browser', url: 'https://shop.example.com/' }],
    said: /its script is no JavaScript.*\n.*only its first page is opened/,
  })
  t.end()
})

t.test('client certificates come along, and wait for what is not in the file', (t) => {
  const { cert, key } = testCertificates.good
  const pair = { tlsClientCertificate: cert, tlsClientKey: key }
  const of = (step: Fields) => read([oneuptimeMonitor('API', { ...webStep, ...step })])
  t.match(of(pair).monitors, [
    { clientCertificate: cert.trim(), clientKey: key.trim(), isActive: true },
  ])
  const named = of({ ...pair, tlsClientKey: '{{monitorSecrets.key}}' })
  t.match(named, { monitors: [{ isActive: false }], said: /key {{monitorSecrets.key}}: set it/ })
  t.match(of({ ...pair, tlsClientKeyPassphrase: 'x' }), {
    ...{ monitors: [{ isActive: false }], said: /the passphrase of its client key/ },
  })
  t.end()
})

t.test('intervals of its forms are kept, and others are said', (t) => {
  const of = (monitoringInterval: unknown) => {
    const { monitors, said } = read([
      oneuptimeMonitor('Ping', oneuptimeSteps.Ping, usualCriteria, { monitoringInterval }),
    ])
    return [monitors[0]?.intervalSeconds, said.includes('its interval')]
  }
  t.same(of('* * * * *'), [60, false])
  t.same(of('*/30 * * * *'), [1_800, false])
  t.same(of('0 * * * *'), [3_600, false])
  t.same(of('0 */6 * * *'), [21_600, false])
  t.same(of('0 0 * * *'), [86_400, false])
  t.same(of('0 0 * * 0'), [86_400, true])
  t.same(of('1,7 * * * *'), [60, true])
  t.same(of(null), [60, true])
  t.end()
})

t.test('what a monitor depends on, its labels and whether it is checked are kept', (t) => {
  const router = oneuptimeMonitor('Ping', oneuptimeSteps.Ping)
  const site = oneuptimeMonitor('Website', webStep, usualCriteria, {
    ...{ dependsOnMonitors: [{ _id: router._id }], disableActiveMonitoring: true },
    labels: [{ name: 'a' }, { name: 'b' }],
  })
  const { monitors } = read([site, router])
  const [first, second] = monitors
  t.match(first, { isActive: false, tags: ['a', 'b'], dependsOn: [second?.id] })
  t.match(second?.id, /^mon_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  t.end()
})

t.test('steps of one monitor become monitors', (t) => {
  const [first] = [stepsOf(webStep, usualCriteria), stepsOf(webStep, usualCriteria)]
  const { value } = first as { readonly value: { readonly monitorStepsInstanceArray: unknown[] } }
  const monitorStepsInstanceArray = [
    ...value.monitorStepsInstanceArray,
    ...value.monitorStepsInstanceArray,
  ]
  const monitorSteps = { ...first, value: { ...value, monitorStepsInstanceArray } }
  const { monitors, said } = read([oneuptimeMonitor('Website', {}, [], { monitorSteps })])
  t.match(monitors, [{ name: 'The Website' }, { name: 'The Website (2)' }])
  t.match(said, 'its steps became monitors of their own')
  t.end()
})

t.test('pages of answers, lists and states in any order are one file', (t) => {
  const [ping, site] = [
    oneuptimeMonitor('Ping', oneuptimeSteps.Ping),
    oneuptimeMonitor('Website', webStep),
  ]
  for (const answers of [
    [{ data: [ping] }, oneuptimeStates, { data: [site] }],
    [[{ data: [ping] }, { data: [site] }]],
    [[ping, site]],
  ]) {
    t.equal(fromOneuptime(answers).monitors.length, 2)
  }
  for (const nonsense of [null, 7, 'text', [], {}, [null, 3], { data: 'x' }, { data: [{}] }]) {
    t.same(fromOneuptime([nonsense]).monitors, [])
  }
  const without = fromOneuptime([{ data: [site] }])
  t.match(JSON.stringify(without.notes), 'add the answer of /api/monitor-status/get-list')
  const many = { data: Array.from({ length: limits.importMonitorsMax + 1 }, () => ({})) }
  t.throws(() => fromOneuptime([many]), { name: 'ForeignFileRefused', message: /at most 10000/ })
  t.end()
})

t.test('criteria without end are named, not followed', (t) => {
  const filters = Array.from({ length: 40 }, (_, at) =>
    filter('Response Body', 'Contains', `${at}`),
  )
  const criteria = Array.from({ length: 40 }, (): SampleCriterion => {
    return { to: 'up', condition: 'All', filters }
  })
  const offline = filters.map((one, at) => ({ ...one, value: `x${at}` }))
  const found = expected([...criteria, { to: 'offline', filters: offline }], {}, stateIds.offline)
  t.match(found, { said: /its criteria: they have too many conditions|beyond/ })
  t.end()
})

t.test('what is read in another way there is named', (t) => {
  const of = (type: string, name: string, fields: Fields) => {
    const own = oneuptimeSteps[type]?.[name] as Fields
    return read([oneuptimeMonitor(type, { [name]: { ...own, ...fields } })])
  }
  t.match(of('Domain', 'domainMonitor', { lookupMethod: 'WHOIS' }).said, /WHOIS: .* by RDAP/)
  const page = 'externalStatusPageMonitor'
  t.match(of('External Status Page', page, { provider: 'RSS' }), {
    ...{ monitors: [], said: /read as RSS there: the monitor was left out/ },
  })
  t.match(of('External Status Page', page, { componentGroupName: 'APIs' }).said, /group "APIs"/)
  const name = { databaseType: 'Microsoft SQL Server', port: 1_433 }
  t.match(of('SQL Query', 'sqlMonitor', name).monitors, [
    { checkType: 'sqlserver', url: 'sqlserver://db.example.com/shop', ignoreTlsErrors: true },
  ])
  const plain = { ...name, useSsl: false, useWindowsIntegratedAuthentication: true }
  t.match(of('SQL Query', 'sqlMonitor', plain), {
    monitors: [{ url: 'sqlserver://db.example.com/shop?tls=off' }],
    said: /account of Windows/,
  })
  const sql = of('SQL Query', 'sqlMonitor', { databaseType: 'Oracle' })
  t.match(sql, { monitors: [], said: /Oracle has no equivalent: the monitor was left out/ })
  const noPage = read([oneuptimeMonitor('Synthetic Monitor', { customCode: 'return 1' })])
  t.match(noPage, { monitors: [], said: /opens no page by its address: the monitor was left out/ })
  t.end()
})
