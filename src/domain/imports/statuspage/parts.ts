// What the parts of an import from Statuspage have in common.
import { hash } from 'node:crypto'
import { type ForeignFields, textOf } from '../foreign.ts'

export interface StatuspagePage {
  readonly page: ForeignFields
  readonly name: string
  readonly components: readonly ForeignFields[]
  readonly groups: readonly ForeignFields[]
  readonly incidents: readonly ForeignFields[]
}

const idChars = 25

/** The id of a component in the document that is made. */
export function documentIdOf(component: unknown): string {
  const hex = hash('sha256', `component ${textOf(component)}`, 'hex')
  return `mon_0${hex.slice(0, idChars)}`
}
