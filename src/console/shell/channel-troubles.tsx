// Channels that alerts do not reach: said above every page, because no alert says it.
import { type Data, fetchData } from '../api/client.ts'
import { type Resource, useResource } from '../api/resource.ts'
import { ChannelTrouble } from '../pages/channels/channel-health.tsx'
import { useLiveReload } from '../parts/page/live-reload.ts'
import { now, Time } from '../parts/text/time.tsx'
import { words } from '../words/words.ts'

type Troubles = Data<'alert-channels.troubles'>

/** The troubles of an organization, live; undefined while they are not known. */
export function useTroubles(orgId: string | undefined): Troubles | undefined {
  const troubles: Resource<Troubles | undefined> = useResource(
    async (signal) =>
      orgId === undefined
        ? undefined
        : await fetchData('alert-channels.troubles', { path: { orgId }, signal }),
    [orgId],
  )
  useLiveReload(
    ({ type }) => type === 'channels.changed' || type.startsWith('incident.'),
    () => troubles.reload(),
  )
  return troubles.value.value
}

const namedMax = 3

/** Nothing while no alert waits: what may fail later stands at *Channels*. */
export function TroublesBanner({ troubles }: { readonly troubles: Troubles | undefined }) {
  const texts = words.value.shell.troubles
  if (troubles === undefined || troubles.pending === 0) return null
  const waiting = troubles.channels.filter(({ health }) => health.pending > 0)
  return (
    <section class="troubles is-degraded" aria-label={texts.label}>
      <p>
        <a href="/app/channels">
          {texts.waiting({ alerts: troubles.pending, channels: waiting.length })}
        </a>
      </p>
      <ul>
        {waiting.slice(0, namedMax).map((channel) => (
          <Trouble key={channel.id} channel={channel} />
        ))}
        {waiting.length > namedMax && <li>{texts.more({ count: waiting.length - namedMax })}</li>}
      </ul>
    </section>
  )
}

function Trouble({ channel: { id, name, health } }: { channel: Troubles['channels'][number] }) {
  const texts = words.value.shell.troubles
  const { nextAttemptAt } = health
  return (
    <li>
      <a href={`/app/channels/${id}`}>{name}</a> <ChannelTrouble health={health} />{' '}
      {nextAttemptAt !== null && (
        <>
          {texts.nextTry}{' '}
          {Date.parse(nextAttemptAt) <= now.value ? (
            texts.soon
          ) : (
            <Time at={nextAttemptAt} form="clock" />
          )}
        </>
      )}
    </li>
  )
}
