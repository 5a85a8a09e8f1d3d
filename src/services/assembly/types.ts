// Types of the wiring: the inputs of its parts, and the engine.

import type { Enqueue } from '../../actors/alerts/enqueue.ts'
import type { Outbox } from '../../actors/alerts/outbox.ts'
import type { LetterQueue } from '../../actors/letters/letter-queue.ts'
import type { Commit } from '../../actors/monitor/commit.ts'
import type { Fleet } from '../../actors/monitor/fleet.ts'
import type { FoundMemory } from '../../actors/monitor/found-memory.ts'
import type { Observer } from '../../actors/observer.ts'
import type { OrgSwitch } from '../../actors/org-switch.ts'
import type { MessageQueue } from '../../actors/subscribers/message-queue.ts'
import type { SubscriptionUrls } from '../../actors/subscribers/subscriber-letters.ts'
import type { Janitor } from '../../actors/tasks/janitor.ts'
import type { OutgoingHeartbeatState } from '../../actors/tasks/outgoing-heartbeat.ts'
import type { Reconciler } from '../../actors/tasks/reconciler.ts'
import type { CheckStarts } from '../../actors/watch-checks.ts'
import type { RunningClock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { Stack } from '../../base/stack.ts'
import type { SendAlertLetter } from '../../channels/model/letter.ts'
import type { Sender } from '../../channels/sender.ts'
import type { Live } from '../../config/live.ts'
import type { FixedSettings, Settings } from '../../config/settings.ts'
import type { Subscriber } from '../../domain/subscribers/subscriber.ts'
import type { Resolver } from '../../net/dns/resolver.ts'
import type { Guard } from '../../net/egress-policy.ts'
import type { WebClient } from '../../net/http-client/guarded-client.ts'
import type { TargetRules } from '../../probes/targets.ts'
import type { AlertLinks } from '../../seal/alert-link.ts'
import type { SubscriptionLinks } from '../../seal/subscription-link.ts'
import type { UnsubscribeLinks } from '../../seal/unsubscribe-link.ts'
import type { Core } from '../core.ts'
import type { SystemNotices } from '../letters/system-notices.ts'
import type { Events } from '../live-events/events.ts'
import type { EnumerationSafeMailer, Mailer } from '../mailer.ts'
import type { CheckTools } from '../monitors/check-tools.ts'
import type { PageUrls } from '../pages/page-urls.ts'
import type { PublicPages } from '../pages/public-pages.ts'

export interface Mail extends Pick<LetterQueue, 'start' | 'stop'> {
  readonly mailer: Mailer
  readonly enumerationSafeMailer: EnumerationSafeMailer
  /** Refuses while there is no mail server: an alert in a file would tell nobody. */
  readonly sendAlertLetter: SendAlertLetter
  /** The letters to subscribers of status pages that wait for a connection. */
  bulkWaiting(): number
  /** Closes the connections; after `stop`, and after the alerts that are being sent. */
  close(): void
}

export interface EngineDeps extends Core {
  readonly core: Core
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

export interface Engine {
  readonly guard: Guard
  readonly resolver: Resolver
  /** What is wrong with a URL as the target of a check of this kind. */
  readonly judgeTarget: TargetRules['judgeUrl']
  readonly observer: Observer
  /** How checks are made, for trials without a monitor. */
  readonly looking: CheckTools
  readonly sender: Sender
  /** The guarded HTTP client for messages. */
  readonly request: WebClient
  /** Reads the authorities that checks trust again. */
  readonly readAuthorities: () => void
  readonly enqueue: Enqueue
  readonly commit: Commit
  readonly fleet: Fleet
  readonly found: FoundMemory
  readonly outbox: Outbox
  readonly orgSwitch: OrgSwitch
  readonly janitor: Janitor
  readonly reconciler: Reconciler
  readonly publicPages: PublicPages
  readonly pageUrls: PageUrls
  readonly subscriberMessages: MessageQueue
  readonly subscriptionUrls: (subscriber: Subscriber) => SubscriptionUrls
  readonly systemNotices: SystemNotices
  /** The state of the outgoing heartbeat; null without one. */
  heartbeatState(): OutgoingHeartbeatState | null
  /** Sends everything pending that is not being sent yet. */
  takeUpOwed(): void
  /** Starts every monitor and all pending work; resolves when all run. */
  load(): Promise<void>
  isReady(): boolean
  /** Since the start. */
  checkStarts(): CheckStarts
}
