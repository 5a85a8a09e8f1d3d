// The service itself, for its administrator: state, tasks, backups, errors, people, organizations.
import { Page } from '../../parts/page/page.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { words } from '../../words/words.ts'
import { SharedLocations } from '../locations/locations-page.tsx'
import { Backups } from './backups.tsx'
import { Errors } from './errors.tsx'
import { Health } from './health.tsx'
import { Info } from './info.tsx'
import { KycReview } from './kyc-review.tsx'
import { Organizations } from './organizations.tsx'
import { Settings } from './settings/settings.tsx'
import { Tasks } from './tasks.tsx'
import { Users } from './users.tsx'

export function SystemPage() {
  const texts = words.value.system
  return (
    <Page title={texts.title}>
      <Tabs
        label={texts.title}
        tabs={[
          { name: 'info', title: texts.info, content: () => <Info /> },
          { name: 'health', title: texts.healthTab, content: () => <Health /> },
          { name: 'settings', title: words.value.settings.title, content: () => <Settings /> },
          { name: 'tasks', title: texts.tasks, content: () => <Tasks /> },
          { name: 'backups', title: texts.backups, content: () => <Backups /> },
          { name: 'errors', title: texts.errors, content: () => <Errors /> },
          { name: 'users', title: texts.users, content: () => <Users /> },
          { name: 'organizations', title: texts.organizations, content: () => <Organizations /> },
          {
            name: 'locations',
            title: words.value.locations.ofOperator.title,
            content: () => <SharedLocations />,
          },
          { name: 'kyc', title: texts.kyc, content: () => <KycReview /> },
        ]}
      />
    </Page>
  )
}
