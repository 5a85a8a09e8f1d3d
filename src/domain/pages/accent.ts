// The accent of a page as a colour that can be read: its lightness gives way, its hue stays.

type Rgb = readonly [red: number, green: number, blue: number]

/** WCAG 2.2, 1.4.3: text. */
export const textContrastMin = 4.5

function rgbOf(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** WCAG 2.2 relative luminance of `#rrggbb`. */
function luminance(hex: string): number {
  const linear = (part: number) =>
    part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  const [red, green, blue] = rgbOf(hex)
  return 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255)
}

/** WCAG 2.2 contrast of two colours, `#rrggbb`: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const a = luminance(one)
  const b = luminance(other)
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** A part of the way to black or white. */
function mixed(hex: string, end: number, share: number): string {
  const [red, green, blue] = rgbOf(hex)
  const mix = (part: number) => part + (end - part) * share
  return hexOf([mix(red), mix(green), mix(blue)])
}

const steps = 50

/**
 * The colour nearest to the accent that text may have on each of the grounds: as it is, or darker on
 * light grounds and lighter on dark ones.
 */
export function readableAccent(accent: string, grounds: readonly string[]): string {
  const least = (color: string) => Math.min(...grounds.map((ground) => contrast(color, ground)))
  const end = least('#000000') > least('#ffffff') ? 0 : 255
  for (let step = 0; step < steps; step += 1) {
    const color = mixed(accent, end, step / steps)
    if (least(color) >= textContrastMin) return color
  }
  return end === 0 ? '#000000' : '#ffffff'
}

/** The colour of text on the accent itself: black or white, because one of them is always readable. */
export function inkOn(accent: string): '#000000' | '#ffffff' {
  return contrast(accent, '#ffffff') >= contrast(accent, '#000000') ? '#ffffff' : '#000000'
}
