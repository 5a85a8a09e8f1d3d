// The kind of a check, and the methods of HTTP. The kinds themselves are declared in src/probes.

/** One of the types of `src/probes/registry.ts`. */
export type CheckType = string

/** Whether a monitor waits for reports; every other kind looks at a target. */
export function waitsForReports({ checkType }: { readonly checkType: CheckType }): boolean {
  return checkType === 'push'
}

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const
export type Method = (typeof methods)[number]
