// The index of the API: every resource below /api/v1.
import { atPrefix, type Route } from '../routing/route.ts'
import { alertChannels, alertDeliveries, channelItem } from './alerts/alert-channels.ts'
import { alertPaths } from './alerts/alert-paths.ts'
import { auditLog } from './audit/audit-log.ts'
import { identityKyc, kycCallback } from './identity-verification/identity-kyc.ts'
import { systemKyc } from './identity-verification/system-kyc.ts'
import { explain } from './incidents/explain.ts'
import { incidents, monitorIncidents } from './incidents/incidents.ts'
import { templateItem, templates } from './incidents/templates.ts'
import { events } from './live-events/events.ts'
import { locationItem } from './locations/location-schemas.ts'
import { locations, sharedLocations } from './locations/locations.ts'
import { maintenanceWindows, windowItem } from './maintenance/windows.ts'
import { history } from './monitors/history.ts'
import { monitorItem } from './monitors/monitor-input-schemas.ts'
import { monitorPlaces } from './monitors/monitor-places.ts'
import { monitors } from './monitors/monitors.ts'
import { monitorsBulk } from './monitors/monitors-bulk.ts'
import { overview } from './monitors/overview.ts'
import { push } from './monitors/push.ts'
import { monitorRuns } from './monitors/runs.ts'
import { scriptConversion } from './monitors/script-conversion.ts'
import { simulate } from './monitors/simulate.ts'
import { stepsConversion } from './monitors/steps-conversion.ts'
import { activity } from './orgs/activity.ts'
import { apiKeys } from './orgs/api-keys.ts'
import { imports } from './orgs/imports.ts'
import { inviteTokens } from './orgs/invite-tokens.ts'
import { invites } from './orgs/invites.ts'
import { members, transfer } from './orgs/members.ts'
import { orgs } from './orgs/orgs.ts'
import { pingKeys } from './orgs/ping-keys.ts'
import { orgDocuments, portability } from './orgs/portability.ts'
import { shadow } from './orgs/shadow.ts'
import { summary } from './orgs/summary.ts'
import { uploads } from './orgs/uploads.ts'
import { wholeHistory } from './orgs/whole-history.ts'
import { customDomains } from './pages/custom-domains.ts'
import { pageItem, statusPages } from './pages/status-pages.ts'
import { user } from './people/user.ts'
import { reports } from './reports/reports.ts'
import { slo } from './reports/slo.ts'
import { secretItem, secrets } from './secrets/secrets.ts'
import { auth } from './sign-in/auth.ts'
import { authEmail } from './sign-in/auth-email.ts'
import { authPassword } from './sign-in/auth-password.ts'
import { magicLink } from './sign-in/magic-link.ts'
import { oidc } from './sign-in/oidc.ts'
import { passkeys } from './sign-in/passkeys.ts'
import { totp } from './sign-in/totp.ts'
import { subscriberImports, subscriberRoutes } from './subscribers/subscribers.ts'
import { backups } from './system/backups.ts'
import { systemCondition } from './system/condition.ts'
import { settings } from './system/settings.ts'
import { system } from './system/system.ts'

const apiPrefix = '/api/v1'

/** The documents that organizations are exported to and imported from. */
export const documents = orgDocuments({
  channels: channelItem,
  locations: locationItem,
  secrets: secretItem,
  monitors: monitorItem,
  statusPages: pageItem,
  maintenance: windowItem,
  templates: templateItem,
})

export const apiRoutes: readonly Route[] = atPrefix(apiPrefix, [
  ...auth,
  ...authPassword,
  ...authEmail,
  ...totp,
  ...passkeys,
  ...oidc,
  ...magicLink,
  ...user,
  ...orgs,
  ...summary,
  ...activity,
  ...portability(documents),
  ...wholeHistory,
  ...imports,
  ...uploads,
  ...shadow,
  ...members,
  ...transfer,
  ...invites,
  ...inviteTokens,
  ...apiKeys,
  ...auditLog,
  ...monitors,
  ...monitorsBulk,
  ...overview,
  ...monitorRuns,
  ...history,
  ...monitorPlaces,
  ...simulate,
  ...stepsConversion,
  ...scriptConversion,
  ...reports,
  ...slo,
  ...alertPaths,
  ...incidents,
  ...explain,
  ...monitorIncidents,
  ...maintenanceWindows,
  ...templates,
  ...locations,
  ...events,
  ...alertChannels,
  ...alertDeliveries,
  ...statusPages,
  ...customDomains,
  ...subscriberRoutes,
  ...subscriberImports,
  ...identityKyc,
  ...systemKyc,
  ...system,
  ...systemCondition,
  ...sharedLocations,
  ...settings,
  ...backups,
  ...secrets,
  ...push,
  ...kycCallback,
  ...pingKeys,
])
