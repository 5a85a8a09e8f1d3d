// Exports and imports templates of incidents and planned work.
import { refuseInvalid } from '../../base/fault.ts'
import type { TemplateId } from '../../base/ids.ts'
import { type Template, templateProblems } from '../../domain/incidents/template.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Core } from '../core.ts'
import { type Portable, type WithId, withFields } from '../portable.ts'
import { createRecords } from '../records.ts'
import { type NewTemplate, newTemplate } from './templates.ts'

type TemplateItem = NewTemplate & WithId

export function portableTemplates(core: Core): Portable<TemplateItem, Template> {
  const { store, clock } = core
  const records = createRecords(core, 'templates', store.templates)
  return {
    async export(orgId) {
      const templates = store.templates.list(orgId, limits.quotaMax).toReversed()
      return templates.map((template) => {
        const { orgId: _, createdAtMs, updatedAtMs, revision, ...own } = template
        const monitorIds = own.monitorIds.filter((id) => store.monitors.readable(orgId, id))
        // A template for maintenance has no impact.
        const severity = own.kind === 'maintenance' ? null : own.severity
        return { item: { ...own, monitorIds, severity }, secrets: [] }
      })
    },
    prepare({ id, ...input }, orgId, references) {
      const named = references.referred('monitor', input.monitorIds ?? [], '/monitorIds')
      const template = newTemplate(orgId, { ...input, monitorIds: named }, clock.nowMs())
      refuseInvalid(templateProblems(template))
      return references.note(id, template)
    },
    put(tx, _orgId, templates) {
      for (const template of templates) store.templates.put(tx, template)
    },
    again: {
      find: (orgId, id) => store.templates.readable(orgId, id as TemplateId),
      merged(stored, ready, fields) {
        const merged = withFields(stored, ready, fields)
        refuseInvalid(templateProblems(merged))
        return merged
      },
      replace(tx, scope, stored, merged, fields) {
        records.replace(tx, scope, stored, merged, { fields })
        return undefined
      },
    },
  }
}
