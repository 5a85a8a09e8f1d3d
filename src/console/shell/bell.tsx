// The bell: what happened since this person last looked, live.
import {
  Bell as BellIcon,
  CircleAlert,
  CircleCheck,
  CloudAlert,
  DatabaseBackup,
  Globe,
  MailWarning,
  MapPinOff,
  Radio,
  ShieldAlert,
  UserPlus,
} from 'lucide'
import { useEffect } from 'preact/hooks'
import { type Data, fetchData } from '../api/client.ts'
import { useData } from '../api/resource.ts'
import { Menu } from '../parts/dialog/menu.tsx'
import { useLiveReload } from '../parts/page/live-reload.ts'
import { Icon } from '../parts/text/icon.tsx'
import { localDay, Time } from '../parts/text/time.tsx'
import { inOrganization } from '../stores/session.ts'
import { words } from '../words/words.ts'

const shownMax = 12
/** No event tells that a certificate ends soon, or that a backup failed. */
const readAgainMs = 5 * 60_000

const incident = (id: string) => `/app/incidents/${id}`
const monitor = (id: string) => `/app/monitors/${id}`
const channel = (id: string) => `/app/channels/${id}`
const backups = () => '/app/system?tab=backups'

const kinds = {
  'incident.opened': { icon: CircleAlert, href: incident },
  'incident.resolved': { icon: CircleCheck, href: incident },
  'certificate.expiring': { icon: ShieldAlert, href: monitor },
  'domain.expiring': { icon: Globe, href: monitor },
  'channel.failing': { icon: Radio, href: channel },
  'messages.undelivered': { icon: MailWarning, href: channel },
  'location.silent': { icon: MapPinOff, href: () => inOrganization('/app/locations') },
  'invite.waiting': { icon: UserPlus, href: () => inOrganization('/app/people?tab=invites') },
  'backup.failed': { icon: DatabaseBackup, href: backups },
  'backup.uncopied': { icon: CloudAlert, href: backups },
} as const

export function Bell({ orgId }: { readonly orgId: string }) {
  const texts = words.value.shell.bell
  const activity = useData('activity.get', { path: { orgId } })
  useLiveReload(
    ({ type }) => /^(channels|monitor)[.]changed$|^incident[.]/.test(type),
    () => activity.reload(),
  )
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void activity.reload()
    }, readAgainMs)
    return () => clearInterval(timer)
  }, [activity])
  const found = activity.value.value
  if (found === undefined) return null
  const { items, unread } = found
  async function see(): Promise<void> {
    if (unread === 0) return
    // What fails here is shown again at the next look.
    await fetchData('activity.see', { path: { orgId } }).then(activity.reload, () => {})
  }
  return (
    <div class={unread > 0 ? 'side-choice is-unread' : 'side-choice'}>
      <Menu
        label={unread === 0 ? texts.label : texts.unread({ count: unread })}
        onOpen={() => void see()}
        items={
          items.length === 0
            ? [{ text: texts.none, icon: BellIcon, href: inOrganization('/app/incidents') }]
            : items.slice(0, shownMax).map((item) => ({
                id: `${item.kind} ${item.objectId}`,
                text: textOf(item),
                icon: kinds[item.kind].icon,
                href: kinds[item.kind].href(item.objectId ?? ''),
                aside: <Time at={item.at} />,
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

function textOf({ kind, title, endsAt }: Data<'activity.get'>['items'][number]): string {
  const text = words.value.shell.bell.items[kind]
  return typeof text === 'string' ? text : text({ title, day: endsAt ? localDay(endsAt) : '' })
}
