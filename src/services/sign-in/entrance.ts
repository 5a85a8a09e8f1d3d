// What the pages at the entrance must know: who may register, and how letters reach people.

import type { Core } from '../core.ts'
import type { RegistrationMode } from './registration.ts'

export interface EntranceDeps {
  readonly registration: () => RegistrationMode
  /** False: letters are files that only the operator can read. */
  readonly hasMailServer: () => boolean
}

export function createEntrance({ store }: Core, { registration, hasMailServer }: EntranceDeps) {
  return {
    hasMailServer,
    /** No account exists yet. */
    isNew: () => store.users.isEmpty(),
    /** Who may create an account: anyone, the holder of the setup token, or only invited people. */
    mayRegister(): 'anyone' | 'setup' | 'invited' {
      if (registration() === 'open') return 'anyone'
      return store.users.isEmpty() ? 'setup' : 'invited'
    },
    /** Whether the setup token still makes an administrator. */
    takesSetupToken: () => !store.users.hasAdmin(),
  }
}
