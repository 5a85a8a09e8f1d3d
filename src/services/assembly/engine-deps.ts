// What the parts of the assembly have in common: the core, the settings, and what all of them start with.
import type { RunningClock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { Stack } from '../../base/stack.ts'
import type { Live } from '../../config/live.ts'
import type { FixedSettings, Settings } from '../../config/settings.ts'
import type { AlertLinks } from '../../seal/id-token.ts'
import type { SubscriptionLinks } from '../../seal/subscription-link.ts'
import type { UnsubscribeLinks } from '../../seal/unsubscribe-link.ts'
import type { Core } from '../core.ts'
import type { Events } from '../live-events/events.ts'
import type { Mail } from './mail.ts'

export interface EngineDeps extends Core {
  readonly clock: RunningClock
  /** As at the start. */
  readonly settings: FixedSettings
  /** The settings that a reload changes. */
  readonly live: Live
  readonly listen: Settings['http']['listen']
  readonly metrics: Metrics
  readonly alertLinks: AlertLinks
  readonly unsubscribeLinks: UnsubscribeLinks
  readonly subscriptionLinks: SubscriptionLinks
  /** The version of the program. */
  readonly version: string
  readonly stack: Stack
  readonly events: Events
  readonly mail: Mail
}
