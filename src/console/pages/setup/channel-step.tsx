// The first channel, with a test that shows whether alerts arrive.
import { useSignal } from '@preact/signals'
import { words } from '../../words/words.ts'
import { ChannelForm } from '../channels/channel-form.tsx'
import { channelType, channelTypes } from '../channels/channel-types.ts'
import { sendTest } from '../channels/send-test.ts'

export function ChannelStep({ onDone }: { readonly onDone: () => void }) {
  const { setup: texts, channels } = words.value
  const type = useSignal('email')
  const channelId = useSignal<string | undefined>(undefined)
  const info = channelType(type.value)
  const isTesting = useSignal(false)
  async function test(made: string): Promise<void> {
    isTesting.value = true
    await sendTest(made)
    isTesting.value = false
  }
  const made = channelId.value
  if (made !== undefined) {
    return (
      <>
        <h2>{texts.channel.made}</h2>
        <div class="actions">
          <button type="button" aria-busy={isTesting.value} onClick={() => void test(made)}>
            {channels.test}
          </button>
          <button type="button" class="primary" onClick={onDone}>
            {texts.next}
          </button>
        </div>
      </>
    )
  }
  return (
    <>
      <h2>{texts.channel.title}</h2>
      <p class="faint">{texts.channel.about}</p>
      <div class="field">
        <label for="channel-type">{texts.channel.type}</label>
        <select
          id="channel-type"
          value={type.value}
          onChange={({ currentTarget: { value } }) => {
            type.value = value
          }}
        >
          {channelTypes.map(({ type: one, title }) => (
            <option key={one} value={one}>
              {title}
            </option>
          ))}
        </select>
      </div>
      {info && (
        <ChannelForm
          key={info.type}
          info={info}
          stored={undefined}
          onSaved={({ id }) => {
            channelId.value = id
          }}
        />
      )}
      <div>
        <button type="button" class="quiet" onClick={onDone}>
          {texts.skip}
        </button>
      </div>
    </>
  )
}
