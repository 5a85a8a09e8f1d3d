// The documents of status pages for programs: which products have which, and what they say in common words.
import { clip } from '../../base/clip.ts'
import { isRecord } from '../../base/schema/pick.ts'

/** The best first. */
export const serviceStatuses = [
  'operational',
  'maintenance',
  'degraded',
  'partial_outage',
  'major_outage',
] as const
export type ServiceStatus = (typeof serviceStatuses)[number]

export interface PageComponent {
  readonly id: string
  readonly name: string
  readonly status: ServiceStatus
}

/** What a page says of its services. */
export interface ReadPage {
  readonly name: string
  /** The whole page; null: by its components. */
  readonly status: ServiceStatus | null
  readonly components: readonly PageComponent[]
  /** The titles of open incidents. */
  readonly incidents: readonly string[]
}

/** How the pages of a product are read. */
export interface PageProduct {
  readonly name: string
  /** Below the address of the page, the one that is always read first. */
  readonly path: string
  /** Where the components are, if they are asked for and the first document has none. */
  readonly componentsPath?: string
  /** Null if the document is of another product. */
  readonly read: (document: unknown) => ReadPage | null
  readonly readComponents?: (document: unknown) => readonly PageComponent[] | null
}

/** Atlassian's Statuspage, which many others imitate; https://metastatuspage.com/api. Our pages have it, too. */
const statuspage: PageProduct = {
  name: 'statuspage',
  path: '/api/v2/summary.json',
  read(document) {
    const { page, status, components, incidents } = fieldsOf(document)
    const indicator = indicators[textOf(fieldsOf(status).indicator)]
    if (indicator === undefined) return null
    return {
      name: textOf(fieldsOf(page).name),
      status: indicator,
      components: listOf(components).map(componentOf),
      incidents: titlesIn(incidents),
    }
  },
}

/** `major` is a partial outage of the whole, as the page itself words it. */
const indicators: Readonly<Record<string, ServiceStatus>> = {
  none: 'operational',
  maintenance: 'maintenance',
  minor: 'degraded',
  major: 'partial_outage',
  critical: 'major_outage',
}

/** https://instatus.com/help/api: the summary has no components. */
const instatus: PageProduct = {
  name: 'instatus',
  path: '/summary.json',
  componentsPath: '/v2/components.json',
  read(document) {
    const { page, activeIncidents } = fieldsOf(document)
    const { name, status } = fieldsOf(page)
    const said = instatusPages[textOf(status)]
    if (said === undefined) return null
    const impacts = listOf(activeIncidents).map(({ impact }) => statusOf(textOf(impact)))
    return {
      name: textOf(name),
      // An issue without a word of its impact is at least a degradation.
      status: worstOf([said, ...(said === 'degraded' ? impacts : [])]),
      components: [],
      incidents: titlesIn(activeIncidents),
    }
  },
  readComponents(document) {
    const { components } = fieldsOf(document)
    if (!Array.isArray(components)) return null
    return listOf(components)
      .flatMap((one) => [one, ...listOf(one.children)])
      .map(componentOf)
  },
}

const instatusPages: Readonly<Record<string, ServiceStatus>> = {
  UP: 'operational',
  UNDERMAINTENANCE: 'maintenance',
  HASISSUES: 'degraded',
}

/** https://betterstack.com/docs/uptime/status-pages: JSON:API. */
const betterStack: PageProduct = {
  name: 'betterstack',
  path: '/index.json',
  read(document) {
    const { data, included } = fieldsOf(document)
    const { type, attributes } = fieldsOf(data)
    const { company_name, aggregate_state } = fieldsOf(attributes)
    if (type !== 'status_page' || typeof aggregate_state !== 'string') return null
    const ofType = (wanted: string) => listOf(included).filter((one) => one.type === wanted)
    const resources = ofType('status_page_resource')
    const reports = ofType('status_report').map(({ attributes }) => fieldsOf(attributes))
    return {
      name: textOf(company_name),
      status: statusOf(aggregate_state),
      components: resources.map(({ id, attributes }) => {
        const { public_name, status } = fieldsOf(attributes)
        return componentOf({ id, name: public_name, status })
      }),
      incidents: reports
        .filter(({ ends_at, report_type }) => ends_at === null && report_type !== 'maintenance')
        .map(({ title }) => textOf(title)),
    }
  },
}

/** In the order in which a page that is not known yet is asked. */
export const pageProducts: readonly PageProduct[] = [statuspage, instatus, betterStack]

/** The words of all products for the status of a component, without marks between them. */
const statuses: Readonly<Record<string, ServiceStatus>> = {
  operational: 'operational',
  undermaintenance: 'maintenance',
  maintenance: 'maintenance',
  degradedperformance: 'degraded',
  degraded: 'degraded',
  minoroutage: 'degraded',
  partialoutage: 'partial_outage',
  majoroutage: 'major_outage',
  fulloutage: 'major_outage',
  downtime: 'major_outage',
}

/** What nobody watches, or what we do not know, is no reason for an alert. */
function statusOf(word: string): ServiceStatus {
  return statuses[word.toLowerCase().replaceAll(/[^a-z]/g, '')] ?? 'operational'
}

export function worstOf(all: readonly ServiceStatus[]): ServiceStatus {
  const worst = Math.max(0, ...all.map((status) => serviceStatuses.indexOf(status)))
  return serviceStatuses[worst] ?? 'operational'
}

function componentOf({ id, name, status }: Record<string, unknown>): PageComponent {
  return { id: textOf(id), name: textOf(name), status: statusOf(textOf(status)) }
}

const titlesIn = (incidents: unknown) => listOf(incidents).map(({ name }) => textOf(name))

const wordCharsMax = 200

function textOf(value: unknown): string {
  return typeof value === 'string' ? clip(value, wordCharsMax) : ''
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

const itemsMax = 2_000

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.slice(0, itemsMax).filter(isRecord) : []
}
