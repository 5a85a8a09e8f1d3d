// Whether a channel works, in a word and its colour: green only after something arrived.
import type { Data } from '../../api/client.ts'
import { MissingSettings } from '../../parts/text/missing-settings.tsx'
import { Said } from '../../parts/text/said.tsx'
import { listed, words } from '../../words/words.ts'

export type Channel = Data<'alert-channels.get'>
type Health = Channel['health']

const tones = {
  untested: 'is-pending',
  test_failed: 'is-degraded',
  ok: 'is-up',
  failing: 'is-degraded',
  disabled: 'is-down',
} as const

export interface ChannelStateProps {
  readonly channel: Pick<Channel, 'isActive' | 'health' | 'missingSecrets'>
}

/** The state of a channel as a chip. */
export function ChannelState({ channel }: ChannelStateProps) {
  const { isActive, health, missingSecrets } = channel
  const texts = words.value.channels
  const isOff = !isActive && health.state !== 'disabled'
  const off = missingSecrets.length > 0 ? texts.awaitsSecrets : texts.off
  // What arrived before does not count where nothing can be sent any longer.
  const state = health.missingSettings.length > 0 ? 'failing' : health.state
  return (
    <span class={`state ${isOff ? 'is-paused' : tones[state]}`}>
      {isOff ? off : texts.health[state]}
    </span>
  )
}

export interface ChannelTroubleProps {
  readonly health: Health
  /** It lies in a link, which can hold no other one. */
  readonly isInLink?: boolean
}

/** Why alerts do not arrive, or would not; nothing if nothing speaks against it. */
export function ChannelTrouble({ health, isInLink = false }: ChannelTroubleProps) {
  const { missingSettings, state, lastError } = health
  if (missingSettings.length > 0) {
    const names = listed(missingSettings)
    const text = words.value.channels.needsSettings({ names })
    return <span class="wrong">{isInLink ? text : <MissingSettings text={text} />}</span>
  }
  if (lastError === null || state === 'ok' || state === 'untested') return null
  return (
    <span class="wrong">
      <Said text={lastError} />
    </span>
  )
}
