// Templates: named texts of an organization, with which incidents and planned work begin.
import type { FieldProblem } from '../../base/fault.ts'
import type { MonitorId, OrgId, TemplateId } from '../../base/ids.ts'
import type { DeclaredSeverity } from './declared.ts'

export const templateKinds = ['incident', 'maintenance'] as const
export type TemplateKind = (typeof templateKinds)[number]

export interface Template {
  readonly id: TemplateId
  readonly orgId: OrgId
  readonly kind: TemplateKind
  /** In the forms, where people choose it. */
  readonly name: string
  /** The title of the incident, or the name of the window. */
  readonly title: string
  /** The first message of the incident, or the description of the window. */
  readonly text: string
  /** The impact; only of incidents. */
  readonly severity: DeclaredSeverity
  /** The scope. One that was deleted since is left out by the forms. */
  readonly monitorIds: readonly MonitorId[]
  /** The scope, by tags; only of maintenance. */
  readonly tags: readonly string[]
  /** How long it takes; null: nothing is said. Only of maintenance. */
  readonly durationMinutes: number | null
  /** Whether status pages show what is made of it. */
  readonly isPublic: boolean
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}

/** The fields of one kind are refused with the other. */
export function templateProblems({
  kind,
  severity,
  tags,
  durationMinutes,
}: Template): FieldProblem[] {
  const rules =
    kind === 'maintenance'
      ? [{ pointer: '/severity', isBroken: severity !== 'declared', of: 'an incident' }]
      : [
          { pointer: '/tags', isBroken: tags.length > 0, of: 'maintenance' },
          { pointer: '/durationMinutes', isBroken: durationMinutes !== null, of: 'maintenance' },
        ]
  return rules.flatMap(({ pointer, isBroken, of }) => {
    const message = `can be set only in a template for ${of}`
    return isBroken ? [{ pointer, keyword: 'not', message }] : []
  })
}
