// The fields of a status page: defaults, merge patches, and what must hold when it is written.
import { Fault, type FieldProblem, refuseInvalid } from '../../base/fault.ts'
import type { MonitorId, OrgId, PageId } from '../../base/ids.ts'
import { isTimezone, timezoneRule } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { OwnHosts } from '../../domain/pages/custom-hostname.ts'
import {
  type ColorMode,
  defaultTheme,
  type PageSection,
  type PageTheme,
  type StatusPage,
} from '../../domain/pages/page.ts'
import { slugFrom, slugWithId, subdomainProblem } from '../../domain/pages/page-address.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { Language } from '../../texts/languages.ts'
import type { Clearable } from '../context.ts'
import type { AddressChanges } from './address-changes.ts'

/** The fields that callers set. Undefined keeps a field, null or '' restores its default. */
export interface PageChanges {
  readonly name?: string | undefined
  /** The default is derived from the name. */
  readonly slug?: Clearable<string>
  readonly isEnabled?: Clearable<boolean>
  readonly isDefault?: Clearable<boolean>
  readonly isListed?: Clearable<boolean>
  /** The default is the name. */
  readonly title?: Clearable<string>
  readonly description?: Clearable<string>
  readonly logoUrl?: Clearable<string>
  readonly showHistory?: Clearable<boolean>
  readonly showUptime?: Clearable<boolean>
  readonly showIncidents?: Clearable<boolean>
  readonly showMonitors?: Clearable<boolean>
  readonly showResponseTimes?: Clearable<boolean>
  readonly showMonitoredBy?: Clearable<boolean>
  /** The default is every public monitor. */
  readonly publicMonitorIds?: Clearable<readonly MonitorId[]>
  readonly sections?: Clearable<readonly PageSection[]>
  /** Merged with the page's own. */
  readonly theme?: Clearable<{
    readonly accent?: Clearable<string>
    readonly mode?: Clearable<ColorMode>
  }>
  readonly language?: Clearable<Language>
  readonly timezone?: Clearable<string>
  readonly noindex?: Clearable<boolean>
  readonly allowsSubscribers?: Clearable<boolean>
  /** The hash of the password; see PageLocks. */
  readonly passwordHash?: string | null | undefined
}

type PageFields = Required<
  Pick<StatusPage, Exclude<keyof PageChanges, 'name' | 'slug' | 'theme' | 'passwordHash'>>
>

const defaults: PageFields = {
  isEnabled: true,
  isDefault: false,
  isListed: false,
  title: '',
  description: '',
  logoUrl: null,
  showHistory: true,
  showUptime: true,
  showIncidents: true,
  showMonitors: true,
  showResponseTimes: true,
  showMonitoredBy: true,
  publicMonitorIds: null,
  sections: [],
  language: null,
  timezone: null,
  noindex: false,
  allowsSubscribers: true,
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
    theme: defaultTheme,
    passwordHash: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    revision: 1,
  }
}

/** The page with the changes applied, except the slug. */
export function mergedPage(page: StatusPage, changes: PageChanges, nowMs: number): StatusPage {
  const before: PageFields = { ...page, isListed: page.isListed ?? defaults.isListed }
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
    isListed: pick('isListed'),
    title: pick('title'),
    description: pick('description'),
    logoUrl: changes.logoUrl ? (URL.parse(changes.logoUrl)?.href ?? null) : pick('logoUrl') || null,
    showHistory: pick('showHistory'),
    showUptime: pick('showUptime'),
    showIncidents: pick('showIncidents'),
    showMonitors: pick('showMonitors'),
    showResponseTimes: pick('showResponseTimes'),
    showMonitoredBy: pick('showMonitoredBy'),
    // A monitor that is listed twice is shown once.
    publicMonitorIds: monitorIds === null ? null : [...new Set(monitorIds)],
    sections: pick('sections'),
    theme: mergedTheme(page.theme, changes.theme),
    language: pick('language'),
    timezone: pick('timezone') || null,
    noindex: pick('noindex'),
    allowsSubscribers: pick('allowsSubscribers'),
    passwordHash: changes.passwordHash === undefined ? page.passwordHash : changes.passwordHash,
    updatedAtMs: nowMs,
  }
}

function mergedTheme(before: PageTheme, changes: PageChanges['theme']): PageTheme {
  if (changes === undefined) return before
  if (changes === null) return defaultTheme
  const { accent, mode } = changes
  return {
    accent: accent === undefined ? before.accent : accent?.toLowerCase() || defaultTheme.accent,
    mode: mode === undefined ? before.mode : (mode ?? defaultTheme.mode),
  }
}

/** A monitor stands in one place of a page. */
function sectionProblems(
  { sections, publicMonitorIds }: PageChanges,
  isPublic: (monitorId: MonitorId) => boolean,
): FieldProblem[] {
  const listed = publicMonitorIds && new Set(publicMonitorIds)
  const seen = new Set<MonitorId>()
  return (sections ?? []).flatMap(({ monitorIds }, at) =>
    monitorIds.flatMap((monitorId, index) => {
      const pointer = `/sections/${at}/monitorIds/${index}`
      const problem = (message: string) => [{ pointer, keyword: 'reference', message }]
      if (seen.has(monitorId)) return problem(`${monitorId} must be in one section only`)
      seen.add(monitorId)
      if (!isPublic(monitorId)) {
        return problem(`${monitorId} must be a public monitor of this organization`)
      }
      if (listed && !listed.has(monitorId)) {
        return problem(`${monitorId} must be in publicMonitorIds too`)
      }
      return []
    }),
  )
}

function timezoneProblems(timezone: Clearable<string>): FieldProblem[] {
  if (!timezone || isTimezone(timezone)) return []
  return [{ pointer: '/timezone', keyword: 'format', message: timezoneRule }]
}

/** Visitors' browsers load logos; the service never does. */
function logoProblems(text: Clearable<string>): FieldProblem[] {
  const url = text ? URL.parse(text) : undefined
  if (url === undefined) return []
  const isPlain = url !== null && url.hostname !== '' && url.username === '' && url.password === ''
  if (isPlain && url.protocol === 'https:') return []
  const message = 'must be an https URL without a user name or password'
  return [{ pointer: '/logoUrl', keyword: 'format', message }]
}

/** Judges addresses in the writing transaction: if two requests want one address, the second fails. */
export function createPagePlaces(store: Store, own: OwnHosts, addresses: AddressChanges) {
  /** Why no page can have this subdomain. */
  function labelProblems(label: string): FieldProblem[] {
    const problem = subdomainProblem(label, own)
    return problem ? [{ pointer: '/subdomain', ...problem }] : []
  }

  function freeSlug(page: StatusPage, wanted: string | null): string {
    const isFree = (slug: string) => {
      const holder = store.pages.slugHolder(slug)
      return !holder || holder.pageId === page.id
    }
    if (wanted === null) {
      const slug = slugFrom(page.name)
      return isFree(slug) ? slug : slugWithId(slug, page.id)
    }
    if (!isFree(wanted)) throw new Fault('slug_taken', `The slug ${wanted} is taken.`)
    return wanted
  }

  /** What is wrong with the fields, besides their shape and a taken slug. */
  function problems(orgId: OrgId, changes: PageChanges, isPublic = isPublicIn(orgId)) {
    const { logoUrl, publicMonitorIds } = changes
    const monitorProblems = (publicMonitorIds ?? []).flatMap((monitorId, index) => {
      if (isPublic(monitorId)) return []
      const message = `${monitorId} must be a public monitor of this organization`
      return [{ pointer: `/publicMonitorIds/${index}`, keyword: 'reference', message }]
    })
    return [
      ...logoProblems(logoUrl),
      ...monitorProblems,
      ...sectionProblems(changes, isPublic),
      ...timezoneProblems(changes.timezone),
    ]
  }

  /** The same for unknown, foreign and private ones: existence must not leak. */
  function isPublicIn(orgId: OrgId): (monitorId: MonitorId) => boolean {
    return (monitorId) => store.monitors.readable(orgId, monitorId)?.isPublic === true
  }

  function unsetOtherDefaults(tx: Tx, page: StatusPage, nowMs: number): void {
    for (const other of store.pages.list(page.orgId, limits.quotaMax)) {
      if (!other.isDefault || other.id === page.id) continue
      const revision = other.revision + 1
      store.pages.put(tx, { ...other, isDefault: false, updatedAtMs: nowMs, revision }, nowMs)
    }
  }

  return {
    problems,
    labelProblems,

    /** Throws validation_failed, slug_taken, rate_limited. An absent slug stays, null derives one. */
    save(tx: Tx, page: StatusPage, changes: PageChanges, nowMs: number): StatusPage {
      refuseInvalid(problems(page.orgId, changes))
      const { slug } = changes
      const saved = slug === undefined ? page : { ...page, slug: freeSlug(page, slug || null) }
      // A new page has no slug to leave.
      if (page.slug !== '' && saved.slug !== page.slug) addresses.take(page.orgId, 'slug', nowMs)
      if (saved.isDefault) unsetOtherDefaults(tx, saved, nowMs)
      store.pages.put(tx, saved, nowMs)
      return saved
    },

    /** Throws validation_failed, subdomain_taken, rate_limited if the page cannot have this label. */
    takeSubdomain(page: StatusPage, label: string, nowMs: number): void {
      refuseInvalid(labelProblems(label))
      const holder = store.pages.subdomainHolder(label)
      if (holder?.pageId === page.id) return
      const isOwnAgain = holder?.pageId === null && holder.orgId === page.orgId
      const releasedAtMs = holder?.pageId === null ? holder.releasedAtMs : null
      const isOver = releasedAtMs !== null && nowMs - releasedAtMs >= limits.subdomainQuarantineMs
      if (holder && !isOwnAgain && !isOver) {
        throw new Fault('subdomain_taken', `The subdomain ${label} is taken.`)
      }
      addresses.take(page.orgId, 'subdomain', nowMs)
    },
  }
}
