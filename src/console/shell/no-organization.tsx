// For a person who is in no organization: makes one.
import { NewOrganizationForm } from '../parts/form/new-organization.tsx'
import { Page } from '../parts/page/page.tsx'
import { words } from '../words/words.ts'

export function NoOrganization() {
  const { noOrganization } = words.value.shell
  return (
    <Page title={noOrganization.title}>
      <p>{noOrganization.about}</p>
      <NewOrganizationForm />
    </Page>
  )
}
