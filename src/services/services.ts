// Everything a caller may ask for, by name: what HTTP handlers are given, a line a service.
import type { Channels } from './channels.ts'
import type { Identity } from './identity.ts'
import type { Incidents } from './incidents.ts'
import type { Keys } from './keys.ts'
import type { Monitors } from './monitors.ts'
import type { Orgs } from './orgs.ts'
import type { Pages } from './pages.ts'
import type { People } from './people.ts'
import type { PublicPages } from './public-pages.ts'
import type { Push } from './push.ts'
import type { Readings } from './readings.ts'
import type { Replays } from './replays.ts'

export interface Services {
  readonly identity: Identity
  readonly people: People
  readonly orgs: Orgs
  readonly keys: Keys
  readonly monitors: Monitors
  readonly push: Push
  readonly readings: Readings
  readonly incidents: Incidents
  readonly channels: Channels
  readonly pages: Pages
  readonly publicPages: PublicPages
  readonly replays: Replays
  /** Where the service is reached from outside, without a slash at the end. */
  readonly baseUrl: string
}
