// Whether the service keeps what failed targets at private addresses answer. On a shared service, that
// may belong to another organization.
import type { Live } from '../../config/live.ts'
import type { User } from '../../domain/people/person.ts'
import type { Store } from '../../store/store.ts'

export const privateAnswerStates = ['kept', 'until_second_organization', 'not_kept'] as const
export type PrivateAnswerState = (typeof privateAnswerStates)[number]

interface PrivateAnswersDeps {
  readonly store: Pick<Store, 'orgs'>
  readonly live: Pick<Live, 'now'>
}

/** A person, with the organizations that they are in. */
interface Reader {
  readonly user: Pick<User, 'isSystemAdmin'>
  readonly organizations: readonly object[]
}

export type PrivateAnswers = ReturnType<typeof createPrivateAnswers>

export function createPrivateAnswers({ store, live }: PrivateAnswersDeps) {
  /** Takes a few microseconds: all that is told a thread of checks asks for it. */
  function state(): PrivateAnswerState {
    if (live.now().auth.registration === 'open') return 'not_kept'
    if (live.now().checks.keepPrivateAnswers === 'always') return 'kept'
    return store.orgs.total() > 1 ? 'not_kept' : 'until_second_organization'
  }

  return {
    state,
    /** Null for a person who is in no organization and does not operate the service. */
    shownTo({ user, organizations }: Reader): PrivateAnswerState | null {
      return user.isSystemAdmin || organizations.length > 0 ? state() : null
    },
  }
}
