// Groups: monitors whose state follows from that of others.
import { clip } from '../../base/clip.ts'
import type { MonitorId } from '../../base/ids.ts'
import type { Reading } from '../checks/reading.ts'
import type { HealthSeverity } from '../health/health.ts'
import { type DependencyProblem, dependencyProblems } from './dependencies.ts'
import { type GroupState, neededDown } from './group-state.ts'
import type { Monitor } from './monitor.ts'

/** A member that counts: one that is not known, paused or under maintenance says nothing. */
export interface CountedMember {
  readonly name: string
  readonly state: 'up' | HealthSeverity
}

const namesCharsMax = 200

/** What the members of a group say of it. */
export function groupReading(
  rule: GroupState,
  members: readonly CountedMember[],
  atMs: number,
): Reading {
  const reading = { atMs, durationMs: 0 } as const
  if (members.length === 0) {
    return { ...reading, result: 'unknown', message: 'no member has a state that counts' }
  }
  const bad = members.filter(({ state }) => state !== 'up')
  const down = members.filter(({ state }) => state === 'down')
  const said = (some: readonly CountedMember[]) =>
    `${clip(some.map(({ name }) => name).join(', '), namesCharsMax)} (${some.length} of ${members.length} members)`
  if (down.length >= neededDown(rule, members.length)) {
    return {
      ...reading,
      result: 'failed',
      error: { kind: 'reported', message: `down: ${said(down)}` },
    }
  }
  const isDegraded = bad.length > 0 && (rule !== 'best' || bad.length === members.length)
  if (!isDegraded) return { ...reading, result: 'good' }
  return { ...reading, result: 'good', isDegraded: true, message: `not up: ${said(bad)}` }
}

type NamedGroup = Pick<Monitor, 'id' | 'name' | 'memberIds'>

/** The problems of the members that a group is to have: groups may be in groups, but not in a circle. */
export function memberProblems(
  memberIds: readonly MonitorId[],
  find: (id: MonitorId) => NamedGroup | undefined,
  self?: NamedGroup,
): DependencyProblem[] {
  const needing = ({ id, name, memberIds: dependsOn }: NamedGroup) => ({ id, name, dependsOn })
  const found = (id: MonitorId) => {
    const member = find(id)
    return member && needing(member)
  }
  return dependencyProblems(memberIds, found, self && needing(self))
}
