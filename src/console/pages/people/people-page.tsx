// The people and programs of the organization, and what they did.
import { useLocation } from 'preact-iso/router'
import { Page } from '../../parts/page/page.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { mayAs } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { AuditLog } from './audit-log.tsx'
import { InviteButton } from './invite-form.tsx'
import { Invites } from './invites.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import { OrganizationSettings } from './organization.tsx'
import { Secrets } from './secrets.tsx'

export function PeoplePage() {
  const { people: texts, secrets } = words.value
  const isAdmin = mayAs('admin')
  const { tab = 'members' } = useLocation().query
  // The invitations have the form itself.
  const isOfMembers = tab === 'members'
  return (
    <Page title={texts.title} actions={isAdmin && isOfMembers && <InviteButton />}>
      <Tabs
        label={texts.title}
        tabs={[
          { name: 'members', title: texts.members, content: () => <Members /> },
          ...(isAdmin
            ? [{ name: 'invites', title: texts.invites, content: () => <Invites /> }]
            : []),
          { name: 'keys', title: texts.keys, content: () => <Keys /> },
          { name: 'secrets', title: secrets.title, content: () => <Secrets /> },
          ...(isAdmin
            ? [
                { name: 'audit', title: texts.audit, content: () => <AuditLog /> },
                {
                  name: 'organization',
                  title: texts.organization,
                  content: () => <OrganizationSettings />,
                },
              ]
            : []),
        ]}
      />
    </Page>
  )
}
