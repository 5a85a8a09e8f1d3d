// Everything a caller may ask for, by name: what HTTP handlers are given, a line a service.
import type { Audit } from './audit.ts'
import type { AuditLog } from './audit-log.ts'
import type { Channels } from './channels.ts'
import type { Departures } from './departures.ts'
import type { Devices } from './devices.ts'
import type { Emails } from './emails.ts'
import type { ErrorReports } from './error-reports.ts'
import type { Events } from './events.ts'
import type { Factors } from './factors.ts'
import type { Identity } from './identity.ts'
import type { Incidents } from './incidents.ts'
import type { Invites } from './invites.ts'
import type { KeyWarnings } from './key-warnings.ts'
import type { Keys } from './keys.ts'
import type { Kyc } from './kyc.ts'
import type { KycCallbacks } from './kyc-callback.ts'
import type { KycKeeping } from './kyc-keeping.ts'
import type { KycReview } from './kyc-review.ts'
import type { MagicLinks } from './magic-links.ts'
import type { Members } from './members.ts'
import type { MonitorBulk } from './monitor-bulk.ts'
import type { Trials } from './monitor-trial.ts'
import type { Monitors } from './monitors.ts'
import type { Oidc } from './oidc.ts'
import type { Operator } from './operator.ts'
import type { Orgs } from './orgs.ts'
import type { OwnPassword } from './own-password.ts'
import type { Pages } from './pages.ts'
import type { People } from './people.ts'
import type { Portability } from './portability.ts'
import type { Profile } from './profile.ts'
import type { PublicPages } from './public-pages.ts'
import type { Push } from './push.ts'
import type { Readings } from './readings.ts'
import type { Reauthentication } from './reauthentication.ts'
import type { Referrals } from './referrals.ts'
import type { Replays } from './replays.ts'
import type { Sessions } from './sessions.ts'
import type { Summaries } from './summaries.ts'
import type { SystemInfo } from './system-info.ts'
import type { SystemTasks } from './system-tasks.ts'

export interface Services {
  readonly identity: Identity
  readonly audit: Pick<Audit, 'refused' | 'signInFailed'>
  readonly auditLog: AuditLog
  readonly errorReports: ErrorReports
  readonly systemTasks: SystemTasks
  readonly systemInfo: () => Promise<SystemInfo>
  readonly events: Events
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
  readonly portability: Portability
  readonly departures: Departures
  readonly operator: Operator
  readonly keys: Keys
  readonly keyWarnings: KeyWarnings
  readonly members: Members
  readonly invites: Invites
  readonly kyc: Kyc
  readonly kycReview: KycReview
  readonly kycCallbacks: KycCallbacks
  readonly kycKeeping: KycKeeping
  readonly monitors: Monitors
  readonly monitorBulk: MonitorBulk
  readonly trials: Trials
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
