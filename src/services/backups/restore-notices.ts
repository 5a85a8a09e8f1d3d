// Tells the operator, once, that the data was put back from a backup.
import { restoreNotice } from '../../domain/alerts/system-notice.ts'
import { defaultLocale } from '../../domain/language.ts'
import { noticeLetter } from '../../mail/letters/system-notice.ts'
import type { Store } from '../../store/store.ts'
import { writeToAdmins } from '../letters/admin-letters.ts'
import type { SystemNotices } from '../letters/system-notices.ts'
import type { Mailer } from '../mailer.ts'

export interface RestoreNoticesDeps {
  readonly store: Pick<Store, 'backupNotes' | 'memberships' | 'orgs' | 'users' | 'write'>
  readonly mailer: Mailer
  readonly systemNotices: Pick<SystemNotices, 'tell'>
  readonly baseUrl: string
}

/** Tells the operator at a start that the data was put back. */
export async function tellOfRestore(deps: RestoreNoticesDeps): Promise<void> {
  const { store, mailer, systemNotices, baseUrl } = deps
  const note = store.backupNotes.restored()
  if (!note || note.isTold) return
  await store.write((tx) => {
    systemNotices.tell(tx, restoreNotice(baseUrl, note, defaultLocale.language))
    writeToAdmins(tx, { store, mailer }, (language) =>
      noticeLetter(restoreNotice(baseUrl, note, language), language),
    )
    store.backupNotes.putRestored(tx, { ...note, isTold: true })
  })
}
