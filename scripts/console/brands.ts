// The signs of the services that channels send to, and of those that people sign in with: out of
// simple-icons (CC0).
import * as simpleIcons from 'simple-icons'
import { channelTypes } from '../../src/channels/registry.ts'
import { knownProviders } from '../../src/domain/sign-in/oidc.ts'

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

const icons = Object.values(simpleIcons).filter((one) => 'slug' in one)
const known = new Map(icons.map((icon) => [icon.slug, icon]))

/** By brand, for the buttons of providers at the sign-in. */
export function providerSigns(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    knownProviders.map((brand) => {
      const icon = known.get(brand)
      if (!icon) throw new Error(`simple-icons has no ${brand}`)
      return [brand, icon.path]
    }),
  )
}

/** By type of channel. */
export function brands(): Readonly<Record<string, Brand>> {
  return Object.fromEntries(
    channelTypes.flatMap((type) => {
      const icon = known.get(otherNames[type] ?? type)
      if (icon) return [[type, { path: icon.path, color: `#${icon.hex.toLowerCase()}` }]]
      const color = ownColors[type]
      return color === undefined ? [] : [[type, { color }]]
    }),
  )
}
