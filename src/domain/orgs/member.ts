// Members and their roles: who may grant which role.
import { type Role, reaches } from '../access.ts'

/** Whether a person with the role `own` may give somebody the role `role`. */
export function mayGrant(own: Role, role: Role): boolean {
  return reaches(own, 'admin') && reaches(own, role)
}

/** Why a person with the role `own` may not change a `before` into an `after`; undefined: may. */
export function roleChangeProblem(own: Role, before: Role, after: Role): string | undefined {
  if (!reaches(own, 'admin')) return `Changing roles requires the role admin; yours is ${own}.`
  if (!reaches(own, before)) return `You cannot change a role above your own, which is ${own}.`
  if (!reaches(own, after)) return `You cannot grant a role above your own, which is ${own}.`
  return undefined
}
