// All services by name, as HTTP handlers receive them; one line per service.

import type { AlertPaths } from '../../services/alerts/alert-paths.ts'
import type { AlertViews } from '../../services/alerts/alert-views.ts'
import type { Channels } from '../../services/alerts/channels.ts'
import type { Unsubscribes } from '../../services/alerts/unsubscribes.ts'
import type { AuditLog } from '../../services/audit/audit-log.ts'
import type { Audit } from '../../services/audit.ts'
import type { OperatorBackups } from '../../services/backups/operator-backups.ts'
import type { Histories } from '../../services/checks/histories.ts'
import type { PrivateAnswers } from '../../services/checks/private-answers.ts'
import type { Readings } from '../../services/checks/readings.ts'
import type { Simulations } from '../../services/checks/simulations.ts'
import type { Identity } from '../../services/identity.ts'
import type { Kyc } from '../../services/identity-verification/kyc.ts'
import type { KycCallbacks } from '../../services/identity-verification/kyc-callback.ts'
import type { KycKeeping } from '../../services/identity-verification/kyc-cases.ts'
import type { KycReview } from '../../services/identity-verification/kyc-review.ts'
import type { Explanations } from '../../services/incidents/explanations.ts'
import type { Incidents } from '../../services/incidents/incidents.ts'
import type { Events } from '../../services/live-events/events.ts'
import type { Windows } from '../../services/maintenance/windows.ts'
import type { MonitorBulk } from '../../services/monitors/monitor-bulk.ts'
import type { MonitorOverviews } from '../../services/monitors/monitor-overviews.ts'
import type { Trials } from '../../services/monitors/monitor-trial.ts'
import type { Monitors } from '../../services/monitors/monitors.ts'
import type { Push } from '../../services/monitors/push.ts'
import type { Runs } from '../../services/monitors/runs.ts'
import type { Conversions } from '../../services/orgs/conversions.ts'
import type { Departures } from '../../services/orgs/departures.ts'
import type { Invites } from '../../services/orgs/invites.ts'
import type { KeyRights } from '../../services/orgs/key-rights.ts'
import type { Keys, KeyWarnings } from '../../services/orgs/keys.ts'
import type { Members } from '../../services/orgs/members.ts'
import type { Orgs } from '../../services/orgs/orgs.ts'
import type { Overviews } from '../../services/orgs/overviews.ts'
import type { Portability } from '../../services/orgs/portability.ts'
import type { Summaries } from '../../services/orgs/summaries.ts'
import type { CustomDomains } from '../../services/pages/custom-domains.ts'
import type { PageLocks } from '../../services/pages/page-locks.ts'
import type { PageStreams } from '../../services/pages/page-streams.ts'
import type { Pages } from '../../services/pages/pages.ts'
import type { PublicPages } from '../../services/pages/public-pages.ts'
import type { Emails } from '../../services/people/emails.ts'
import type { Factors } from '../../services/people/factors.ts'
import type { Profile } from '../../services/people/profile.ts'
import type { Referrals } from '../../services/people/referrals.ts'
import type { Sessions } from '../../services/people/sessions.ts'
import type { Replays } from '../../services/replays.ts'
import type { Objectives } from '../../services/reports/objectives.ts'
import type { ReportKeys } from '../../services/reports/report-keys.ts'
import type { Reports } from '../../services/reports/reports.ts'
import type { Devices } from '../../services/sign-in/devices.ts'
import type { Entrance } from '../../services/sign-in/entrance.ts'
import type { MagicLinks } from '../../services/sign-in/magic-links.ts'
import type { Oidc } from '../../services/sign-in/oidc.ts'
import type { OwnPassword } from '../../services/sign-in/own-password.ts'
import type { People } from '../../services/sign-in/people.ts'
import type { Reauthentication } from '../../services/sign-in/reauthentication.ts'
import type { Subscribers } from '../../services/subscribers/subscribers.ts'
import type { Subscriptions } from '../../services/subscribers/subscriptions.ts'
import type { ErrorReports } from '../../services/system/error-reports.ts'
import type { HostCertificates } from '../../services/system/host-certificates.ts'
import type { LocalOperator } from '../../services/system/local-operator.ts'
import type { NoticeChannels } from '../../services/system/notice-channels.ts'
import type { Operator } from '../../services/system/operator.ts'
import type { SystemInfo } from '../../services/system/system-info.ts'
import type { SystemTasks } from '../../services/system/system-tasks.ts'

export interface Services {
  readonly identity: Identity
  readonly audit: Pick<Audit, 'refused' | 'signInFailed'>
  readonly auditLog: AuditLog
  readonly errorReports: ErrorReports
  readonly systemTasks: SystemTasks
  readonly operatorBackups: OperatorBackups
  readonly hostCertificates: Pick<HostCertificates, 'list'>
  readonly noticeChannels: NoticeChannels
  readonly systemInfo: () => Promise<SystemInfo>
  readonly alertPaths: AlertPaths
  readonly events: Events
  readonly entrance: Entrance
  readonly people: People
  readonly sessions: Sessions
  readonly devices: Devices
  readonly emails: Emails
  readonly ownPassword: OwnPassword
  readonly reauthentication: Reauthentication
  readonly factors: Factors
  readonly oidc: Oidc
  readonly magicLinks: MagicLinks
  readonly profile: Profile
  readonly referrals: Referrals
  readonly orgs: Orgs
  readonly summaries: Summaries
  readonly overviews: Overviews
  readonly portability: Portability
  readonly conversions: Conversions
  readonly departures: Departures
  readonly operator: Operator
  readonly localOperator: LocalOperator
  readonly keys: Keys
  readonly keyRights: KeyRights
  readonly keyWarnings: KeyWarnings
  readonly members: Members
  readonly invites: Invites
  readonly kyc: Kyc
  readonly kycReview: KycReview
  readonly kycCallbacks: KycCallbacks
  readonly kycKeeping: KycKeeping
  readonly monitors: Monitors
  readonly monitorOverviews: MonitorOverviews
  readonly monitorBulk: MonitorBulk
  readonly trials: Trials
  readonly push: Push
  readonly runs: Runs
  readonly readings: Readings
  readonly histories: Histories
  readonly privateAnswers: PrivateAnswers
  readonly simulations: Simulations
  readonly reports: Reports
  readonly objectives: Pick<Objectives, 'of'>
  readonly reportKeys: Pick<ReportKeys, 'published'>
  readonly incidents: Incidents
  readonly explanations: Explanations
  readonly maintenance: Windows
  readonly channels: Channels
  readonly alertViews: AlertViews
  readonly unsubscribes: Unsubscribes
  readonly pages: Pages
  readonly customDomains: CustomDomains
  readonly publicPages: PublicPages
  readonly pageStreams: PageStreams
  readonly subscribers: Subscribers
  readonly subscriptions: Subscriptions
  readonly pageLocks: PageLocks
  readonly replays: Replays
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
}
