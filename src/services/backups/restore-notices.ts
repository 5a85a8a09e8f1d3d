// Tells the operator, once, that the data was put back from a backup.
import { restoreNotice } from '../../domain/alerts/system-notice.ts'
import { noticeLetter } from '../../mail/letters/system-notice.ts'
import type { Store } from '../../store/store.ts'
import type { SystemNotices } from '../letters/system-notices.ts'
import type { Mailer } from '../mailer.ts'

export interface RestoreNoticesDeps {
  readonly store: Pick<Store, 'backupNotes' | 'users' | 'write'>
  readonly mailer: Mailer
  readonly systemNotices: Pick<SystemNotices, 'tell'>
  readonly baseUrl: string
}

/** Tells the operator at a start that the data was put back. */
export async function tellOfRestore(deps: RestoreNoticesDeps): Promise<void> {
  const { store, mailer, systemNotices, baseUrl } = deps
  const note = store.backupNotes.restored()
  if (!note || note.isTold) return
  const notice = restoreNotice(baseUrl, note)
  await store.write((tx) => {
    systemNotices.tell(tx, notice)
    for (const { email } of store.users.admins()) mailer.enqueue(tx, email, noticeLetter(notice))
    store.backupNotes.putRestored(tx, { ...note, isTold: true })
  })
}
