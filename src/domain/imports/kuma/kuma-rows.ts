// The tables of Uptime Kuma's database as lists, in the form of its API and its backups.
import { type ForeignFields, numberOf, textOf } from '../foreign.ts'
import { jsonOf, type KumaTableName, monitorFieldsOf } from './kuma-columns.ts'

export type KumaTables = Partial<Readonly<Record<KumaTableName, readonly ForeignFields[]>>>

/** What is known of an installation; a backup or a client has only some of it. */
export interface KumaLists {
  readonly monitorList: unknown
  readonly notificationList: unknown
  readonly proxyList: unknown
  /** Each with its `groups`, of which each has `monitors`, its `domains` and `incidents`. */
  readonly statusPageList: readonly ForeignFields[]
  /** Each with `monitorIds` and `pageIds`. */
  readonly maintenanceList: readonly ForeignFields[]
  readonly dockerHostList: readonly ForeignFields[]
  readonly remoteBrowserList: readonly ForeignFields[]
  readonly apiKeyList: readonly ForeignFields[]
  readonly userList: readonly ForeignFields[]
  readonly settings: ForeignFields
}

export function listsOf(tables: KumaTables): KumaLists {
  const rows = (table: KumaTableName) => tables[table] ?? []
  const tags = new Map(rows('tag').map((tag) => [tag.id, tag]))
  const tagsOfMonitor = Map.groupBy(rows('monitor_tag'), (row) => row.monitor_id)
  const bindings = Map.groupBy(rows('monitor_notification'), (row) => row.monitor_id)
  return {
    monitorList: rows('monitor').map((row) => ({
      ...monitorFieldsOf(row),
      tags: (tagsOfMonitor.get(row.id) ?? []).map(({ tag_id, value }) => {
        return { ...tags.get(tag_id), value }
      }),
      notificationIDList: Object.fromEntries(
        (bindings.get(row.id) ?? []).map((one) => [textOf(one.notification_id), true]),
      ),
    })),
    notificationList: rows('notification'),
    proxyList: rows('proxy'),
    statusPageList: pagesOf(rows),
    maintenanceList: windowsOf(rows),
    dockerHostList: rows('docker_host'),
    remoteBrowserList: rows('remote_browser'),
    apiKeyList: rows('api_key'),
    userList: rows('user'),
    settings: settingsOf(rows('setting')),
  }
}

type Rows = (table: KumaTableName) => readonly ForeignFields[]

/** Kuma goes by the weight, and then by what it made first. */
function inOrder(rows: readonly ForeignFields[]): readonly ForeignFields[] {
  return rows.toSorted((a, b) => (numberOf(a.weight) ?? 0) - (numberOf(b.weight) ?? 0))
}

function pagesOf(rows: Rows): readonly ForeignFields[] {
  const monitors = Map.groupBy(rows('monitor_group'), (row) => row.group_id)
  const groups = Map.groupBy(inOrder(rows('group')), (row) => row.status_page_id)
  const domains = Map.groupBy(rows('status_page_cname'), (row) => row.status_page_id)
  const incidents = Map.groupBy(rows('incident'), (row) => row.status_page_id)
  return rows('status_page').map((page) => ({
    ...page,
    groups: (groups.get(page.id) ?? []).map((group) => ({
      ...group,
      monitors: inOrder(monitors.get(group.id) ?? []),
    })),
    domains: (domains.get(page.id) ?? []).map(({ domain }) => domain),
    incidents: incidents.get(page.id) ?? [],
  }))
}

function windowsOf(rows: Rows): readonly ForeignFields[] {
  const monitors = Map.groupBy(rows('monitor_maintenance'), (row) => row.maintenance_id)
  const pages = Map.groupBy(rows('maintenance_status_page'), (row) => row.maintenance_id)
  return rows('maintenance').map((window) => ({
    ...window,
    monitorIds: (monitors.get(window.id) ?? []).map((row) => row.monitor_id),
    pageIds: (pages.get(window.id) ?? []).map((row) => row.status_page_id),
  }))
}

/** Most values are JSON; the first ones of Kuma are plain. */
function settingsOf(rows: readonly ForeignFields[]): ForeignFields {
  return Object.fromEntries(
    rows.map(({ key, value }) => [`${textOf(key)}`, jsonOf(value) ?? value]),
  )
}
