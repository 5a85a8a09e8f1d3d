// For a person who is in no organization: makes one.
import { fetchData } from '../api/client.ts'
import { TextField } from '../parts/form/fields.tsx'
import { useForm } from '../parts/form/form.ts'
import { FormFrame } from '../parts/form/form-frame.tsx'
import { Page } from '../parts/page.tsx'
import { chooseOrganization, loadSession } from '../session.ts'
import { words } from '../words/words.ts'

export function NoOrganization() {
  const { noOrganization } = words.value.shell
  const form = useForm(
    () => ({
      initial: { name: '' },
      submit: async (body) => {
        const { id } = await fetchData('orgs.create', { body })
        await loadSession()
        chooseOrganization(id)
      },
    }),
    [],
  )
  return (
    <Page title={noOrganization.title}>
      <p>{noOrganization.about}</p>
      <FormFrame form={form} submitText={noOrganization.submit}>
        <TextField form={form} pointer="/name" label={noOrganization.name} isRequired shouldFocus />
      </FormFrame>
    </Page>
  )
}
