// The state of a monitor: a dot with a shape of its own for each state, and its word.
import { words } from '../words/words.ts'

export type StateName = keyof typeof words.value.common.states

/** Also tells the states apart without colours. */
export function StateMark({ state, isBare = false }: { state: StateName; isBare?: boolean }) {
  const text = words.value.common.states[state]
  return (
    <span class={`state is-${state}`} title={isBare ? text : undefined}>
      {isBare ? <span class="hidden">{text}</span> : text}
    </span>
  )
}
