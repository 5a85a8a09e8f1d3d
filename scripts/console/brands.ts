// The signs of the services that channels send to: out of simple-icons (CC0), as the console needs them.
import * as simpleIcons from 'simple-icons'
import { channelTypes } from '../../src/channels/registry.ts'

export interface Brand {
  /** The data of a path in a square of 24; none where the owner of the sign wants it in no collection. */
  readonly path?: string
  /** The colour of the brand, `#rrggbb`. */
  readonly color: string
}

/** Types of channels that are named otherwise than their brand. */
const otherNames: Readonly<Record<string, string>> = {
  alertmanager: 'prometheus',
  rocketchat: 'rocketdotchat',
  wecom: 'wechat',
}

/** Brands that are in no collection. */
const ownColors: Readonly<Record<string, string>> = {
  dingtalk: '#1677ff',
  feishu: '#3370ff',
  gotify: '#1f78b4',
  pushover: '#2490e3',
  slack: '#4a154b',
  // Its sign is a word, which nobody could read.
  'splunk-oncall': '#0b7a3b',
  teams: '#5059c9',
  twilio: '#d92e42',
}

/** By type of channel. */
export function brands(): Readonly<Record<string, Brand>> {
  const all = Object.values(simpleIcons).filter((one) => 'slug' in one)
  const known = new Map(all.map((icon) => [icon.slug, icon]))
  return Object.fromEntries(
    channelTypes.flatMap((type) => {
      const icon = known.get(otherNames[type] ?? type)
      if (icon) return [[type, { path: icon.path, color: `#${icon.hex.toLowerCase()}` }]]
      const color = ownColors[type]
      return color === undefined ? [] : [[type, { color }]]
    }),
  )
}
