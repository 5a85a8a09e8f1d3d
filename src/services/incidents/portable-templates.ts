// Exports and imports templates of incidents and planned work.
import { refuseInvalid } from '../../base/fault.ts'
import { type Template, templateProblems } from '../../domain/incidents/template.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Core } from '../core.ts'
import type { Portable, WithId } from '../portable.ts'
import { type NewTemplate, newTemplate } from './templates.ts'

type TemplateItem = NewTemplate & WithId

export function portableTemplates({ store, clock }: Core): Portable<TemplateItem, Template> {
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
  }
}
