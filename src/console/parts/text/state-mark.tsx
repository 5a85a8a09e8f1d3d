// The state of a monitor: a dot with a shape of its own for each state, and its word. While failures
// are being confirmed it is amber, and says how many of how many.
import { failingWords, placesSentence } from '../../../texts/place-words.ts'
import type { Confirming, FailingFrom } from '../../stores/confirming.ts'
import { locale, words } from '../../words/words.ts'

export type StateName = keyof typeof words.value.common.states

/** The class of the colours. */
export const toneOf = (state: StateName, confirming: Confirming) =>
  confirming === null ? `is-${state}` : 'is-confirming'

export interface StateMarkProps {
  readonly state: StateName
  readonly confirming?: Confirming
  readonly isBare?: boolean
}

/** Also tells the states apart without colours. */
export function StateMark({ state, confirming = null, isBare = false }: StateMarkProps) {
  const text = words.value.common.states[state]
  return (
    <span class={`state ${toneOf(state, confirming)}`} title={isBare ? text : undefined}>
      {isBare ? <span class="hidden">{text}</span> : text}
    </span>
  )
}

/** Such as "failing 2 of 3"; nothing while no failure is being confirmed. */
export function ConfirmingChip({ confirming }: { readonly confirming: Confirming }) {
  if (confirming === null) return null
  const { chip, about } = words.value.common.confirming
  const { failed, needed } = confirming
  return (
    <span class="confirming is-confirming" title={about({ failed, needed })}>
      {chip({ failed, needed })}
    </span>
  )
}

export interface FailingChipProps {
  readonly failingFrom: FailingFrom
  readonly isBare?: boolean
}

/** Such as "fails from Frankfurt" of a monitor that is up; nothing if it works from everywhere. */
export function FailingChip({ failingFrom, isBare = false }: FailingChipProps) {
  if (failingFrom === null) return null
  const said = [failingFrom.places, words.value.places, locale.value] as const
  const text = failingWords(...said)
  return (
    <span
      class={`${isBare ? 'state' : 'confirming'} is-degraded`}
      title={placesSentence(...said) ?? text}
    >
      {isBare ? <span class="hidden">{text}</span> : text}
    </span>
  )
}
