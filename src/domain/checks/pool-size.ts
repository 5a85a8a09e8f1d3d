// How many threads make checks.

export const poolThreadsMax = 16
/** On less cores, a thread would take the time of the one that schedules and stores. */
export const autoCoresMin = 3
/** One thread makes the checks of so many monitors easily. */
export const autoMonitorsMin = 200

/** By the setting, on so many cores, with so many monitors. 0: they are made where all else is done. */
export function poolSize(setting: number | 'auto', cores: number, monitors: number): number {
  if (setting !== 'auto') return setting
  const pays = cores >= autoCoresMin && monitors >= autoMonitorsMin
  return pays ? Math.min(cores - 1, poolThreadsMax) : 0
}
