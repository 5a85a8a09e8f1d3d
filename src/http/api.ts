// The API's table of contents: every resource below /api/v1.
import { alertChannels } from './api/alert-channels.ts'
import { apiKeys } from './api/api-keys.ts'
import { auditLog } from './api/audit-log.ts'
import { auth } from './api/auth.ts'
import { authEmail } from './api/auth-email.ts'
import { authPassword } from './api/auth-password.ts'
import { authSessions } from './api/auth-sessions.ts'
import { events } from './api/events.ts'
import { identityKyc } from './api/identity-kyc.ts'
import { incidents } from './api/incidents.ts'
import { inviteTokens } from './api/invite-tokens.ts'
import { invites } from './api/invites.ts'
import { magicLink } from './api/magic-link.ts'
import { members, transfer } from './api/members.ts'
import { monitors } from './api/monitors.ts'
import { monitorsBulk } from './api/monitors-bulk.ts'
import { oidc } from './api/oidc.ts'
import { orgs } from './api/orgs.ts'
import { portability } from './api/portability.ts'
import { statusPages } from './api/status-pages.ts'
import { summary } from './api/summary.ts'
import { system } from './api/system.ts'
import { systemErrors } from './api/system-errors.ts'
import { systemKyc } from './api/system-kyc.ts'
import { systemOrgs } from './api/system-orgs.ts'
import { systemTasks } from './api/system-tasks.ts'
import { systemUsers } from './api/system-users.ts'
import { totp } from './api/totp.ts'
import { user } from './api/user.ts'
import { userRemoval } from './api/user-removal.ts'
import { atPrefix, type Route } from './route.ts'

const apiPrefix = '/api/v1'

export const apiRoutes: readonly Route[] = atPrefix(apiPrefix, [
  ...auth,
  ...authSessions,
  ...authPassword,
  ...authEmail,
  ...totp,
  ...oidc,
  ...magicLink,
  ...user,
  ...userRemoval,
  ...orgs,
  ...summary,
  ...portability,
  ...members,
  ...transfer,
  ...invites,
  ...inviteTokens,
  ...apiKeys,
  ...auditLog,
  ...monitors,
  ...monitorsBulk,
  ...incidents,
  ...events,
  ...alertChannels,
  ...statusPages,
  ...identityKyc,
  ...systemKyc,
  ...system,
  ...systemErrors,
  ...systemTasks,
  ...systemUsers,
  ...systemOrgs,
])
