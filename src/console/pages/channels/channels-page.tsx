// The channels: where alerts go, and whether they arrive there.
import { Bell } from 'lucide'
import { everyPage, type Item, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { RowsPage } from '../../parts/page/rows-page.tsx'
import { Time } from '../../parts/text/time.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { ChannelState, ChannelTrouble } from './channel-health.tsx'
import { ChannelIcon } from './channel-icon.tsx'
import { channelType } from './channel-types.ts'

export function ChannelsPage() {
  const texts = words.value.channels
  const channels = useResource(
    (signal) =>
      wholeList(
        everyPage('alert-channels.list', {
          path: { orgId: orgId() },
          query: { limit: 200 },
          signal,
        }),
      ),
    [],
  )
  const add = mayAs('admin') && (
    <a class="button primary" href="/app/channels/new">
      {texts.add}
    </a>
  )
  return (
    <RowsPage title={texts.title} of={channels} add={add} empty={{ icon: Bell, ...texts.empty }}>
      {(all) => (
        <>
          {all.some(({ isDefault, isActive }) => isDefault && isActive) || (
            <p class="note is-degraded">{texts.noDefault}</p>
          )}
          <ul class="rows-list">
            {all.map((channel) => (
              <ChannelRow key={channel.id} channel={channel} />
            ))}
          </ul>
        </>
      )}
    </RowsPage>
  )
}

function ChannelRow({ channel }: { readonly channel: Item<'alert-channels.list'> }) {
  const texts = words.value.channels
  const { id, name, type, isDefault, health } = channel
  return (
    <li>
      <a class="list-row" href={`/app/channels/${id}`}>
        <ChannelIcon type={type} />
        <span class="monitor-name">
          <strong>{name}</strong>
          <span class="faint">
            {channelType(type)?.title ?? type}
            {isDefault && <span class="tag">{texts.isDefault}</span>}
          </span>
          <ChannelTrouble health={health} isInLink />
        </span>
        <ChannelState channel={channel} />
        <span class="faint since">
          {health.lastDeliveredAt === null ? (
            health.state === 'untested' ? (
              texts.nothingSent
            ) : (
              texts.nothingArrived
            )
          ) : (
            <Time at={health.lastDeliveredAt} />
          )}
        </span>
      </a>
    </li>
  )
}
