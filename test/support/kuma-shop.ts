// An installation of Uptime Kuma with one of each: what its tables hold.
import type { KumaRows } from './kuma-database.ts'

export const shopOfKuma: KumaRows = {
  setting: [
    { id: 1, key: 'jwtSecret', value: '$2a$10$hidden-key' },
    { id: 2, key: 'serverTimezone', value: '"Europe/Berlin"' },
    { id: 3, key: 'tlsExpiryNotifyDays', value: '[3,30]' },
  ],
  user: [{ id: 1, username: 'admin', password: '$2a$10$hidden', active: 1 }],
  monitor: [
    { id: 1, name: 'Production', type: 'group', active: 1, interval: 60 },
    {
      ...{
        id: 2,
        name: 'Shop',
        type: 'http',
        active: 1,
        interval: 60,
        parent: 1,
        url: 'https://127.0.0.1/',
      },
      ...{
        accepted_statuscodes_json: '["200-299","301"]',
        method: 'GET',
        maxretries: 2,
        retry_interval: 20,
      },
      ...{ headers: '{"X-Token": "hidden-header"}', expiry_notification: 1 },
    },
    {
      id: 3,
      name: 'Backup',
      type: 'push',
      active: 1,
      interval: 3_600,
      push_token: 'hiddenhiddenhiddenhiddenhidden12',
    },
  ],
  tag: [{ id: 1, name: 'eu', color: '#059669' }],
  monitor_tag: [{ id: 1, monitor_id: 2, tag_id: 1, value: '' }],
  notification: [
    {
      ...{ id: 1, name: 'Ops', active: 1, is_default: 0 },
      config:
        '{"type":"ntfy","name":"Ops","ntfyserverurl":"https://ntfy.sh","ntfytopic":"ops","ntfyPriority":5}',
    },
  ],
  monitor_notification: [{ id: 1, monitor_id: 2, notification_id: 1 }],
  status_page: [
    {
      ...{ id: 1, slug: 'ops', title: 'Ops page', icon: '/icon.svg', theme: 'dark', published: 1 },
      ...{ search_engine_index: 1, show_powered_by: 0 },
    },
  ],
  status_page_cname: [{ id: 1, status_page_id: 1, domain: 'status.example.com' }],
  group: [{ id: 1, name: 'Services', public: 1, active: 1, weight: 1, status_page_id: 1 }],
  monitor_group: [{ id: 1, monitor_id: 2, group_id: 1, weight: 1, send_url: 0 }],
  maintenance: [
    {
      ...{
        id: 1,
        title: 'Backup night',
        description: '',
        active: 1,
        strategy: 'recurring-weekday',
      },
      ...{
        start_time: '02:30',
        end_time: '03:30',
        weekdays: '[0]',
        cron: '30 2 * * 0',
        duration: 3_600,
      },
    },
  ],
  monitor_maintenance: [{ id: 1, monitor_id: 1, maintenance_id: 1 }],
}

/** The same with every table, and every column that says something. */
export const wholeKuma: KumaRows = {
  ...shopOfKuma,
  setting: [{ id: 2, key: 'serverTimezone', value: '"Europe/Berlin"' }],
  user: [
    { id: 1, username: 'admin', active: 1 },
    { id: 2, username: 'bob', active: 1 },
  ],
  monitor_tag: [{ id: 1, monitor_id: 2, tag_id: 1, value: 'west' }],
  status_page: [
    {
      ...{
        id: 1,
        slug: 'ops',
        title: 'Ops page',
        description: 'All of it',
        icon: '/upload/logo1.png',
        theme: 'dark',
      },
      ...{
        published: 1,
        search_engine_index: 1,
        show_tags: 1,
        footer_text: 'Foot',
        custom_css: 'a { color: red }',
      },
      ...{
        show_powered_by: 1,
        show_certificate_expiry: 1,
        show_only_last_heartbeat: 1,
        rss_title: 'News',
      },
      ...{ analytics_id: '7', analytics_script_url: 'https://e.com/a.js', analytics_type: 'umami' },
    },
    {
      id: 2,
      slug: 'two',
      title: 'Two',
      icon: '',
      theme: 'auto',
      published: 1,
      search_engine_index: 1,
    },
  ],
  group: [
    { id: 1, name: 'Services', weight: 1, status_page_id: 1 },
    { id: 2, name: 'Jobs', weight: 2, status_page_id: 1 },
  ],
  monitor_group: [
    { monitor_id: 2, group_id: 1, weight: 1, send_url: 1, custom_url: 'https://e.com/' },
    { monitor_id: 3, group_id: 1, weight: 2, send_url: 0, custom_url: null },
  ],
  incident: [
    { id: 1, title: 'Slow', content: 'We look into it', pin: 1, active: 1, status_page_id: 1 },
    { id: 2, title: 'Old', content: 'Done', pin: 0, active: 0, status_page_id: 1 },
  ],
  maintenance: [
    {
      ...{
        id: 1,
        title: 'Backup night',
        description: 'Of all',
        active: 1,
        strategy: 'recurring-weekday',
      },
      ...{
        start_date: '2027-01-01 00:00:00',
        end_date: '2027-12-01 00:00:00',
        start_time: '02:30',
        end_time: '03:30',
      },
      ...{
        weekdays: '[0]',
        days_of_month: '[1]',
        interval_day: 1,
        cron: '30 2 * * 0',
        duration: 3_600,
      },
      ...{ timezone: 'Europe/Paris' },
    },
  ],
  maintenance_status_page: [{ status_page_id: 1, maintenance_id: 1 }],
  proxy: [
    { id: 1, protocol: 'socks5', host: '192.0.2.9', port: 1_080, auth: 1, active: 1, default: 0 },
  ],
  docker_host: [
    { id: 1, name: 'One', docker_daemon: '/var/run/docker.sock', docker_type: 'socket' },
  ],
  remote_browser: [{ id: 1, name: 'Far', url: 'ws://192.0.2.1:3000' }],
  api_key: [{ id: 1, name: 'prometheus', active: 1 }],
}
