// The first account: it owns an organization and administers the service. The setup token comes in
// the fragment of the link, which is sent to nobody.
import schema from 'schema:auth.register'
import { type Body, fetchData } from '../../api/client.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { loadSession } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

/** The token as the link has it; a link that was cut off still opens the form. */
function tokenOfLink(): string {
  const text = location.hash.slice(1)
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function AccountStep({ onDone }: { readonly onDone: () => void }) {
  const texts = words.value.setup
  const form = useForm<Body<'auth.register'>>(
    () => ({
      schema,
      initial: {
        email: '',
        password: '',
        setupToken: tokenOfLink(),
      },
      submit: async ({ organizationName, ...body }) => {
        const organization = organizationName ? { organizationName } : {}
        await fetchData('auth.register', { body: { ...body, ...organization } })
        history.replaceState(null, '', location.pathname)
        await loadSession()
      },
    }),
    [],
  )
  return (
    <>
      <h2>{texts.account.title}</h2>
      <p class="faint">{texts.account.about}</p>
      <FormFrame form={form} submitText={texts.account.submit} onDone={onDone}>
        <TextField
          pointer="/email"
          label={texts.account.email}
          type="email"
          autoComplete="username"
          isRequired
          shouldFocus
        />
        <TextField
          pointer="/password"
          label={texts.account.password}
          type="password"
          autoComplete="new-password"
          isRequired
        />
        <TextField
          pointer="/organizationName"
          label={texts.account.organization}
          emptyAs={undefined}
        />
        <TextField
          pointer="/setupToken"
          label={texts.account.token}
          help={texts.account.tokenHelp}
          isCode
        />
      </FormFrame>
    </>
  )
}
