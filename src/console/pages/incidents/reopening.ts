// Says that an incident which somebody ended opens again, because its monitor is still failing.

import { tell } from '../../parts/dialog/toast.tsx'
import { localTime } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'

/** `reopensAt`: of the incident as the service answered; null if it is really over. */
export function tellIfReopens({ reopensAt }: { readonly reopensAt: string | null }): void {
  if (reopensAt !== null) tell(words.value.incidents.reopens({ time: localTime(reopensAt) }))
}
