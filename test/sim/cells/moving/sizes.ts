// The size of an organization in a story: checks of each monitor every minute, kept for a year.
import { bytesOf } from '../figures.ts'

export function sizeOf(monitors: number) {
  const readingsPerS = monitors / 60
  return { monitors, readingsPerS, bytes: bytesOf(monitors, readingsPerS, 365) }
}
