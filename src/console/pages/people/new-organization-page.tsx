// Another organization, where the switch of organizations leads.
import { NewOrganizationForm } from '../../parts/form/new-organization.tsx'
import { Page } from '../../parts/page/page.tsx'
import { words } from '../../words/words.ts'

export function NewOrganizationPage() {
  const { newOrganization: texts } = words.value.shell
  return (
    <Page title={texts.open}>
      <p class="faint">{texts.about}</p>
      <section class="card">
        <NewOrganizationForm />
      </section>
    </Page>
  )
}
