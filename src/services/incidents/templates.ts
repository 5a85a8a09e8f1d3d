// Templates of an organization: named texts with which incidents and planned work begin.
import { type FieldProblem, refuseInvalid } from '../../base/fault.ts'
import { newId, type OrgId } from '../../base/ids.ts'
import {
  type Template,
  type TemplateKind,
  templateProblems,
} from '../../domain/incidents/template.ts'
import { type Changes, patched } from '../../domain/merge-patch.ts'
import type { OrgScope, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import { createRecords } from '../records.ts'

type TemplateFields = Pick<
  Template,
  'title' | 'text' | 'severity' | 'monitorIds' | 'tags' | 'durationMinutes' | 'isPublic'
>

const defaults: TemplateFields = {
  title: '',
  text: '',
  severity: 'declared',
  monitorIds: [],
  tags: [],
  durationMinutes: null,
  isPublic: false,
}

/** Undefined keeps a field, null or '' restores its default. */
export interface TemplateChanges extends Changes<TemplateFields> {
  readonly kind?: TemplateKind | undefined
  readonly name?: string | undefined
}

export interface NewTemplate extends TemplateChanges {
  readonly kind: TemplateKind
  readonly name: string
}

/** A template with every default that the input leaves open; nothing named twice. */
export function newTemplate(orgId: OrgId, input: NewTemplate, nowMs: number): Template {
  const { kind, name } = input
  const times = { createdAtMs: nowMs, updatedAtMs: nowMs, revision: 1 }
  const id = newId('template', nowMs)
  return unrepeated({ id, orgId, kind, name, ...patched(defaults, undefined, input), ...times })
}

function unrepeated(template: Template): Template {
  const { monitorIds, tags } = template
  return { ...template, monitorIds: [...new Set(monitorIds)], tags: [...new Set(tags)] }
}

/** Every method throws not_found, and precondition_failed if the template is not at `expectedRevision`. */
export function createTemplates(core: Core) {
  const { store } = core
  const records = createRecords(core, 'templates', store.templates)

  /** The same for unknown and foreign ones: existence must not leak. */
  function monitorProblems({ orgId }: OrgScope, { monitorIds }: TemplateChanges): FieldProblem[] {
    return (monitorIds ?? []).flatMap((id, at) => {
      if (store.monitors.readable(orgId, id)) return []
      const message = `${id} must be a monitor of this organization`
      return [{ pointer: `/monitorIds/${at}`, keyword: 'reference', message }]
    })
  }

  function settled(scope: OrgScope, template: Template, changes: TemplateChanges): Template {
    refuseInvalid([...monitorProblems(scope, changes), ...templateProblems(template)])
    return unrepeated(template)
  }

  return {
    /** What is wrong with fields whose shape is right. */
    problems: monitorProblems,
    /** Throws validation_failed, and conflict beyond the quota. */
    create: (scope: OrgScope, input: NewTemplate): Promise<Template> =>
      store.write((tx) =>
        records.add(tx, scope, (nowMs) =>
          settled(scope, newTemplate(scope.orgId, input, nowMs), input),
        ),
      ),
    list: (
      scope: OrgScope,
      { kind, ...page }: PageRequest & { readonly kind?: TemplateKind | undefined },
    ) => records.list(scope, page, (template) => kind === undefined || template.kind === kind),
    get: (scope: OrgScope, id: string): Template => records.found(scope, id),
    /** Applies a merge patch (RFC 7396). Throws validation_failed. */
    change: (
      scope: OrgScope,
      id: string,
      changes: TemplateChanges,
      expectedRevision?: number,
    ): Promise<Template> =>
      store.write((tx) => {
        const before = records.found(scope, id, expectedRevision)
        const { kind = before.kind, name = before.name } = changes
        const changed = { ...before, kind, name, ...patched(defaults, before, changes) }
        return records.replace(tx, scope, before, settled(scope, changed, changes))
      }),
    async remove(scope: OrgScope, id: string, expectedRevision?: number): Promise<void> {
      await store.write((tx) => records.remove(tx, scope, id, expectedRevision))
    },
  }
}
