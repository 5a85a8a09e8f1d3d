// How the state of a group follows from those of its members.

/** As bad as the worst member, as good as the best one, or down when so many members are. */
export type GroupState = 'worst' | 'best' | `${number}`

/** How many of the members that count must be down; a number that is larger means all of them. */
export function neededDown(rule: GroupState, count: number): number {
  if (rule === 'worst') return 1
  return rule === 'best' ? count : Math.min(Number(rule), count)
}
