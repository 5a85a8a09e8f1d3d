// Users and organizations in the form that several resources show.

import * as s from '../../base/schema/schema.ts'
import { roles } from '../../domain/access.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { OwnOrganization } from '../../services/orgs/orgs.ts'
import { languages } from '../../texts/languages.ts'
import { withTimes } from './times.ts'

export const UserOut = s.object({
  id: s.idOf('user'),
  email: s.anyText,
  emailVerifiedAt: s.nullable(s.isoTime),
  name: s.nullable(s.anyText),
  isSystemAdmin: s.flag,
  createdAt: s.isoTime,
  updatedAt: s.isoTime,
})

const pinnedMonitorsMax = 50
const orderedMonitorsMax = 1_000
const savedViewsMax = 50
const savedViewQueryCharsMax = 1_000

export const PreferencesOut = s.object({
  pinnedMonitorIds: s.described(
    s.listOf(s.idOf('monitor'), pinnedMonitorsMax),
    'Monitors that the console shows beside every page.',
  ),
  orderedMonitorIds: s.described(
    s.listOf(s.idOf('monitor'), orderedMonitorsMax),
    'Your own order of the monitors in the overview. Monitors that it does not name stand after these.',
  ),
  views: s.described(
    s.listOf(
      s.object({
        orgId: s.described(s.idOf('org'), 'The organization whose overview it shows.'),
        name: s.text({
          charsMin: 1,
          charsMax: limits.nameCharsMax,
          description: 'What the view is called.',
        }),
        query: s.text({
          charsMax: savedViewQueryCharsMax,
          description: 'The query of the address of the overview, such as `state=down&by=tag`.',
        }),
      }),
      savedViewsMax,
    ),
    'Views of the overview that have a name.',
  ),
})

export const userToWire = withTimes('emailVerifiedAt', 'createdAt', 'updatedAt')

export const organizationName = s.text({
  charsMin: 1,
  charsMax: limits.nameCharsMax,
  pattern: '\\S',
  rule: 'must not be blank',
})

/** How the people of an organization read what is written for them. */
export const organizationLocale = {
  language: s.described(
    { ...s.oneOf(languages), examples: ['de'] },
    'The language of alerts and of the page that they link to, as a BCP 47 code.',
  ),
  timezone: s.text({
    charsMin: 1,
    charsMax: limits.timezoneCharsMax,
    description: 'The time zone of times in alerts: a name of the IANA database.',
    example: 'Europe/Berlin',
  }),
}

export const OrganizationOut = s.revised({
  id: s.idOf('org'),
  name: s.text({ charsMax: limits.nameCharsMax }),
  ...organizationLocale,
  role: s.oneOf(roles),
  /** Switched off by the operator. */
  isDisabled: s.flag,
  createdAt: s.isoTime,
  updatedAt: s.isoTime,
})

const organizationTimes = withTimes('createdAt', 'updatedAt')

export const organizationToWire = (org: OwnOrganization) => ({
  ...organizationTimes(org),
  ...localeOf(org),
  isDisabled: org.isDisabled ?? false,
})
