// Each column of Uptime Kuma's database, of 1.23 and of 2.5, arrives, is named in a note, or is listed here with the
// reason why it means nothing.
import t from 'tap'
import { fromKumaDatabase } from '../../../../src/domain/imports/kuma/kuma.ts'
import {
  type KumaTableName,
  kumaHistoryTables,
  kumaTables,
  kumaTablesUnread,
} from '../../../../src/domain/imports/kuma/kuma-columns.ts'
import type { KumaTables } from '../../../../src/domain/imports/kuma/kuma-rows.ts'
import { kumaSchema } from '../../../support/kuma-database.ts'
import { wholeKuma } from '../../../support/kuma-shop.ts'

type Row = Readonly<Record<string, unknown>>

const schemas = [kumaSchema('1.23'), kumaSchema('2.5')]

/** Why a column that is not read means nothing here. */
const reasons: Readonly<Record<string, string>> = {
  'monitor.user_id': 'Kuma has one user in practice, and the import has an organization',
  'monitor.weight': 'no page of Kuma sets it',
  'monitor.created_date':
    'the import has its own; only the installation is known by it, and its first day',
  'monitor.dns_last_result': 'what Kuma remembers of the last check',
  'monitor.ping_numeric': 'whether its ping looks up a name for an address, for its output',
  'monitor.save_response': 'evidence of failures is always kept here',
  'monitor.save_error_response': 'evidence of failures is always kept here',
  'monitor.response_max_length': 'evidence has a length of its own',
  'monitor.kafka_producer_message': 'nothing is put into the topic, which is said',
  'monitor.kafka_producer_allow_auto_topic_creation': 'nothing is put into the topic',
  'monitor.mqtt_websocket_path': 'of a broker behind a WebSocket, which is left out and said so',
  'tag.created_date': 'of no use',
  'monitor_tag.id': 'the number of a row that joins two',
  'notification.active': 'Kuma sets it for every notification, and does not read it',
  'notification.user_id': 'as of monitors',
  'monitor_notification.id': 'the number of a row that joins two',
  'status_page.password': 'no page of Kuma sets it, and no version asks for it',
  'status_page.created_date': 'of no use',
  'status_page.modified_date': 'of no use',
  'status_page.auto_refresh_interval': 'pages show changes at once here',
  'status_page_cname.id': 'the number of a row that joins two',
  'group.public': 'Kuma sets it for every group of a page, and does not read it',
  'group.active': 'no page of Kuma sets it',
  'group.created_date': 'of no use',
  'monitor_group.id': 'the number of a row that joins two',
  'incident.id': 'an announcement is a part of its page',
  'incident.style': 'an announcement has one colour, that of the page',
  'incident.created_date': 'an announcement has no time',
  'incident.last_updated_date': 'an announcement has no time',
  'maintenance.user_id': 'as of monitors',
  'maintenance.last_start_date': 'what Kuma remembers of its last run',
  'monitor_maintenance.id': 'the number of a row that joins two',
  'maintenance_status_page.id': 'the number of a row that joins two',
  'proxy.user_id': 'as of monitors',
  'proxy.username': 'a secret, that the operator writes into a file',
  'proxy.password': 'a secret, that the operator writes into a file',
  'proxy.created_date': 'of no use',
  'docker_host.user_id': 'as of monitors',
  'remote_browser.user_id': 'as of monitors',
  'api_key.id': 'the number of a row',
  'api_key.key': 'a hash, by which no key can be made',
  'api_key.user_id': 'as of monitors',
  'api_key.created_date': 'of no use',
  'api_key.expires': 'new keys get new dates',
  'user.id': 'the number of a row',
  'user.password': 'a hash of a secret of a person',
  'user.timezone': 'no page of Kuma sets it',
  'user.twofa_secret': 'a secret of a person',
  'user.twofa_status': 'a person sets up a second factor anew',
  'user.twofa_last_token': 'what Kuma remembers of the last sign-in',
  'setting.id': 'the number of a row',
  'setting.type': 'which page of the settings it is on',
  'stat_daily.id': 'the number of a row',
  'stat_hourly.id': 'the number of a row',
  'heartbeat.id': 'the number of a row',
  'heartbeat.duration': 'the seconds since the last one, which their times say too',
  'heartbeat.down_count': 'what Kuma counts for its next reminder',
  'heartbeat.end_time': 'when a check ended, a moment after its time',
  'heartbeat.retries': 'what Kuma counts until it alerts',
  'heartbeat.response': 'the evidence of one check, compressed',
}

t.test('every table and column of both versions is known', (t) => {
  for (const [table, columns] of schemas.flatMap((one) => [...one])) {
    if (kumaTablesUnread.includes(table)) continue
    const known = kumaTables[table as KumaTableName]
    const names: readonly string[] = [...known.read, ...known.unread]
    t.same(
      columns.filter((one) => !names.includes(one)),
      [],
      table,
    )
  }
  const there = new Set(
    schemas.flatMap((one) =>
      [...one].flatMap(([table, columns]) => columns.map((c) => `${table}.${c}`)),
    ),
  )
  for (const [table, { read, unread }] of Object.entries(kumaTables)) {
    for (const column of [...read, ...unread])
      t.ok(there.has(`${table}.${column}`), `${table}.${column} is one`)
  }
  t.end()
})

t.test('what is not read is listed with its reason, and nothing else is', (t) => {
  const unread = Object.entries(kumaTables).flatMap(([table, one]) =>
    one.unread.map((column) => `${table}.${column}`),
  )
  t.same(Object.keys(reasons).sort(), unread.sort())
  t.end()
})

function told(tables: KumaTables): string {
  const nowMs = Date.UTC(2026, 10, 30)
  return JSON.stringify(fromKumaDatabase({ tables, unknown: [], installation: 'one', nowMs }))
}

/** A monitor whose document changes with the column: its type, its value, and what else it needs. */
const effects: Readonly<Record<string, readonly [type: string, value: unknown, more?: Row]>> = {
  id: ['http', 77],
  name: ['http', 'Other'],
  description: ['http', 'Said'],
  type: ['http', 'keyword'],
  active: ['http', 0],
  parent: ['http', 1],
  interval: ['http', 120],
  timeout: ['http', 10],
  maxretries: ['http', 3],
  retry_interval: ['http', 30],
  resend_interval: ['http', 5],
  upside_down: ['http', 1],
  url: ['http', 'https://other.example.com/'],
  method: ['http', 'POST'],
  body: ['http', '{}'],
  http_body_encoding: ['http', 'xml', { body: '<a/>' }],
  headers: ['http', '{"A":"b"}'],
  keyword: ['keyword', 'word'],
  invert_keyword: ['keyword', 1, { keyword: 'word' }],
  maxredirects: ['http', 0],
  accepted_statuscodes_json: ['http', '["404"]'],
  json_path: ['json-query', 'a.b', { expected_value: '1' }],
  json_path_operator: ['json-query', '>', { json_path: 'a', expected_value: '1' }],
  expected_value: ['json-query', '2', { json_path: 'a' }],
  conditions: [
    'dns',
    '[{"type":"expression","variable":"record","operator":"equals","value":"192.0.2.1"}]',
  ],
  cache_bust: ['http', 1],
  retry_only_on_status_code_failure: ['json-query', 1],
  ignore_tls: ['http', 1],
  expiry_notification: ['http', 1],
  domain_expiry_notification: ['http', 1],
  expected_tls_alert: ['port', 'bad_certificate'],
  tls_ca: ['http', 'PEM', { auth_method: 'mtls' }],
  tls_cert: ['http', 'PEM', { auth_method: 'mtls', tls_key: 'PEM' }],
  tls_key: ['http', 'PEM', { auth_method: 'mtls', tls_cert: 'PEM' }],
  auth_method: ['http', 'ntlm'],
  basic_auth_user: ['http', 'ann'],
  basic_auth_pass: ['http', 'pass', { basic_auth_user: 'ann' }],
  auth_domain: ['http', 'CORP', { auth_method: 'ntlm' }],
  auth_workstation: ['http', 'WS', { auth_method: 'ntlm' }],
  bearer_token: ['http', 'abc', { auth_method: 'bearer' }],
  oauth_client_id: ['http', 'id', { auth_method: 'oauth2-cc' }],
  oauth_client_secret: ['http', 'x', { auth_method: 'oauth2-cc' }],
  oauth_token_url: ['http', 'https://e.com/t', { auth_method: 'oauth2-cc' }],
  oauth_scopes: ['http', 'read', { auth_method: 'oauth2-cc' }],
  oauth_audience: ['http', 'api', { auth_method: 'oauth2-cc' }],
  oauth_auth_method: ['http', 'client_secret_post', { auth_method: 'oauth2-cc' }],
  hostname: ['ping', 'other.example.com'],
  port: ['port', 81],
  ip_family: ['ping', 'ipv6'],
  packet_size: ['ping', 128],
  ping_count: ['ping', 3],
  ping_per_request_timeout: ['ping', 5],
  smtp_security: ['smtp', 'secure'],
  dns_resolve_type: ['dns', 'MX'],
  dns_resolve_server: ['dns', '192.0.2.53'],
  subtype: ['globalping', 'dns'],
  location: ['globalping', 'Tokyo', { subtype: 'ping' }],
  protocol: ['globalping', 'TCP', { subtype: 'ping', port: 443 }],
  push_token: ['push', 'abcdefghijklmnop'],
  manual_status: ['manual', 1],
  proxy_id: ['http', 1],
  docker_host: ['docker', 2, { docker_container: 'web' }],
  docker_container: ['docker', 'web'],
  system_service_name: ['system-service', 'nginx'],
  remote_browser: ['real-browser', 1],
  screenshot_delay: ['real-browser', 500],
  mqtt_topic: ['mqtt', 'a/b'],
  mqtt_success_message: ['mqtt', 'ok'],
  mqtt_username: ['mqtt', 'ann'],
  mqtt_password: ['mqtt', 'pass'],
  mqtt_check_type: [
    'mqtt',
    'json-query',
    { json_path: 'a', expected_value: '1', mqtt_success_message: 'ok' },
  ],
  database_connection_string: ['postgres', 'postgres://a:b@c/d'],
  database_query: ['postgres', 'SELECT 1', { database_connection_string: 'postgres://a:b@c/d' }],
  grpc_url: ['grpc-keyword', 'e.com:1'],
  grpc_protobuf: ['grpc-keyword', 'package x;'],
  grpc_body: ['grpc-keyword', '{"a":1}'],
  grpc_metadata: ['grpc-keyword', '{"a":"b"}'],
  grpc_method: ['grpc-keyword', 'check'],
  grpc_service_name: ['grpc-keyword', 'Health'],
  grpc_enable_tls: ['grpc-keyword', 1],
  radius_username: ['radius', 'ann'],
  radius_password: ['radius', 'pass'],
  radius_secret: ['radius', 'word'],
  radius_calling_station_id: ['radius', '00-11'],
  radius_called_station_id: ['radius', '00-12'],
  game: ['gamedig', 'minecraft'],
  gamedig_given_port_only: ['gamedig', 1, { game: 'arma3', port: 28_000 }],
  gamedig_token: ['gamedig', 'token', { game: 'minecraft' }],
  snmp_oid: ['snmp', '1.3.6'],
  snmp_version: ['snmp', '1'],
  snmp_v3_username: ['snmp', 'ann', { snmp_version: '3' }],
  kafka_producer_topic: ['kafka-producer', 'topic'],
  kafka_producer_brokers: ['kafka-producer', '["e.com:9092"]'],
  kafka_producer_ssl: ['kafka-producer', 1],
  kafka_producer_sasl_options: [
    'kafka-producer',
    '{"mechanism":"plain","username":"a","password":"b"}',
  ],
  rabbitmq_nodes: ['rabbitmq', '["http://e.com:15672"]'],
  rabbitmq_username: ['rabbitmq', 'ann'],
  rabbitmq_password: ['rabbitmq', 'pass'],
  ws_subprotocol: ['websocket-upgrade', 'mqtt'],
  ws_ignore_sec_websocket_accept_header: ['websocket-upgrade', 1],
  ntp_stratum_threshold: ['ntp', 3],
  ntp_time_offset_threshold: ['ntp', 20],
  ntp_root_dispersion_threshold: ['ntp', 30],
}

const around: KumaTables = {
  docker_host: [
    { id: 1, name: 'One', docker_daemon: '/var/run/docker.sock', docker_type: 'socket' },
    { id: 2, name: 'Two', docker_daemon: 'http://192.0.2.1:2375', docker_type: 'tcp' },
  ],
  remote_browser: [{ id: 1, name: 'Far', url: 'ws://192.0.2.1:3000' }],
}

t.test('each column of a monitor arrives, or is named', (t) => {
  const base = {
    id: 7,
    name: 'One',
    active: 1,
    interval: 60,
    url: 'https://www.example.com/',
    hostname: 'example.com',
  }
  const group = { id: 1, name: 'Group', type: 'group', active: 1, interval: 60 }
  const of = (row: Row) => told({ ...around, monitor: [group, row] })
  t.same(Object.keys(effects).sort(), [...kumaTables.monitor.read].sort())
  for (const [column, [type, value, more]] of Object.entries(effects)) {
    const row = { ...base, type, ...more }
    t.not(of({ ...row, [column]: value }), of(row), `monitor.${column}`)
  }
  t.end()
})

/** Another value of the same kind, that means something else. */
const others: Readonly<Record<string, unknown>> = {
  'notification.config': '{"type":"slack","slackwebhookURL":"https://hooks.example.com/a"}',
  'tag.color': '',
  'status_page.custom_css': '',
  'group.weight': 9,
  'monitor_group.weight': 9,
  'monitor_group.custom_url': null,
  'maintenance.start_time': '04:30',
  'maintenance.end_time': '05:30',
  'status_page.theme': 'light',
  'status_page.slug': 'other',
  'status_page.icon': 'https://example.com/logo.png',
  'status_page.google_analytics_tag_id': 'G-9',
  'maintenance.strategy': 'manual',
  'maintenance.timezone': 'Asia/Tokyo',
  'maintenance.cron': '15 3 * * *',
  'maintenance.start_date': '2027-02-02 00:00:00',
  'maintenance.end_date': '2027-03-03 00:00:00',
  'setting.key': 'other',
  'setting.value': '"Asia/Tokyo"',
}

/** Columns that count only where others say nothing: what the rows are changed to first. */
const bare: Readonly<Record<string, Row>> = {
  'maintenance.start_time': { cron: null, duration: null },
  'maintenance.end_time': { cron: null, duration: null },
  'maintenance.weekdays': { cron: null },
  'maintenance.days_of_month': { cron: null, strategy: 'recurring-day-of-month' },
  'maintenance.interval_day': { strategy: 'recurring-interval' },
  'status_page.google_analytics_tag_id': { analytics_id: null, analytics_type: null },
}

function otherOf(name: string, value: unknown): unknown {
  if (name in others) return others[name]
  if (value === 0 || value === 1) return 1 - value
  if (typeof value === 'number') return value + 1_000
  return typeof value === 'string' && value.startsWith('[') ? '[3]' : `${value}x`
}

t.test('each column of the other tables arrives, or is named', (t) => {
  for (const [table, { read }] of Object.entries(kumaTables)) {
    if (table === 'monitor' || kumaHistoryTables.some((one) => one === table)) continue
    const rows = wholeKuma[table] ?? []
    for (const column of read) {
      const name = `${table}.${column}`
      const first = { ...rows[0], ...bare[name] }
      const of = (row: Row) => told({ ...wholeKuma, [table]: [row, ...rows.slice(1)] })
      t.not(of({ ...first, [column]: otherOf(name, first[column]) }), of(first), name)
    }
  }
  t.end()
})

/** The types of Kuma 2.5 (server/uptime-kuma-server.js, server/model/monitor.js). */
const types = [
  ...[
    'http',
    'keyword',
    'json-query',
    'port',
    'ping',
    'dns',
    'docker',
    'push',
    'group',
    'manual',
    'steam',
    'gamedig',
  ],
  ...[
    'mqtt',
    'kafka-producer',
    'rabbitmq',
    'sqlserver',
    'postgres',
    'mysql',
    'mongodb',
    'redis',
    'radius',
    'ntp',
  ],
  ...[
    'grpc-keyword',
    'real-browser',
    'tailscale-ping',
    'websocket-upgrade',
    'snmp',
    'smtp',
    'system-service',
  ],
  ...['globalping', 'oracledb', 'sip-options', 'pm2'],
]

t.test('a monitor of every type comes along, or is named as left out', (t) => {
  for (const type of types) {
    const found = fromKumaDatabase({
      tables: {
        monitor: [{ id: 1, name: 'One', type, active: 1, interval: 60, hostname: 'e.com' }],
      },
      unknown: [],
      installation: 'one',
      nowMs: 0,
    })
    const left = found.notes.some(
      ({ origin, text }) => origin === 'monitor/1' && /left out/.test(text),
    )
    t.equal(found.monitors.length === 1, !left, type)
  }
  t.end()
})
