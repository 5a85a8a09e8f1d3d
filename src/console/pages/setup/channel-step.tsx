// The first channel, with a test that shows whether alerts arrive. One that was made before a reload
// is found again, so that it can be corrected and is not made twice.

import { useSignal } from '@preact/signals'
import { fetchData, type Item } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Loaded } from '../../parts/page/loaded.tsx'
import { orgId } from '../../stores/session.ts'
import { listed, words } from '../../words/words.ts'
import { ChannelForm } from '../channels/channel-form.tsx'
import type { Channel } from '../channels/channel-health.tsx'
import { ChannelState } from '../channels/channel-health.tsx'
import {
  type ChannelType,
  channelType,
  type TypeChoice,
  typeChoices,
} from '../channels/channel-types.ts'

/** The types that most people have, if the service can send to them. */
const firstTypes: readonly ChannelType[] = ['email', 'ntfy']

export function ChannelStep({ onDone }: { readonly onDone: () => void }) {
  const path = { orgId: orgId() }
  const state = useResource(async () => {
    const [states, [newest]] = await Promise.all([
      fetchData('alert-channels.types', { path }),
      fetchData('alert-channels.list', { path, query: { limit: 1 } }),
    ])
    return { choices: typeChoices(states), newest }
  }, [])
  const reload = () => void state.reload()
  return (
    <Loaded of={state}>
      {({ choices, newest }) =>
        newest ? (
          <MadeChannel channel={newest} onChanged={reload} onDone={onDone} />
        ) : (
          <NewChannel choices={choices} onMade={reload} onSkip={onDone} />
        )
      }
    </Loaded>
  )
}

const headings = {
  untested: 'made',
  test_failed: 'failed',
  ok: 'works',
  failing: 'failed',
  disabled: 'failed',
} as const

interface MadeChannelProps {
  readonly channel: Item<'alert-channels.list'>
  readonly onChanged: () => void
  readonly onDone: () => void
}

/** The form stays, because a test may show what has to be corrected. */
function MadeChannel({ channel, onChanged, onDone }: MadeChannelProps) {
  const { setup: texts } = words.value
  const info = channelType(channel.type)
  return (
    <>
      <h2>{texts.channel[headings[channel.health.state]]}</h2>
      <p>
        <strong>{channel.name}</strong> <ChannelState channel={channel} />
      </p>
      {info && (
        <ChannelForm
          key={channel.id}
          info={info}
          stored={channel}
          onSaved={onChanged}
          onTested={onChanged}
        />
      )}
      <div class="actions">
        <button
          type="button"
          class={channel.health.state === 'ok' ? 'primary' : undefined}
          onClick={onDone}
        >
          {texts.next}
        </button>
      </div>
    </>
  )
}

interface NewChannelProps {
  readonly choices: readonly TypeChoice[]
  readonly onMade: (channel: Channel) => void
  readonly onSkip: () => void
}

function NewChannel({ choices, onMade, onSkip }: NewChannelProps) {
  const { setup: texts, channels } = words.value
  const ready = choices.filter(({ missingSettings }) => missingSettings.length === 0)
  const first = firstTypes.find((one) => ready.some(({ info }) => info.type === one))
  const type = useSignal<string | undefined>(first)
  const info = type.value === undefined ? undefined : channelType(type.value)
  const skip = (
    <button type="button" class="quiet" onClick={onSkip}>
      {texts.skip}
    </button>
  )
  return (
    <>
      <h2>{texts.channel.title}</h2>
      <p class="faint">{texts.channel.about}</p>
      <div class="field">
        <label for="channel-type">{texts.channel.type}</label>
        <select
          id="channel-type"
          value={type.value}
          onChange={({ currentTarget: { value } }) => (type.value = value)}
        >
          {choices.map(({ info: { type: one, title }, missingSettings }) => (
            <option key={one} value={one} disabled={missingSettings.length > 0}>
              {missingSettings.length === 0
                ? title
                : `${title} – ${channels.needs({ names: listed(missingSettings) })}`}
            </option>
          ))}
        </select>
      </div>
      {info ? (
        <ChannelForm key={info.type} info={info} stored={undefined} onSaved={onMade} more={skip} />
      ) : (
        <div>{skip}</div>
      )}
    </>
  )
}
