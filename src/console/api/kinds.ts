// The kinds of checks, as far as their declarations in src/probes concern the console.
import known from 'api:kinds'
import type { KindFacts } from '../base/kind-facts.ts'
import type { Data } from './client.ts'

export type CheckType = Data<'monitors.get'>['checkType']

export const usualKind = known.usual

export const factsOf = (kind: CheckType): KindFacts => known.kinds[kind] ?? known.unknown

/** The first kind of which something is true, in the order of the API reference. */
export const kindWhere = (isMeant: (facts: KindFacts) => boolean): CheckType | undefined =>
  (Object.keys(known.kinds) as CheckType[]).find((kind) => isMeant(factsOf(kind)))

/** Whether a monitor waits for reports. */
export const waitsForReports = ({ checkType }: { readonly checkType: CheckType }): boolean =>
  factsOf(checkType).waitsForReports

/** Whether a monitor looks at a target. */
export const isChecked = ({ checkType }: { readonly checkType: CheckType }): boolean =>
  factsOf(checkType).isChecked
