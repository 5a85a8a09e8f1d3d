// What people choose of the places of a monitor: from where it is checked, and how many must see it down. It
// needs nothing else, because the console counts by it, too.

/** Where the daemon itself runs. */
export const home = 'home'

/** How many of the locations that vote must see a monitor down before it is. */
export type DownWhen = 'majority' | 'any' | 'all' | `${number}`

/** How many of `voting` locations are enough; at least one. */
export function neededOf(downWhen: DownWhen, voting: number): number {
  if (downWhen === 'any') return 1
  if (downWhen === 'all') return Math.max(1, voting)
  if (downWhen === 'majority') return Math.floor(voting / 2) + 1
  return Math.max(1, Math.min(Number(downWhen), voting))
}
