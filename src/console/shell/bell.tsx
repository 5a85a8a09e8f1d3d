// The bell: what happened since this person last looked, live.
import { Bell as BellIcon, CircleAlert, CircleCheck, Radio, UserPlus } from 'lucide'
import { fetchData } from '../api/client.ts'
import { useResource } from '../api/resource.ts'
import { Menu } from '../parts/dialog/menu.tsx'
import { useLiveReload } from '../parts/page/live-reload.ts'
import { Icon } from '../parts/text/icon.tsx'
import { Time } from '../parts/text/time.tsx'
import { inOrganization } from '../stores/session.ts'
import { words } from '../words/words.ts'

const shownMax = 12

const kinds = {
  'incident.opened': { icon: CircleAlert, href: (id: string) => `/app/incidents/${id}` },
  'incident.resolved': { icon: CircleCheck, href: (id: string) => `/app/incidents/${id}` },
  'channel.failing': { icon: Radio, href: (id: string) => `/app/channels/${id}` },
  'invite.waiting': { icon: UserPlus, href: () => inOrganization('/app/people?tab=invites') },
} as const

export function Bell({ orgId }: { readonly orgId: string }) {
  const texts = words.value.shell.bell
  const activity = useResource(
    (signal) => fetchData('activity.get', { path: { orgId }, signal }),
    [orgId],
  )
  useLiveReload(
    ({ type }) => type === 'channels.changed' || type.startsWith('incident.'),
    () => activity.reload(),
  )
  const found = activity.value.value
  if (found === undefined) return null
  const { items, unread } = found
  async function see(): Promise<void> {
    if (unread === 0) return
    // What fails here is shown again at the next look.
    await fetchData('activity.see', { path: { orgId } }).then(activity.reload, () => {})
  }
  return (
    <div class="side-choice bell">
      <Menu
        label={unread === 0 ? texts.label : texts.unread({ count: unread })}
        onOpen={() => void see()}
        items={
          items.length === 0
            ? [{ text: texts.none, icon: BellIcon, href: inOrganization('/app/incidents') }]
            : items.slice(0, shownMax).map(({ kind, objectId, title, at }) => ({
                id: `${kind} ${objectId}`,
                text: texts.items[kind]({ title }),
                icon: kinds[kind].icon,
                href: kinds[kind].href(objectId),
                aside: <Time at={at} />,
              }))
        }
      >
        <Icon of={BellIcon} />
        <span class="side-text">{texts.label}</span>
      </Menu>
      {unread > 0 && (
        <span class="nav-count" aria-hidden="true">
          {unread}
        </span>
      )}
    </div>
  )
}
