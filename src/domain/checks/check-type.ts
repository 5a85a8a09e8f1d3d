// The kind of a check, and the methods of HTTP. The kinds themselves are declared in src/probes.

/** One of the types of `src/probes/registry.ts`. */
export type CheckType = string

interface OfKind {
  readonly checkType: CheckType
}

/** Whether a monitor waits for reports. */
export function waitsForReports({ checkType }: OfKind): boolean {
  return checkType === 'push'
}

/** Whether the state of a monitor follows from other monitors. */
export function isGroup({ checkType }: OfKind): boolean {
  return checkType === 'group'
}

/** Whether people or other monitors say how a monitor is: nothing is looked at, and nothing is due. */
export function isTold({ checkType }: OfKind): boolean {
  return checkType === 'manual' || checkType === 'group'
}

/** Whether a monitor looks at a target. */
export function isChecked(monitor: OfKind): boolean {
  return !waitsForReports(monitor) && !isTold(monitor)
}

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type Method = (typeof methods)[number]
