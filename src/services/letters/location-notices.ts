// Tells the people who answer for a location that it is silent, and that it is heard again: the owners and
// administrators of its organization, or for one that all share, the administrators of the service.
import type { Silence } from '../../actors/locations/presence.ts'
import type { Clock } from '../../base/clock.ts'
import { reaches } from '../../domain/access.ts'
import { defaultLocale, localeOf } from '../../domain/language.ts'
import { sharedOwner } from '../../domain/locations/location.ts'
import { locationLetter, locationNews } from '../../mail/letters/location-trouble.ts'
import { activePeople } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import type { Mailer } from '../mailer.ts'
import { writeToAdmins } from './admin-letters.ts'
import type { SystemNotices } from './system-notices.ts'

export interface LocationNoticesDeps {
  readonly clock: Pick<Clock, 'nowMs'>
  readonly store: Pick<Store, 'locations' | 'memberships' | 'orgs' | 'probes' | 'users' | 'write'>
  readonly mailer: Mailer
  readonly systemNotices: Pick<SystemNotices, 'tell'>
  readonly baseUrl: string
}

export function createLocationNotices(deps: LocationNoticesDeps) {
  const { clock, store, mailer, systemNotices, baseUrl } = deps
  return {
    /** Resolves once queued, and noted: after a restart nobody hears the same again. */
    async tell({ orgId, locationId, fromMs }: Silence, isOver: boolean): Promise<void> {
      const isShared = orgId === sharedOwner
      const org = isShared ? undefined : store.orgs.readable(orgId)
      const trouble = {
        baseUrl,
        location: store.locations.readable(orgId, locationId)?.name ?? locationId,
        orgName: isShared ? null : (org?.name ?? orgId),
        silentSinceMs: fromMs,
        isOver,
      }
      const told = isOver ? null : { fromMs, toldAtMs: clock.nowMs() }
      await store.write((tx) => {
        store.probes.noteSilence(tx, orgId, locationId, told)
        if (isShared) {
          writeToAdmins(tx, { store, mailer }, (language) => locationLetter(trouble, language))
          const { subject: title, paragraphs } = locationNews(trouble, defaultLocale.language)
          systemNotices.tell(tx, { kind: 'location', title, text: paragraphs.join(' '), isOver })
          return
        }
        const letter = locationLetter(trouble, localeOf(org).language)
        const responsible = activePeople(store, orgId, (role) => reaches(role, 'admin'))
        for (const { email } of responsible) mailer.enqueue(tx, email, letter)
      })
    },
  }
}
