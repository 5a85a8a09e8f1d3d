// Makes another organization, and says what that ends.
import { useLocation } from 'preact-iso/router'
import { fetchData } from '../../api/client.ts'
import { chooseOrganization, inOrganization, loadSession, session } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { TextField } from './fields.tsx'
import { useForm } from './form.ts'
import { FormFrame } from './form-frame.tsx'

/** The console shows the organization once it is made. */
export function NewOrganizationForm() {
  const { route } = useLocation()
  const texts = words.value.shell.newOrganization
  const form = useForm(
    () => ({
      initial: { name: '' },
      // The page may have a form with a name already.
      ids: 'new-organization',
      submit: async (body) => {
        const { id } = await fetchData('orgs.create', { body })
        await loadSession()
        route(inOrganization('/app', id))
        chooseOrganization(id)
      },
    }),
    [],
  )
  const endsPrivate = session.value?.privateAnswers === 'until_second_organization'
  return (
    <FormFrame form={form} submitText={texts.submit}>
      {endsPrivate && <p class="note is-degraded">{texts.endsPrivate}</p>}
      <TextField pointer="/name" label={texts.name} isRequired shouldFocus />
    </FormFrame>
  )
}
