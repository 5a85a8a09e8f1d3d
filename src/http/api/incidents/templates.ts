// The API of templates for incidents and planned work: schemas and routes.
import * as s from '../../../base/schema/schema.ts'
import { declaredSeverities } from '../../../domain/incidents/declared.ts'
import { templateKinds } from '../../../domain/incidents/template.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { TemplateChanges } from '../../../services/incidents/templates.ts'
import { exampleMonitorIds } from '../../openapi/examples.ts'
import { withTimes } from '../../output/times.ts'
import {
  type BodyRules,
  del,
  get,
  list,
  patch,
  post,
  resource,
  wirePage,
} from '../../routing/route.ts'

const templateMonitorsMax = 100
/** A week. */
const templateMinutesMax = 10_080
const tagCharsMax = limits.nameCharsMax

const kind = s.described(
  s.oneOf(templateKinds),
  'What begins with it: a declared incident, or planned maintenance.',
)

const TemplateIn = s.object({
  kind,
  name: s.text({
    charsMax: limits.nameCharsMax,
    pattern: '\\S',
    rule: 'must not be blank',
    description: 'The name by which people choose it in the forms.',
    example: 'Payment provider is down',
  }),
  title: s.optional(
    s.text({ charsMax: limits.titleCharsMax }),
    'The title of the incident, or the name of the window.',
  ),
  text: s.optional(
    s.text({ charsMax: limits.incidentMessageCharsMax }),
    'The first message of the incident, or the description of the window, in Markdown.',
  ),
  severity: s.optionalOrNull(
    s.oneOf(declaredSeverities),
    'How bad it is; only of incidents. Absent: `declared`.',
  ),
  monitorIds: s.optionalOrNull(
    s.listOf(s.idOf('monitor'), templateMonitorsMax),
    'What it is about.',
  ),
  tags: s.optionalOrNull(
    s.listOf(s.text({ charsMin: 1, charsMax: tagCharsMax }), limits.tagsMax),
    'It is also about every monitor with one of these tags; only of maintenance.',
  ),
  durationMinutes: s.optionalOrNull(
    s.integer(1, templateMinutesMax),
    'How long it takes; only of maintenance.',
  ),
  isPublic: s.optionalOrNull(
    s.flag,
    'Whether status pages show what is made of it. Default: false.',
  ),
})

/** A template in an exported document, and in one that is imported. */
export const templateItem = {
  out: s.object({ id: s.idOf('template'), ...TemplateIn.properties }),
  in: s.object({ id: s.optional(s.idInDocument('template')), ...TemplateIn.properties }),
}

const TemplateOut = s.revised({
  id: s.idOf('template'),
  orgId: s.idOf('org'),
  kind,
  name: s.anyText,
  title: s.anyText,
  text: s.anyText,
  severity: s.oneOf(declaredSeverities),
  monitorIds: s.described(
    s.listOf(s.idOf('monitor'), templateMonitorsMax),
    'What it is about, also deleted monitors.',
  ),
  tags: s.listOf(s.anyText, limits.tagsMax),
  durationMinutes: s.nullable(s.anyNumber),
  isPublic: s.flag,
  ...s.revisionFields,
})

const TemplateFilter = s.object({ kind: s.optional(kind) })

const toWire = withTimes('createdAt', 'updatedAt')

/** Rules that are also judged for requests with other problems. */
const rules: BodyRules = (fields: TemplateChanges, { scope, services }) =>
  scope ? services.templates.problems(scope, fields) : []

const member = { role: 'member' } as const
const viewer = { role: 'viewer' } as const

export const templates = resource('/orgs/:orgId/templates', {
  about:
    'Named texts with which incidents and maintenance windows begin: title, text, scope and impact. ' +
    'Nothing refers to them afterwards.',
  create: post('/', {
    who: member,
    summary: 'Create a template',
    example: {
      kind: 'incident',
      name: 'Payment provider is down',
      title: 'Payments are delayed',
      text: 'Our payment provider has an outage. Orders are kept, and paid once it is over.',
      severity: 'degraded',
      monitorIds: [exampleMonitorIds[0]],
      isPublic: true,
    },
    body: TemplateIn,
    rules,
    out: TemplateOut,
    message: 'Template created',
  }).createdBy(({ scope, body }, services) => services.templates.create(scope, body), toWire),
  list: list('/', {
    who: viewer,
    summary: 'Templates, newest first',
    query: TemplateFilter,
    out: TemplateOut,
  }).handledBy(({ scope, query, page }, services) =>
    wirePage(services.templates.list(scope, { ...query, ...page }), toWire),
  ),
  get: get('/:templateId', {
    who: viewer,
    summary: 'One template',
    out: TemplateOut,
  }).handledBy(({ scope, params }, services) =>
    toWire(services.templates.get(scope, params.templateId)),
  ),
  change: patch('/:templateId', {
    who: member,
    summary: 'Change a template',
    example: { title: 'Payments are delayed for some customers' },
    body: s.patchOf(TemplateIn),
    rules,
    out: TemplateOut,
    message: 'Template updated',
  }).handledBy(async ({ scope, params, body, expectedRevision }, services) =>
    toWire(await services.templates.change(scope, params.templateId, body, expectedRevision)),
  ),
  remove: del('/:templateId', {
    who: member,
    summary: 'Delete a template',
    message: 'Template deleted',
  }).handledBy(({ scope, params, expectedRevision }, services) =>
    services.templates.remove(scope, params.templateId, expectedRevision),
  ),
})
