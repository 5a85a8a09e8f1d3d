// One channel: whether it works, its settings with a test, and what was sent.

import { useSignal } from '@preact/signals'
import { useLocation, useRoute } from 'preact-iso/router'
import { fetchData } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskButton } from '../../parts/dialog/ask-button.tsx'
import { useLiveReload } from '../../parts/page/live-reload.ts'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Said } from '../../parts/text/said.tsx'
import { Time } from '../../parts/text/time.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { listed, words } from '../../words/words.ts'
import { ChannelForm, fieldWords } from './channel-form.tsx'
import type { Channel } from './channel-health.tsx'
import { ChannelState, ChannelTrouble } from './channel-health.tsx'
import { channelType } from './channel-types.ts'
import { Deliveries } from './deliveries.tsx'

export function ChannelPage() {
  const { channelId = '' } = useRoute().params
  const texts = words.value.channels
  const channel = useData('alert-channels.get', { path: { orgId: orgId(), channelId } })
  const version = useSignal(0)
  const readAgain = () => {
    version.value += 1
    return channel.reload()
  }
  // What happens to incidents is what channels are told.
  useLiveReload(({ type }) => type.startsWith('incident.'), readAgain)
  return (
    <Loaded of={channel} pageTitle={texts.title}>
      {(shown) => {
        const info = channelType(shown.type)
        return (
          <Page
            title={shown.name}
            parents={[{ href: '/app/channels', title: texts.title }]}
            actions={<Actions channel={shown} />}
          >
            <Health channel={shown} />
            {shown.missingSecrets.length > 0 && (
              <div class="note is-problem">
                <p>{texts.enterSecrets({ names: listed(namesOf(shown)) })}</p>
              </div>
            )}
            {mayAs('admin') && info && (
              <section class="card">
                <h2>{texts.settings}</h2>
                <ChannelForm
                  info={info}
                  stored={shown}
                  onSaved={() => void readAgain()}
                  onTested={() => void readAgain()}
                />
              </section>
            )}
            <Deliveries
              channelId={channelId}
              version={version.value}
              onChanged={() => void readAgain()}
            />
          </Page>
        )
      }}
    </Loaded>
  )
}

/** The secrets that are missing, as the form names them. */
const namesOf = ({ type, missingSecrets }: Channel) =>
  missingSecrets.map((pointer) => fieldWords(type, pointer.slice(1)).label)

function Health({ channel }: { readonly channel: Channel }) {
  const texts = words.value.channels
  const { health, disabledReason } = channel
  return (
    <div class="monitor-head">
      <ChannelState channel={channel} />
      {health.since !== null && <Time at={health.since} />}
      {disabledReason !== null && (
        <span class="wrong">
          <Said text={disabledReason} />
        </span>
      )}
      <ChannelTrouble health={health} />
      {health.pending > 0 && <span>{texts.pending({ count: health.pending })}</span>}
      {health.nextAttemptAt !== null && (
        <span>
          {texts.nextAttempt} <Time at={health.nextAttemptAt} />
        </span>
      )}
    </div>
  )
}

function Actions({ channel }: { readonly channel: Channel }) {
  const { route } = useLocation()
  const { channels: texts, common } = words.value
  if (!mayAs('admin')) return null
  const path = { orgId: orgId(), channelId: channel.id }
  async function remove(): Promise<boolean> {
    const isDone = await act(
      () => fetchData('alert-channels.remove', { path }),
      texts.deleted({ name: channel.name }),
    )
    if (isDone) route('/app/channels')
    return isDone
  }
  return (
    <AskButton
      text={common.actions.remove}
      title={texts.deleteTitle({ name: channel.name })}
      about={texts.deleteAbout}
      onConfirm={remove}
    />
  )
}
