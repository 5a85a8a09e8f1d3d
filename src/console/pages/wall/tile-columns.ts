// How many tiles stand side by side on the wall, so that all of them fit the screen.

/** In CSS pixels: a tile as people like to read it, and the least of one. */
const usualWide = 208
const leastWide = 72
const leastHigh = 34
const gap = 6

export interface TileFrame {
  readonly count: number
  readonly widthPx: number
  readonly heightPx: number
}

/** 0: not known yet. As few as let all rows fit; if none does, the most that can be read. */
export function tileColumns({ count, widthPx, heightPx }: TileFrame): number {
  if (count === 0 || widthPx === 0) return 0
  const most = Math.max(1, Math.floor((widthPx + gap) / (leastWide + gap)))
  const usual = Math.max(1, Math.floor((widthPx + gap) / (usualWide + gap)))
  for (let columns = usual; columns < most; columns += 1) {
    const rows = Math.ceil(count / columns)
    if (rows * (leastHigh + gap) - gap <= heightPx) return columns
  }
  return most
}
