// Letters to the administrators of the service, each in the language of its reader.
import type { Letter } from '../../mail/letter.ts'
import type { Tx } from '../../store/engine/write.ts'
import { languageOf } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import type { Language } from '../../texts/languages.ts'
import type { Mailer } from '../mailer.ts'

export interface AdminLettersDeps {
  readonly store: Pick<Store, 'memberships' | 'orgs' | 'users'>
  readonly mailer: Mailer
}

/** Queues a letter to each administrator in the transaction of what it tells. */
export function writeToAdmins(
  tx: Tx,
  { store, mailer }: AdminLettersDeps,
  letterIn: (language: Language) => Letter,
): void {
  for (const admin of store.users.admins()) {
    mailer.enqueue(tx, admin.email, letterIn(languageOf(store, admin)))
  }
}
