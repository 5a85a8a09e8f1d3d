// The fields of a status page: their defaults, and merge patches of them.
import { invalidField } from '../../base/fault.ts'
import type { MonitorId, OrgId, PageId } from '../../base/ids.ts'
import type { StatusPage } from '../../domain/pages/page.ts'

type Clearable<Value> = Value | null | undefined

/** The fields that callers set. Undefined keeps a field, null or '' restores its default. */
export interface PageChanges {
  readonly name?: string | undefined
  /** The default is derived from the name. */
  readonly slug?: Clearable<string>
  readonly isEnabled?: Clearable<boolean>
  readonly isDefault?: Clearable<boolean>
  /** The default is the name. */
  readonly title?: Clearable<string>
  readonly description?: Clearable<string>
  readonly logoUrl?: Clearable<string>
  readonly showHistory?: Clearable<boolean>
  readonly showUptime?: Clearable<boolean>
  readonly showIncidents?: Clearable<boolean>
  readonly showMonitors?: Clearable<boolean>
  /** The default is every public monitor. */
  readonly publicMonitorIds?: Clearable<readonly MonitorId[]>
}

/** The fields with a default of their own. */
type PageFields = Pick<StatusPage, Exclude<keyof PageChanges, 'name' | 'slug'>>

const defaults: PageFields = {
  isEnabled: true,
  isDefault: false,
  title: '',
  description: '',
  logoUrl: null,
  showHistory: true,
  showUptime: true,
  showIncidents: true,
  showMonitors: true,
  publicMonitorIds: null,
}

interface PageCreation {
  readonly id: PageId
  readonly orgId: OrgId
  readonly name: string
  readonly nowMs: number
}

/** A page with every default; its slug is decided when it is written. */
export function newPage({ id, orgId, name, nowMs }: PageCreation): StatusPage {
  return {
    id,
    orgId,
    name,
    slug: '',
    subdomain: null,
    ...defaults,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
  }
}

/** The page with the changes applied, except the slug. Throws validation_failed. */
export function mergedPage(page: StatusPage, changes: PageChanges, nowMs: number): StatusPage {
  const before: PageFields = page
  function pick<Field extends keyof PageFields>(field: Field): PageFields[Field] {
    // Each changeable field has the record's own type, or is absent, or cleared.
    const value = changes[field] as Clearable<PageFields[Field]>
    if (value === undefined) return before[field]
    return value ?? defaults[field]
  }
  const monitorIds = pick('publicMonitorIds')
  return {
    ...page,
    name: changes.name ?? page.name,
    isEnabled: pick('isEnabled'),
    isDefault: pick('isDefault'),
    title: pick('title'),
    description: pick('description'),
    logoUrl: changes.logoUrl ? logoAddress(changes.logoUrl) : pick('logoUrl') || null,
    showHistory: pick('showHistory'),
    showUptime: pick('showUptime'),
    showIncidents: pick('showIncidents'),
    showMonitors: pick('showMonitors'),
    // A monitor that is listed twice is shown once.
    publicMonitorIds: monitorIds === null ? null : [...new Set(monitorIds)],
    updatedAtMs: nowMs,
  }
}

/** Visitors' browsers load logos; the service never does. */
function logoAddress(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.hostname === '' || url.username !== '' || url.password) {
    throw invalidField('/logoUrl', 'format', 'must be an https URL without a user name or password')
  }
  return url.href
}
