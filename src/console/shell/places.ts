// The places of the console: the address of each, and who may go there.
import {
  Bell,
  CalendarClock,
  Globe,
  type IconNode,
  LayoutGrid,
  MapPin,
  ServerCog,
  Siren,
  Users,
} from 'lucide'
import { isOperator, organization, type Role } from '../stores/session.ts'
import type { words } from '../words/words.ts'

export type PlaceName = Exclude<keyof (typeof words.value)['shell']['places'], 'profile'>

export const placeIcons: Readonly<Record<PlaceName, IconNode>> = {
  overview: LayoutGrid,
  incidents: Siren,
  maintenance: CalendarClock,
  locations: MapPin,
  channels: Bell,
  pages: Globe,
  people: Users,
  system: ServerCog,
}

interface Place {
  readonly name: PlaceName
  readonly href: string
  /** Default: every member of an organization. */
  readonly needs?: Role | 'operator'
}

const places: readonly Place[] = [
  { name: 'overview', href: '/app' },
  { name: 'incidents', href: '/app/incidents' },
  { name: 'maintenance', href: '/app/maintenance' },
  { name: 'locations', href: '/app/locations' },
  { name: 'channels', href: '/app/channels' },
  { name: 'pages', href: '/app/pages' },
  { name: 'people', href: '/app/people' },
  { name: 'system', href: '/app/system', needs: 'operator' },
]

/** The places that the person may see. */
export function openPlaces(): readonly Place[] {
  return places.filter(({ needs }) => {
    if (needs === 'operator') return isOperator.value
    return organization.value !== undefined
  })
}

/** Some pages are for people who are in none. */
export const needsOrganization = (path: string) =>
  !/^\/app\/(setup|profile|system|organizations)\b/.test(path)
