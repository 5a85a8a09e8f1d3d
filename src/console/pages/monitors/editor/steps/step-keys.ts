// KeyList of the cards of steps: a card keeps what it shows while its step is edited, moved or copied.
import type { FormStep } from './step-model.ts'

type StepList = readonly FormStep[]
type KeyList = readonly number[]

export interface StepKeys {
  /** A key for each step. An edited list has those of the list before, if it is as long. */
  of(steps: StepList): KeyList
  /** The keys that a list had when it was shown. */
  shown(steps: StepList): KeyList | undefined
  /** Says which keys a list has that was made from another one. */
  name(steps: StepList, keys: KeyList): void
  fresh(): number
}

export function createStepKeys(): StepKeys {
  const known = new WeakMap<StepList, KeyList>()
  let last: KeyList = []
  let count = 0
  function fresh(): number {
    count += 1
    return count
  }
  return {
    of(steps) {
      const keys =
        known.get(steps) ?? (last.length === steps.length ? last : steps.map(() => fresh()))
      known.set(steps, keys)
      last = keys
      return keys
    },
    shown: (steps) => known.get(steps),
    name: (steps, keys) => void known.set(steps, keys),
    fresh,
  }
}
