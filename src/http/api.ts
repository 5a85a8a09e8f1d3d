// The API's table of contents: every resource below /api/v1.
import { alertChannels } from './api/alert-channels.ts'
import { apiKeys } from './api/api-keys.ts'
import { auth } from './api/auth.ts'
import { incidents } from './api/incidents.ts'
import { monitors } from './api/monitors.ts'
import { orgs } from './api/orgs.ts'
import { statusPages } from './api/status-pages.ts'
import { atPrefix, type Route } from './route.ts'

const apiPrefix = '/api/v1'

export const apiRoutes: readonly Route[] = atPrefix(apiPrefix, [
  ...auth,
  ...orgs,
  ...apiKeys,
  ...monitors,
  ...incidents,
  ...alertChannels,
  ...statusPages,
])
