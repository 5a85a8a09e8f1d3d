// The picture of a page that social networks and chats show beside its title: the state as a symbol,
// and the last 90 days as bars. It has no text, which stands beside it.
import { type Palette, palettesOfLook } from '../../../base/colors.ts'
import type { OverallLevel, PageDocument, PublicDay, PublicPage } from '../../view/public-page.ts'
import { png } from './png.ts'

const pictureSize = { widthPx: 1200, heightPx: 630 } as const

/** Blends between two colours, for smooth edges. */
const blends = 16

const levelColors = {
  up: 'up',
  degraded: 'slow',
  down: 'down',
  maintenance: 'calm',
  unknown: 'none',
} as const satisfies Record<OverallLevel, keyof Palette>

const dayColors = ['up', 'slow', 'down', 'calm', 'bare'] as const satisfies (keyof Palette)[]
const [dayUp, daySlow, dayDown, dayMaintenance, dayUnknown] = [0, 1, 2, 3, 4]

type Point = readonly [x: number, y: number]
type Line = readonly [Point, Point]

/** The lines of each symbol, in a circle of radius 1 around the origin. */
const symbols: Readonly<Record<OverallLevel, readonly Line[]>> = {
  up: [
    [
      [-0.42, 0.04],
      [-0.12, 0.34],
    ],
    [
      [-0.12, 0.34],
      [0.44, -0.28],
    ],
  ],
  degraded: [
    [
      [0, -0.45],
      [0, 0.12],
    ],
    [
      [0, 0.44],
      [0, 0.44],
    ],
  ],
  down: [
    [
      [-0.34, -0.34],
      [0.34, 0.34],
    ],
    [
      [-0.34, 0.34],
      [0.34, -0.34],
    ],
  ],
  maintenance: [
    [
      [0, -0.48],
      [0, 0.02],
    ],
    [
      [0, 0.02],
      [0.32, 0.24],
    ],
  ],
  unknown: [
    [
      [-0.4, 0],
      [0.4, 0],
    ],
  ],
}

const disc = { centerX: 600, centerY: 240, radiusPx: 140, strokePx: 13 } as const
const stripePx = 14
const bars = { fromX: 105, topY: 460, heightPx: 96, stepPx: 11, widthPx: 8 } as const

export function pagePicture(view: PublicPage): PageDocument {
  const { widthPx, heightPx } = pictureSize
  const { level } = view.overall
  const pixels = new Uint8Array(widthPx * heightPx)
  const colors = palettesOfLook(view.look)[view.theme.mode === 'dark' ? 'dark' : 'light']
  const color = colors[levelColors[level]]
  // 0…16: from the paper to the colour; 17…33: from the colour to the symbol; the days; the stripe.
  const palette = [
    ...ramp(colors.paper, color),
    ...ramp(color, colors.card),
    ...dayColors.map((name) => colors[name]),
    view.theme.accent ?? color,
  ]
  const firstDayColor = 2 * (blends + 1)

  pixels.fill(palette.length - 1, 0, widthPx * stripePx)
  drawSymbol(pixels, symbols[level])
  for (const [index, state] of dayStates(view).entries()) {
    const left = bars.fromX + index * bars.stepPx
    for (let row = bars.topY; row < bars.topY + bars.heightPx; row += 1) {
      const start = row * widthPx + left
      pixels.fill(firstDayColor + state, start, start + bars.widthPx)
    }
  }
  return { contentType: 'image/png', body: png(widthPx, heightPx, pixels, palette) }
}

function ramp(from: string, to: string): string[] {
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return Array.from({ length: blends + 1 }, (_, step) => {
    const mixed = [1, 3, 5].map((at) => {
      const [start, end] = [channel(from, at), channel(to, at)]
      const value = Math.round(start + ((end - start) * step) / blends)
      return value.toString(16).padStart(2, '0')
    })
    return `#${mixed.join('')}`
  })
}

function drawSymbol(pixels: Uint8Array, lines: readonly Line[]): void {
  const { centerX, centerY, radiusPx, strokePx } = disc
  for (let y = -radiusPx - 1; y <= radiusPx + 1; y += 1) {
    for (let x = -radiusPx - 1; x <= radiusPx + 1; x += 1) {
      const covered = coverage(Math.hypot(x, y) - radiusPx)
      if (covered === 0) continue
      const away = Math.min(...lines.map((line) => distance([x, y], line, radiusPx)))
      const inked = coverage(away - strokePx)
      const step = inked > 0 ? blends + 1 + inked : covered
      pixels[(centerY + y) * pictureSize.widthPx + centerX + x] = step
    }
  }
}

/** How much of a pixel lies within an edge that is so far away, in blends. */
function coverage(outsidePx: number): number {
  return Math.round(Math.min(1, Math.max(0, 0.5 - outsidePx)) * blends)
}

function distance([x, y]: Point, [[ax, ay], [bx, by]]: Line, scale: number): number {
  const [fromX, fromY] = [ax * scale, ay * scale]
  const [alongX, alongY] = [bx * scale - fromX, by * scale - fromY]
  const squared = alongX ** 2 + alongY ** 2
  const share = squared === 0 ? 0 : ((x - fromX) * alongX + (y - fromY) * alongY) / squared
  const nearest = Math.min(1, Math.max(0, share))
  return Math.hypot(x - fromX - nearest * alongX, y - fromY - nearest * alongY)
}

/** A day of all monitors together is bad if a percent of their time was lost. */
const badShare = 0.99

function dayStates({ monitors, showHistory }: PublicPage): number[] {
  const histories = showHistory ? (monitors ?? []).map(({ days }) => days) : []
  const count = Math.max(0, ...histories.map((days) => days.length))
  return Array.from({ length: count }, (_, index) =>
    dayState(histories.flatMap((days) => days[index] ?? [])),
  )
}

function dayState(days: readonly PublicDay[]): number {
  const shares = days.flatMap(({ upRatio }) => upRatio ?? [])
  const known = shares.reduce((sum, share) => sum + share, 0) / shares.length
  if (known < badShare) return dayDown
  if (days.some(({ downMs, degradedMs }) => downMs + degradedMs > 0)) return daySlow
  if (days.some(({ maintenanceMs }) => maintenanceMs > 0)) return dayMaintenance
  return shares.length > 0 ? dayUp : dayUnknown
}
