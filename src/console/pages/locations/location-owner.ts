// Whose locations are shown: those of the organization, or those that the operator shares with all.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { OperationName } from '../../api/client.ts'
import { isOperator, mayAs, orgId } from '../../stores/session.ts'

type LocationVerb =
  Extract<OperationName, `locations.${string}`> extends `locations.${infer Verb}` ? Verb : never

interface LocationOwner {
  readonly isShared: boolean
  readonly mayChange: () => boolean
}

const ownLocations: LocationOwner = { isShared: false, mayChange: () => mayAs('admin') }
export const sharedLocations: LocationOwner = { isShared: true, mayChange: () => isOperator.value }

export const LocationOwnerContext = createContext(ownLocations)

export function useLocationOwner() {
  const { isShared, mayChange } = useContext(LocationOwnerContext)
  return {
    isShared,
    mayChange,
    /** What its routes have in common; those of shared locations take no organization. */
    path: { orgId: orgId() },
    /** The name of an operation. Both owners have the same ones, which take and answer the same. */
    operation: <Verb extends LocationVerb>(verb: Verb) =>
      (isShared ? `shared-locations.${verb}` : `locations.${verb}`) as `locations.${Verb}`,
  }
}
