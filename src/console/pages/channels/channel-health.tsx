// Whether a channel works, in a word and its colour: green only after something arrived.
import type { Data } from '../../api/client.ts'
import { words } from '../../words/words.ts'

type Health = Data<'alert-channels.get'>['health']

const tones = {
  untested: 'is-pending',
  test_failed: 'is-degraded',
  ok: 'is-up',
  failing: 'is-degraded',
  disabled: 'is-down',
} as const

export interface ChannelStateProps {
  readonly channel: { readonly isActive: boolean; readonly health: Health }
}

/** The state of a channel as a chip. */
export function ChannelState({ channel: { isActive, health } }: ChannelStateProps) {
  const texts = words.value.channels
  const isOff = !isActive && health.state !== 'disabled'
  return (
    <span class={`state ${isOff ? 'is-paused' : tones[health.state]}`}>
      {isOff ? texts.off : texts.health[health.state]}
    </span>
  )
}

/** Why alerts do not arrive, or would not; undefined if nothing speaks against it. */
export function channelTrouble({ missingSettings, state, lastError }: Health): string | undefined {
  if (missingSettings.length > 0) {
    return words.value.channels.needsSettings(missingSettings.join(', '))
  }
  const isBad = state === 'test_failed' || state === 'failing' || state === 'disabled'
  return isBad && lastError !== null ? lastError : undefined
}
