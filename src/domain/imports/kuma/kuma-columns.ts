// The tables of Uptime Kuma's database, 1.23 and 2.5 (db/old_migrations, db/knex_migrations): which columns are
// read, under which names its API and its backups have them, and which columns mean nothing here.
import { type ForeignFields, numberOf } from '../foreign.ts'

interface KumaTable {
  readonly read: readonly string[]
  /** Known and not read: ids of rows, what Kuma itself remembers, and secrets of people. */
  readonly unread: readonly string[]
}

const words = (text: string) => text.trim().split(/\s+/)

export const kumaTables = {
  monitor: {
    read: words(`
      id name description type active parent interval timeout maxretries retry_interval resend_interval upside_down
      url method body http_body_encoding headers keyword invert_keyword maxredirects accepted_statuscodes_json
      json_path json_path_operator expected_value conditions cache_bust retry_only_on_status_code_failure
      ignore_tls expiry_notification domain_expiry_notification expected_tls_alert tls_ca tls_cert tls_key
      auth_method basic_auth_user basic_auth_pass auth_domain auth_workstation bearer_token
      oauth_client_id oauth_client_secret oauth_token_url oauth_scopes oauth_audience oauth_auth_method
      hostname port ip_family packet_size ping_count ping_per_request_timeout smtp_security
      dns_resolve_type dns_resolve_server subtype location protocol push_token manual_status proxy_id
      docker_host docker_container system_service_name remote_browser screenshot_delay
      mqtt_topic mqtt_success_message mqtt_username mqtt_password mqtt_check_type
      database_connection_string database_query
      grpc_url grpc_protobuf grpc_body grpc_metadata grpc_method grpc_service_name grpc_enable_tls
      radius_username radius_password radius_secret radius_calling_station_id radius_called_station_id
      game gamedig_given_port_only gamedig_token snmp_oid snmp_version snmp_v3_username
      kafka_producer_topic kafka_producer_brokers kafka_producer_ssl kafka_producer_sasl_options
      rabbitmq_nodes rabbitmq_username rabbitmq_password ws_subprotocol ws_ignore_sec_websocket_accept_header
      ntp_stratum_threshold ntp_time_offset_threshold ntp_root_dispersion_threshold
    `),
    unread: words(`
      user_id weight created_date dns_last_result ping_numeric save_response save_error_response response_max_length
      kafka_producer_message kafka_producer_allow_auto_topic_creation mqtt_websocket_path
    `),
  },
  tag: { read: ['id', 'name', 'color'], unread: ['created_date'] },
  monitor_tag: { read: ['monitor_id', 'tag_id', 'value'], unread: ['id'] },
  notification: { read: ['id', 'name', 'is_default', 'config'], unread: ['active', 'user_id'] },
  monitor_notification: { read: ['monitor_id', 'notification_id'], unread: ['id'] },
  status_page: {
    read: words(`
      id slug title description icon theme published search_engine_index show_tags footer_text custom_css
      show_powered_by show_certificate_expiry google_analytics_tag_id analytics_id analytics_script_url analytics_type
      show_only_last_heartbeat rss_title
    `),
    unread: ['password', 'created_date', 'modified_date', 'auto_refresh_interval'],
  },
  status_page_cname: { read: ['status_page_id', 'domain'], unread: ['id'] },
  group: {
    read: ['id', 'name', 'weight', 'status_page_id'],
    unread: ['active', 'public', 'created_date'],
  },
  monitor_group: {
    read: ['monitor_id', 'group_id', 'weight', 'send_url', 'custom_url'],
    unread: ['id'],
  },
  incident: {
    read: ['title', 'content', 'pin', 'active', 'status_page_id'],
    unread: ['id', 'style', 'created_date', 'last_updated_date'],
  },
  maintenance: {
    read: words(`
      id title description active strategy start_date end_date start_time end_time weekdays days_of_month interval_day
      cron timezone duration
    `),
    unread: ['user_id', 'last_start_date'],
  },
  monitor_maintenance: { read: ['monitor_id', 'maintenance_id'], unread: ['id'] },
  maintenance_status_page: { read: ['status_page_id', 'maintenance_id'], unread: ['id'] },
  proxy: {
    read: ['id', 'protocol', 'host', 'port', 'auth', 'active', 'default'],
    unread: ['user_id', 'username', 'password', 'created_date'],
  },
  docker_host: { read: ['id', 'name', 'docker_daemon', 'docker_type'], unread: ['user_id'] },
  remote_browser: { read: ['id', 'name', 'url'], unread: ['user_id'] },
  api_key: {
    read: ['name', 'active'],
    unread: ['id', 'key', 'user_id', 'created_date', 'expires'],
  },
  user: {
    read: ['username', 'active'],
    unread: ['id', 'password', 'timezone', 'twofa_secret', 'twofa_status', 'twofa_last_token'],
  },
  setting: { read: ['key', 'value'], unread: ['id', 'type'] },
  stat_daily: {
    read: ['monitor_id', 'timestamp', 'ping', 'ping_min', 'ping_max', 'up', 'down', 'extras'],
    unread: ['id'],
  },
  stat_hourly: {
    read: ['monitor_id', 'timestamp', 'ping', 'ping_min', 'ping_max', 'up', 'down', 'extras'],
    unread: ['id'],
  },
  heartbeat: {
    read: ['monitor_id', 'important', 'status', 'msg', 'time', 'ping'],
    unread: ['id', 'duration', 'down_count', 'end_time', 'retries', 'response'],
  },
} as const satisfies Readonly<Record<string, KumaTable>>

export type KumaTableName = keyof typeof kumaTables

/** The tables of which histories are made: too long to be read whole. */
export const kumaHistoryTables = [
  'stat_daily',
  'stat_hourly',
  'heartbeat',
] as const satisfies KumaTableName[]

/**
 * Tables that hold nothing to take over: minutes that the hours have too, what is measured anew, and what the
 * database itself needs.
 */
export const kumaTablesUnread: readonly string[] = words(`
  stat_minutely monitor_tls_info notification_sent_history domain_expiry maintenance_timeslot
  knex_migrations knex_migrations_lock sqlite_sequence sqlite_stat1 sqlite_stat4
`)

/** Columns that Kuma's API names as the database does. */
const namedAlike = new Set(
  words(`
    dns_resolve_type dns_resolve_server docker_host docker_container basic_auth_user basic_auth_pass bearer_token
    oauth_client_id oauth_client_secret oauth_token_url oauth_scopes oauth_audience oauth_auth_method
    system_service_name remote_browser screenshot_delay ping_count ping_per_request_timeout manual_status
  `),
)

/** Columns whose text is JSON, by the names that their values have. */
const written: Readonly<Record<string, string>> = {
  accepted_statuscodes_json: 'accepted_statuscodes',
  conditions: 'conditions',
  kafka_producer_brokers: 'kafkaProducerBrokers',
  kafka_producer_sasl_options: 'kafkaProducerSaslOptions',
  rabbitmq_nodes: 'rabbitmqNodes',
}

/** A row of the table of monitors, as Kuma's API and its backups have it. */
export function monitorFieldsOf(row: ForeignFields): ForeignFields {
  const fields: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    if (value === null) continue
    const name = written[column]
    if (name !== undefined) fields[name] = jsonOf(value)
    else fields[namedAlike.has(column) ? column : camelCase(column)] = value
  }
  return fields
}

function camelCase(column: string): string {
  return column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** The value of JSON; undefined if it is none. */
export function jsonOf(text: unknown): unknown {
  if (typeof text !== 'string') return text ?? undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ulidChars = 26

/** Its number there as an id of ours, by which other items of the document name it. */
function idOf(prefix: string, id: unknown): string | undefined {
  const number = numberOf(id)
  const isWhole = number !== undefined && Number.isSafeInteger(number) && number >= 0
  return isWhole ? `${prefix}_${String(number).padStart(ulidChars, '0')}` : undefined
}

export const monitorIdOf = ({ id }: ForeignFields) => idOf('mon', id)

/** `monitor/12`: what an item with this number is in Kuma. */
export function originOf(kind: string, { id }: ForeignFields): { readonly origin?: string } {
  const number = numberOf(id)
  return number === undefined ? {} : { origin: `${kind}/${number}` }
}
