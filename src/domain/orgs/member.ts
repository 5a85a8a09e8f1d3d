// Members and their roles: who may grant what to whom.
import { type Role, reaches } from '../access.ts'

/** Whether somebody of the role `own` may make another person a `role`. */
export function mayGrant(own: Role, role: Role): boolean {
  return reaches(own, 'admin') && reaches(own, role)
}

/** Why somebody of the role `own` may not make a `before` an `after`; undefined where they may. */
export function roleChangeProblem(own: Role, before: Role, after: Role): string | undefined {
  if (!reaches(own, 'admin')) return `Changing roles requires the role admin; yours is ${own}.`
  if (!reaches(own, before)) return `You cannot change a role above your own, which is ${own}.`
  if (!reaches(own, after)) return `You cannot grant a role above your own, which is ${own}.`
  return undefined
}
