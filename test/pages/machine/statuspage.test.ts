// The Statuspage documents have the published fields, names and values.
import t from 'tap'
import Type, { type TSchema } from 'typebox'
import { createCheck } from '../../../src/base/schema/validate.ts'
import {
  type StatuspagePath,
  statuspageDocument,
  statuspagePaths,
} from '../../../src/pages/machine/statuspage.ts'
import type { PublicPage } from '../../../src/pages/view/public-page.ts'
import { documentContext } from '../../support/document-context.ts'
import { monitorNo, noonMs } from '../../support/make-page.ts'
import { seededPage } from '../../support/seeded-pages.ts'

// As https://www.atlassianstatus.com/api describes them, and as pages of Statuspage answer.
const strict = (properties: Record<string, TSchema>) =>
  Type.Object(properties, { additionalProperties: false })
const oneOf = (...values: string[]) => Type.Enum(values)
const nullOr = (schema: TSchema) => Type.Union([schema, Type.Null()])
const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' })
const text = Type.String({ minLength: 1 })

const page = strict({ id: text, name: text, url: text, time_zone: text, updated_at: time })
const status = strict({
  indicator: oneOf('none', 'minor', 'major', 'critical', 'maintenance'),
  description: text,
})
const componentStatus = oneOf(
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'under_maintenance',
)
const componentFields = {
  id: text,
  name: text,
  status: componentStatus,
  created_at: time,
  updated_at: time,
  position: Type.Integer({ minimum: 1 }),
  description: nullOr(Type.String()),
  showcase: Type.Boolean(),
  start_date: nullOr(Type.String()),
  group_id: nullOr(text),
  page_id: text,
  group: Type.Boolean(),
  only_show_if_degraded: Type.Boolean(),
}
const component = strict({ ...componentFields, components: Type.Optional(Type.Array(text)) })
const updateOf = (...statuses: string[]) =>
  strict({
    id: text,
    status: oneOf(...statuses),
    body: text,
    incident_id: text,
    created_at: time,
    updated_at: time,
    display_at: time,
    affected_components: nullOr(
      Type.Array(
        strict({
          code: text,
          name: text,
          old_status: componentStatus,
          new_status: componentStatus,
        }),
        { minItems: 1 },
      ),
    ),
    deliver_notifications: Type.Boolean(),
    custom_tweet: Type.Null(),
    tweet_id: Type.Null(),
  })
const incidentFields = {
  id: text,
  name: text,
  created_at: time,
  updated_at: time,
  monitoring_at: nullOr(time),
  resolved_at: nullOr(time),
  shortlink: text,
  started_at: time,
  page_id: text,
  components: Type.Array(component),
}
const incidentStatuses = ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem']
const incident = strict({
  ...incidentFields,
  status: oneOf(...incidentStatuses),
  impact: oneOf('none', 'minor', 'major', 'critical'),
  incident_updates: Type.Array(updateOf(...incidentStatuses)),
})
const workStatuses = ['scheduled', 'in_progress', 'verifying', 'completed']
const maintenance = strict({
  ...incidentFields,
  status: oneOf(...workStatuses),
  impact: oneOf('none', 'minor', 'major', 'critical', 'maintenance'),
  incident_updates: Type.Array(updateOf(...workStatuses)),
  scheduled_for: time,
  scheduled_until: time,
})

const incidents = { incidents: Type.Array(incident) }
const works = { scheduled_maintenances: Type.Array(maintenance) }
const components = { components: Type.Array(component) }
const published: Readonly<Record<StatuspagePath, TSchema>> = {
  summary: strict({ page, status, ...components, ...incidents, ...works }),
  status: strict({ page, status }),
  components: strict({ page, ...components }),
  incidents: strict({ page, ...incidents }),
  'incidents/unresolved': strict({ page, ...incidents }),
  'scheduled-maintenances': strict({ page, ...works }),
  'scheduled-maintenances/upcoming': strict({ page, ...works }),
  'scheduled-maintenances/active': strict({ page, ...works }),
}

interface AnyDocument {
  readonly page: { readonly updated_at: string }
  readonly status: { readonly indicator: string; readonly description: string }
  readonly components: readonly {
    readonly id: string
    readonly name: string
    readonly status: string
    readonly group: boolean
    readonly group_id: string | null
    readonly components?: readonly string[]
  }[]
  readonly incidents: readonly {
    readonly id: string
    readonly status: string
    readonly impact: string
    readonly resolved_at: string | null
    readonly shortlink: string
    readonly components: readonly { readonly id: string }[]
    readonly incident_updates: readonly {
      readonly id: string
      readonly status: string
      readonly body: string
      readonly affected_components: readonly { readonly old_status: string }[] | null
    }[]
  }[]
  readonly scheduled_maintenances: readonly { readonly id: string; readonly status: string }[]
}

function read(path: StatuspagePath, view: PublicPage): AnyDocument {
  return JSON.parse(String(statuspageDocument(path, documentContext(view))?.body))
}

const onFire = seededPage({ monitors: 20, isOnFire: true, hasSections: true })
const calm = seededPage({ monitors: 3 })
const isOn = (view: PublicPage): PublicPage => ({
  ...view,
  maintenance: view.maintenance.map((one) => ({ ...one, startsAtMs: noonMs - 1_000, isOn: true })),
})

t.test('every document has exactly the published fields', async (t) => {
  for (const path of statuspagePaths) {
    const check = createCheck(published[path], 5)
    for (const view of [onFire, calm, isOn(onFire), seededPage({ monitors: 0 })]) {
      t.same(check(read(path, view)), [], path)
    }
  }
})

t.test('the indicator follows the state, and the description says it in words', async (t) => {
  t.match(read('status', onFire).status, { indicator: 'major', description: 'Partial outage' })
  const all = { ...calm, overall: { level: 'down', kind: 'major_outage' } } as const
  t.match(read('status', all).status, { indicator: 'critical', description: 'Major outage' })
  const good = { ...calm, overall: { level: 'up', kind: 'operational' } } as const
  t.match(read('status', good).status, {
    indicator: 'none',
    description: 'All systems operational',
  })
})

t.test('sections are groups with lasting ids, and know their components', async (t) => {
  const list = read('components', onFire).components
  const groups = list.filter(({ group }) => group)
  t.same(
    groups.map(({ name }) => name),
    ['Products', 'Platform', 'Regions', 'Back office'],
  )
  for (const { id, components = [] } of groups) {
    const members = list.filter(({ group_id }) => group_id === id).map((one) => one.id)
    t.same(components, members)
  }
  t.equal(groups[0]?.status, 'partial_outage', 'some of it is down')
  t.same(
    read('components', onFire).components.map(({ id }) => id),
    list.map(({ id }) => id),
  )
  const renamed = {
    ...onFire,
    sections: onFire.sections.map((section, at) =>
      at === 0 ? { ...section, name: 'X' } : section,
    ),
  }
  t.not(read('components', renamed).components[0]?.id, groups[0]?.id)
  t.equal(read('components', renamed).components[6]?.id, groups[1]?.id)
})

t.test('the summary has what goes on; the lists also have what is over', async (t) => {
  const open = (onFire.incidents ?? []).filter((one) => one.isOpen).map(({ id }) => id)
  t.same(
    read('summary', onFire).incidents.map(({ id }) => id),
    open,
  )
  t.same(
    read('incidents/unresolved', onFire).incidents.map(({ id }) => id),
    open,
  )
  t.ok(read('incidents', onFire).incidents.some(({ status }) => status === 'resolved'))
  const upcoming = (view: PublicPage) =>
    read('scheduled-maintenances/upcoming', view).scheduled_maintenances.length
  const active = (view: PublicPage) =>
    read('scheduled-maintenances/active', view).scheduled_maintenances.length
  t.same([upcoming(onFire), active(onFire)], [1, 0])
  t.same([upcoming(isOn(onFire)), active(isOn(onFire))], [0, 1])
})

t.test('an incident has its updates, the newest first, and what it affected', async (t) => {
  const payments = read('incidents', onFire).incidents.find(({ id }) => id === 'inc_declared0')
  t.match(payments, { status: 'identified', impact: 'minor', resolved_at: null })
  t.same(
    payments?.components.map(({ id }) => id),
    [monitorNo(3)],
  )
  t.same(
    payments?.incident_updates.map(({ status }) => status),
    ['identified', 'investigating'],
  )
  t.equal(new Set(payments?.incident_updates.map(({ id }) => id)).size, 2)
  t.match(payments?.incident_updates[1], { body: 'Card payments take up to ten minutes.' })
  const past = read('incidents', onFire).incidents.find(({ id }) => id === 'inc_past0')
  t.match(past?.incident_updates, [
    { body: 'Resolved', affected_components: [{ old_status: 'major_outage' }] },
    { body: 'Detected', affected_components: [{ old_status: 'operational' }] },
  ])
  t.equal(past?.shortlink, 'https://up.test/status/acme/incidents/inc_past0')
})

t.test('the time of the last change stays while nothing changes', async (t) => {
  const later = { ...onFire, generatedAtMs: noonMs + 60_000 }
  t.same(read('summary', later), read('summary', onFire))
  const old = seededPage({ monitors: 0 })
  t.ok(Date.parse(read('status', old).page.updated_at) < noonMs)
})

t.test('what the page does not show has no document', async (t) => {
  const none = (path: StatuspagePath, view: PublicPage) =>
    t.equal(statuspageDocument(path, documentContext(view)), undefined, path)
  none('components', { ...onFire, monitors: null, sections: [] })
  none('incidents', { ...onFire, incidents: null })
  none('incidents/unresolved', { ...onFire, incidents: null })
  const bare = { ...onFire, monitors: null, sections: [], incidents: null }
  t.match(read('summary', bare), { components: [], incidents: [] })
  t.same(createCheck(published.summary, 5)(read('summary', bare)), [])
})

t.test('a list has at most 50 incidents', async (t) => {
  const incidents = (onFire.incidents ?? []).slice(0, 1)
  const many = { ...onFire, incidents: Array.from({ length: 60 }, () => incidents).flat() }
  t.equal(read('incidents', many).incidents.length, 50)
})
