// Databases as Uptime Kuma has them, made by SQL of our own: the tables and columns of 1.23 and of 2.5.
import { DatabaseSync, type StatementSync } from 'node:sqlite'

const schemas = {
  '1.23': {
    api_key: 'id key name user_id created_date active expires',
    docker_host: 'id user_id docker_daemon docker_type name',
    group: 'id name created_date public active weight status_page_id',
    heartbeat: 'id important monitor_id status msg time ping duration down_count',
    incident: 'id title content style created_date last_updated_date pin active status_page_id',
    maintenance: `
      id title description user_id active strategy start_date end_date start_time end_time weekdays days_of_month
      interval_day cron timezone duration`,
    maintenance_status_page: 'id status_page_id maintenance_id',
    monitor: `
      id name active user_id interval url type weight hostname port created_date keyword maxretries ignore_tls
      upside_down maxredirects accepted_statuscodes_json dns_resolve_type dns_resolve_server dns_last_result
      retry_interval push_token method body headers basic_auth_user basic_auth_pass docker_host docker_container
      proxy_id expiry_notification mqtt_topic mqtt_success_message mqtt_username mqtt_password
      database_connection_string database_query auth_method auth_domain auth_workstation grpc_url grpc_protobuf
      grpc_body grpc_metadata grpc_method grpc_service_name grpc_enable_tls radius_username radius_password
      radius_calling_station_id radius_called_station_id radius_secret resend_interval packet_size game
      http_body_encoding description tls_ca tls_cert tls_key parent invert_keyword json_path expected_value
      kafka_producer_topic kafka_producer_brokers kafka_producer_sasl_options kafka_producer_message oauth_client_id
      oauth_client_secret oauth_token_url oauth_scopes oauth_auth_method timeout gamedig_given_port_only
      kafka_producer_ssl kafka_producer_allow_auto_topic_creation`,
    monitor_group: 'id monitor_id group_id weight send_url',
    monitor_maintenance: 'id monitor_id maintenance_id',
    monitor_notification: 'id monitor_id notification_id',
    monitor_tag: 'id monitor_id tag_id value',
    monitor_tls_info: 'id monitor_id info_json',
    notification: 'id name active user_id is_default config',
    notification_sent_history: 'id type monitor_id days',
    proxy: 'id user_id protocol host port auth username password active default created_date',
    setting: 'id key value type',
    status_page: `
      id slug title description icon theme published search_engine_index show_tags password created_date
      modified_date footer_text custom_css show_powered_by google_analytics_tag_id show_certificate_expiry`,
    status_page_cname: 'id status_page_id domain',
    tag: 'id name color created_date',
    user: 'id username password active timezone twofa_secret twofa_status twofa_last_token',
  },
  '2.5': {
    api_key: 'id key name user_id created_date active expires',
    docker_host: 'id user_id docker_daemon docker_type name',
    domain_expiry: 'id last_check domain expiry last_expiry_notification_sent',
    group: 'id name created_date public active weight status_page_id',
    heartbeat: `
      id important monitor_id status msg time ping duration down_count end_time retries response`,
    incident: 'id title content style created_date last_updated_date pin active status_page_id',
    knex_migrations: 'id name batch migration_time',
    knex_migrations_lock: 'index is_locked',
    maintenance: `
      id title description user_id active strategy start_date end_date start_time end_time weekdays days_of_month
      interval_day cron timezone duration last_start_date`,
    maintenance_status_page: 'id status_page_id maintenance_id',
    monitor: `
      id name active user_id interval url type weight hostname port created_date keyword maxretries ignore_tls
      upside_down maxredirects accepted_statuscodes_json dns_resolve_type dns_resolve_server dns_last_result
      retry_interval push_token method body headers basic_auth_user basic_auth_pass docker_host docker_container
      proxy_id expiry_notification mqtt_topic mqtt_success_message mqtt_username mqtt_password
      database_connection_string database_query auth_method auth_domain auth_workstation grpc_url grpc_protobuf
      grpc_body grpc_metadata grpc_method grpc_service_name grpc_enable_tls radius_username radius_password
      radius_calling_station_id radius_called_station_id radius_secret resend_interval packet_size game
      http_body_encoding description tls_ca tls_cert tls_key parent invert_keyword json_path expected_value
      kafka_producer_topic kafka_producer_brokers kafka_producer_sasl_options kafka_producer_message oauth_client_id
      oauth_client_secret oauth_token_url oauth_scopes oauth_auth_method timeout gamedig_given_port_only
      kafka_producer_ssl kafka_producer_allow_auto_topic_creation mqtt_check_type remote_browser snmp_oid
      snmp_version json_path_operator cache_bust conditions rabbitmq_nodes rabbitmq_username rabbitmq_password
      smtp_security ws_ignore_sec_websocket_accept_header ws_subprotocol ping_count ping_numeric
      ping_per_request_timeout ip_family manual_status oauth_audience mqtt_websocket_path domain_expiry_notification
      save_response save_error_response response_max_length system_service_name subtype location protocol
      snmp_v3_username expected_tls_alert retry_only_on_status_code_failure screenshot_delay ntp_stratum_threshold
      ntp_time_offset_threshold ntp_root_dispersion_threshold bearer_token gamedig_token`,
    monitor_group: 'id monitor_id group_id weight send_url custom_url',
    monitor_maintenance: 'id monitor_id maintenance_id',
    monitor_notification: 'id monitor_id notification_id',
    monitor_tag: 'id monitor_id tag_id value',
    monitor_tls_info: 'id monitor_id info_json',
    notification: 'id name active user_id is_default config',
    notification_sent_history: 'id type monitor_id days',
    proxy: 'id user_id protocol host port auth username password active default created_date',
    remote_browser: 'id name url user_id',
    setting: 'id key value type',
    stat_daily: 'id monitor_id timestamp ping up down ping_min ping_max extras',
    stat_hourly: 'id monitor_id timestamp ping ping_min ping_max up down extras',
    stat_minutely: 'id monitor_id timestamp ping up down ping_min ping_max extras',
    status_page: `
      id slug title description icon theme published search_engine_index show_tags password created_date
      modified_date footer_text custom_css show_powered_by analytics_id show_certificate_expiry
      auto_refresh_interval analytics_script_url show_only_last_heartbeat rss_title analytics_type`,
    status_page_cname: 'id status_page_id domain',
    tag: 'id name color created_date',
    user: 'id username password active timezone twofa_secret twofa_status twofa_last_token',
  },
} as const

export type KumaVersion = keyof typeof schemas

/** The tables of a version, each with its columns. */
export function kumaSchema(version: KumaVersion): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(schemas[version]).map(([table, columns]) => [
      table,
      columns.trim().split(/\s+/),
    ]),
  )
}

type Cell = string | number | null
export type KumaRows = Readonly<Record<string, readonly Readonly<Record<string, Cell>>[]>>

/** The rows of an installation that has nothing yet. */
const emptyKuma: KumaRows = {
  setting: [{ id: 1, key: 'jwtSecret', value: '$2a$10$never-shown' }],
}

/**
 * Makes a database with these rows, and closes it; with `isOpen` it stays open as by a Kuma that runs, whose newest
 * changes are in the log beside it.
 */
export function makeKuma(path: string, version: KumaVersion, rows: KumaRows, isOpen = false) {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0')
  for (const [table, columns] of kumaSchema(version)) {
    const list = columns.map((name) => (name === 'id' ? 'id INTEGER PRIMARY KEY' : `"${name}"`))
    database.exec(`CREATE TABLE "${table}" (${list.join()})`)
  }
  database.exec('CREATE INDEX beats ON heartbeat (monitor_id, important, time)')
  for (const table of kumaSchema(version).keys()) {
    if (table.startsWith('stat_')) {
      database.exec(`CREATE INDEX ${table}_of ON ${table} (monitor_id, timestamp)`)
    }
  }
  database.exec('BEGIN')
  for (const [table, list] of Object.entries({ ...emptyKuma, ...rows })) {
    const insertions = new Map<string, StatementSync>()
    for (const row of list) {
      const names = Object.keys(row).map((name) => `"${name}"`)
      const sql = `INSERT INTO "${table}" (${names.join()}) VALUES (${names.map(() => '?').join()})`
      const insertion = insertions.get(sql) ?? database.prepare(sql)
      insertions.set(sql, insertion)
      insertion.run(...Object.values(row))
    }
  }
  database.exec('COMMIT')
  if (!isOpen) database.close()
  return database
}
