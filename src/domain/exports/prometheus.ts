// Targets of Prometheus and modules of its blackbox_exporter for the monitors of an organization.
//
// https://github.com/prometheus/blackbox_exporter/blob/v0.28.0/CONFIGURATION.md
// https://prometheus.io/docs/prometheus/latest/configuration/configuration/#scrape_config
import { type ForeignFields, textOf } from '../imports/foreign.ts'
import {
  commentLines,
  type ForeignWriting,
  noteUnsaid,
  type OutgoingMonitor,
  outgoing,
} from './outgoing.ts'
import { eachStatus, isWeb, placeOf, portOf, statusesOf, type TargetPlace } from './targets.ts'
import { yamlText } from './yaml-text.ts'

export const prometheusFiles = ['prometheus.yml', 'blackbox.yml', 'targets.json'] as const
const [scrapeFile, modulesFile, targetsFile] = prometheusFiles

interface BlackboxProbe {
  readonly target: string
  /** The module, whose first field is its prober. */
  readonly module: ForeignFields & { readonly prober: string }
}

export function* prometheusFilesOf(document: object): ForeignWriting {
  const own = outgoing(document, [
    ...['channels', 'statusPages', 'maintenance', 'templates', 'locations', 'secrets'],
  ])
  const names = new Map<string, string>()
  const modules: Record<string, ForeignFields> = {}
  const targets: object[] = []
  for (const monitor of own.monitors) {
    const probe = probeOf(monitor)
    if (probe) {
      const module = moduleNameOf(probe.module)
      targets.push({ targets: [probe.target], labels: labelsOf(monitor, module) })
    }
    yield
  }
  const notes = own.notes.all()
  const head = '# Made from an export of stillup, for Prometheus and its blackbox_exporter.\n'
  const told =
    notes.length === 0 ? '' : `#\n# What is otherwise, or not in it:\n${commentLines(notes)}`
  const yaml = 'application/yaml; charset=utf-8'
  return {
    files: [
      { name: scrapeFile, contentType: yaml, text: `${head}${told}\n${yamlText(scrapeConfig)}` },
      { name: modulesFile, contentType: yaml, text: `${head}\n${yamlText({ modules })}` },
      {
        name: targetsFile,
        contentType: 'application/json; charset=utf-8',
        text: `${JSON.stringify(targets, null, 2)}\n`,
      },
    ],
    notes,
  }

  /** One that is the same as another has its name. */
  function moduleNameOf(module: BlackboxProbe['module']): string {
    const key = JSON.stringify(module)
    const known = names.get(key)
    if (known !== undefined) return known
    let name = module.prober
    for (let count = 2; name in modules; count += 1) name = `${module.prober}_${count}`
    names.set(key, name)
    modules[name] = module
    return name
  }

  function labelsOf(monitor: OutgoingMonitor, module: string): ForeignFields {
    const seconds = monitor.intervalSeconds()
    const tags = monitor.texts('tags')
    const group = own.groupsOf(monitor)[0]?.name
    return {
      __param_module: module,
      __scrape_interval__: `${seconds}s`,
      // What the exporter needs besides the check itself.
      __scrape_timeout__: `${Math.min(seconds, Math.ceil(monitor.number('timeoutMs') / 1_000) + 1)}s`,
      monitor: monitor.name,
      ...(group === undefined ? {} : { group }),
      ...(tags.length > 0 ? { tags: `,${tags.join(',')},` } : {}),
    }
  }
}

const scrapeConfig = {
  scrape_configs: [
    {
      job_name: 'stillup',
      metrics_path: '/probe',
      file_sd_configs: [{ files: [targetsFile] }],
      relabel_configs: [
        { source_labels: ['__address__'], target_label: '__param_target' },
        { source_labels: ['__param_target'], target_label: 'instance' },
        // Where blackbox_exporter listens.
        { target_label: '__address__', replacement: '127.0.0.1:9115' },
      ],
    },
  ],
}

function probeOf(monitor: OutgoingMonitor): BlackboxProbe | undefined {
  if (!monitor.flag('isActive')) {
    monitor.note('left out: it is paused, and Prometheus has no such state')
    return undefined
  }
  const probe = writtenProbe(monitor)
  if (probe === undefined) {
    monitor.note(`left out: blackbox_exporter has nothing like ${monitor.checkType}`)
    return undefined
  }
  const lacks = [
    ...monitor.omitted,
    ...['proxy', 'connectTo', 'clientCertificate'].filter((field) => monitor.peek(field)),
  ]
  if (lacks.length > 0) monitor.note(`enter in its module: ${lacks.join(', ')}`)
  if (monitor.flag('isUpsideDown')) monitor.note('isUpsideDown: alert of probe_success == 1')
  noteUnsaid(monitor)
  return probe
}

/** Spans as Prometheus writes them. */
const timeoutOf = (monitor: OutgoingMonitor) => `${monitor.number('timeoutMs')}ms`

function familyOf(monitor: OutgoingMonitor): ForeignFields {
  const family = monitor.text('ipFamily')
  if (family === 'any') return {}
  return { preferred_ip_protocol: family === 'ipv4' ? 'ip4' : 'ip6', ip_protocol_fallback: false }
}

function tlsOf(monitor: OutgoingMonitor): ForeignFields {
  const ca = monitor.text('caCertificates')
  const insecure = monitor.flag('ignoreTlsErrors')
  const config = {
    ...(insecure ? { insecure_skip_verify: true } : {}),
    ...(ca === '' ? {} : { ca }),
  }
  return Object.keys(config).length === 0 ? {} : { tls_config: config }
}

function writtenProbe(monitor: OutgoingMonitor): BlackboxProbe | undefined {
  const url = monitor.text('url')
  const place = placeOf(url)
  const timeout = timeoutOf(monitor)
  if (isWeb(monitor) || monitor.is('browser')) {
    if (monitor.is('browser')) monitor.note('only the address is asked for, without a browser')
    return { target: url, module: { prober: 'http', timeout, http: httpOf(monitor) } }
  }
  if (monitor.is('dns')) return place && dnsOf(monitor, url)
  if (monitor.is('ping') && place?.port === undefined) {
    const target = (place?.host ?? url).replaceAll(/[[\]]/g, '')
    const icmp = familyOf(monitor)
    return {
      target,
      module: { prober: 'icmp', timeout, ...(Object.keys(icmp).length > 0 ? { icmp } : {}) },
    }
  }
  if (place === undefined) return undefined
  if (monitor.is('grpc') && place.path.replace('/', '') === '') {
    const isTls = place.scheme === 'grpcs'
    const service = place.query.get('service')
    const grpc = {
      ...(service ? { service } : {}),
      ...(isTls ? { tls: true } : {}),
      ...tlsOf(monitor),
    }
    return {
      target: `${place.host}:${place.port}`,
      module: { prober: 'grpc', timeout, ...(Object.keys(grpc).length > 0 ? { grpc } : {}) },
    }
  }
  return tcpOf(monitor, place)
}

function dnsOf(monitor: OutgoingMonitor, url: string): BlackboxProbe {
  const name = /^dns:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''
  const query = new URLSearchParams(/\?(.*)$/.exec(url)?.[1] ?? '')
  const server = query.get('server') ?? '1.1.1.1'
  if (!query.has('server')) monitor.note('1.1.1.1 is asked: blackbox_exporter needs a name server')
  if (query.has('dnssec')) monitor.note('not in it: dnssec')
  const word = monitor.text('bodyContains')
  const rules =
    word === '' ? {} : { validate_answer_rrs: { fail_if_not_matches_regexp: [patternOf(word)] } }
  const dns = {
    query_name: name,
    query_type: (query.get('type') ?? 'A').toUpperCase(),
    ...rules,
    ...familyOf(monitor),
  }
  return { target: server, module: { prober: 'dns', timeout: timeoutOf(monitor), dns } }
}

/** Schemes with TLS from the first byte. */
const securedSchemes =
  /^(tls|smtps|imaps|pop3s|ftps|ldaps|rediss|mqtts|amqps|kafkas|wss|https|grpcs)$/

function tcpOf(monitor: OutgoingMonitor, place: TargetPlace): BlackboxProbe | undefined {
  const isPlain = ['tcp', 'ssl', 'ping', 'smtp'].includes(monitor.checkType)
  const found = isPlain ? { host: place.host, port: place.port ?? 443 } : portOf(monitor)
  if (found === undefined) return undefined
  if (!isPlain)
    monitor.note(
      `only its port is looked at: blackbox_exporter does not speak ${monitor.checkType}`,
    )
  const isTls = monitor.is('ssl') || securedSchemes.test(place.scheme)
  const isStarted = place.scheme === 'smtp' && place.query.get('starttls') === 'required'
  if (place.scheme === 'smtp' && !isStarted)
    monitor.note('only its greeting is awaited: add starttls')
  const talk =
    place.scheme === 'smtp'
      ? [{ expect: '^220' }, ...(isStarted ? startTls : []), { send: 'QUIT\r' }]
      : talkOf(monitor)
  const tcp = {
    ...(talk.length > 0 ? { query_response: talk } : {}),
    ...(isTls ? { tls: true } : {}),
    ...(isTls || isStarted ? tlsOf(monitor) : {}),
    ...familyOf(monitor),
  }
  return {
    target: `${found.host}:${found.port}`,
    module: {
      prober: 'tcp',
      timeout: timeoutOf(monitor),
      ...(Object.keys(tcp).length > 0 ? { tcp } : {}),
    },
  }
}

const startTls = [
  { send: 'EHLO prober\r' },
  { expect: '^250[- ]STARTTLS' },
  { send: 'STARTTLS\r' },
  { expect: '^220' },
  { starttls: true },
  { send: 'EHLO prober\r' },
  { expect: '^250' },
]

/** What is sent first, and what a line of the answer has. */
function talkOf(monitor: OutgoingMonitor): readonly object[] {
  if (!monitor.is('tcp')) return []
  const body = monitor.text('body')
  const word = monitor.text('bodyContains')
  if (body !== '') monitor.note('it is sent as a line, and its escapes as they are')
  return [
    ...(body === '' ? [] : [{ send: body }]),
    ...(word === '' ? [] : [{ expect: patternOf(word) }]),
  ]
}

/** A word as an expression of RE2. */
function patternOf(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function httpOf(monitor: OutgoingMonitor): ForeignFields {
  const ranges = statusesOf(monitor.number('expectedStatus'), monitor.texts('acceptedStatuses'))
  const statuses = eachStatus(ranges)
  const method = monitor.text('method')
  const body = monitor.text('body')
  const username = signIn(monitor)
  const [word, unwanted] = [monitor.text('bodyContains'), monitor.text('bodyNotContains')]
  if (monitor.is('health')) monitor.note('not in it: the state in its answer')
  const own = monitor.list('assertions').flatMap((assertion) => {
    const rule = ruleOf(assertion)
    if (rule === undefined)
      monitor.note(
        `not in it: of its assertions ${Object.values(assertion).filter(Boolean).map(textOf).join(' ')}`,
      )
    return rule ? [rule] : []
  })
  const rules = [
    ...(word === '' ? [] : [['fail_if_body_not_matches_regexp', patternOf(word)] as const]),
    ...(unwanted === '' ? [] : [['fail_if_body_matches_regexp', patternOf(unwanted)] as const]),
    ...own,
  ]
  return {
    ...(method === 'GET' ? {} : { method }),
    valid_status_codes: statuses,
    ...(monitor.flag('followRedirects') ? {} : { follow_redirects: false }),
    ...(Object.keys(monitor.fields('headers')).length > 0
      ? { headers: monitor.fields('headers') }
      : {}),
    ...(body === '' ? {} : { body }),
    ...username,
    ...Object.fromEntries(
      [...Map.groupBy(rules, ([name]) => name)].map(([name, some]) => [
        name,
        some.map(([, rule]) => rule),
      ]),
    ),
    ...tlsOf(monitor),
    ...familyOf(monitor),
  }
}

/** The exporter reads a password from a file. */
function signIn(monitor: OutgoingMonitor): ForeignFields {
  const { type, tokenUrl, scope } = monitor.fields('auth')
  const username = monitor.text('username')
  if (username === '') return {}
  const file = 'password'
  monitor.note(`the password of ${username} is read from the file "${file}" beside blackbox.yml`)
  if (type === 'oauth2') {
    const scopes = textOf(scope) === '' ? {} : { scopes: textOf(scope).split(' ') }
    return {
      oauth2: { client_id: username, client_secret_file: file, token_url: tokenUrl, ...scopes },
    }
  }
  if (type !== undefined && type !== null && type !== 'basic') {
    monitor.note(`not in it: auth (${textOf(type)})`)
    return {}
  }
  return { basic_auth: { username, password_file: file } }
}

function ruleOf({
  source,
  path,
  type,
  value,
}: ForeignFields): readonly [string, unknown] | undefined {
  const text = textOf(value)
  const pattern = {
    contains: patternOf(text),
    notContains: patternOf(text),
    regex: text,
    equals: `^${patternOf(text)}$`,
    exists: '.*',
  }[textOf(type)]
  if (pattern === undefined || (text === '' && type !== 'exists')) return undefined
  const isNot = type === 'notContains'
  if (source === 'body' && type !== 'exists') {
    const wanted = type === 'equals' ? `^(?s:${patternOf(text)})$` : pattern
    return [isNot ? 'fail_if_body_matches_regexp' : 'fail_if_body_not_matches_regexp', wanted]
  }
  if (source !== 'header') return undefined
  const rule = { header: textOf(path), regexp: pattern, allow_missing: isNot }
  return [isNot ? 'fail_if_header_matches' : 'fail_if_header_not_matches', rule]
}
