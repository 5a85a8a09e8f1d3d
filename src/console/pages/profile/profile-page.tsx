// The person: name, language, password, second factor, sessions.
import { languages } from 'texts:languages'
import { fetchData } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { tell } from '../../parts/dialog/toast.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { PasswordField, refusedAt } from '../../parts/form/proof-fields.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Page } from '../../parts/page/page.tsx'
import { Time } from '../../parts/text/time.tsx'
import { loadSession, session, signOut } from '../../stores/session.ts'
import { chooseLanguage, language, words } from '../../words/words.ts'
import { Passkeys } from './passkeys.tsx'
import { SecondFactor } from './second-factor.tsx'
import { TrustedDevices } from './trusted-devices.tsx'

export function ProfilePage() {
  const { profile: texts, shell } = words.value
  return (
    <Page
      title={texts.title}
      actions={
        <button type="button" onClick={() => void act(signOut)}>
          {shell.signOut}
        </button>
      }
    >
      <div class="page-part is-forms">
        <section class="card">
          <h2>{shell.language}</h2>
          <select
            aria-label={shell.language}
            value={language.value}
            onChange={({ currentTarget: { value } }) => void act(() => chooseLanguage(value))}
          >
            {Object.entries(languages).map(([code, { name }]) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </section>
        <Account />
        <Password />
        <Passkeys />
        <SecondFactor />
        <Sessions />
        <TrustedDevices />
      </div>
    </Page>
  )
}

function Account() {
  const texts = words.value.profile
  const { name = null, email = '' } = session.value?.user ?? {}
  const form = useForm(
    () => ({
      initial: { name, email },
      submit: async (body: { name: string | null; email: string }) => {
        const changes = body.email === email ? { name: body.name } : body
        const { wantedEmail } = await fetchData('user.change', { body: changes })
        await loadSession()
        tell(wantedEmail === null ? texts.saved : texts.confirmEmail({ email: wantedEmail }))
      },
    }),
    [],
  )
  return (
    <section class="card">
      <h2>{texts.account}</h2>
      <FormFrame form={form} submitText={words.value.common.actions.save}>
        <TextField pointer="/name" label={texts.name} emptyAs={null} />
        <TextField pointer="/email" label={texts.email} type="email" />
      </FormFrame>
    </section>
  )
}

function Password() {
  const texts = words.value.profile
  const form = useForm(
    () => ({
      initial: { currentPassword: '', newPassword: '' },
      submit: async (body: { currentPassword: string; newPassword: string }) => {
        await fetchData('auth.changePassword', { body }).catch((error: unknown) => {
          throw refusedAt('/currentPassword', error, words.value.shell.signIn.wrongPassword)
        })
        form.reset({ currentPassword: '', newPassword: '' })
        tell(texts.passwordChanged)
      },
    }),
    [],
  )
  return (
    <section class="card">
      <h2>{texts.password}</h2>
      <FormFrame form={form} submitText={texts.changePassword}>
        <PasswordField pointer="/currentPassword" label={texts.currentPassword} />
        <TextField
          pointer="/newPassword"
          label={texts.newPassword}
          type="password"
          autoComplete="new-password"
        />
      </FormFrame>
    </section>
  )
}

function Sessions() {
  const texts = words.value.profile
  const sessions = useData('auth.sessions', { query: { limit: 100 } })
  return (
    <section class="card">
      <h2>{texts.sessions}</h2>
      <LogTable of={sessions} isInside>
        {({ id, address, userAgent, lastSeenAt, isCurrent }) => (
          <tr key={id}>
            <td>
              {userAgent} {isCurrent && <span class="tag">{texts.thisOne}</span>}
            </td>
            <td class="faint">{address}</td>
            <td>
              <Time at={lastSeenAt} />
            </td>
            <td>
              {!isCurrent && (
                <button
                  type="button"
                  onClick={() =>
                    void act(async () => {
                      await fetchData('auth.endSession', { path: { sessionId: id } })
                      await sessions.reload()
                    }, texts.sessionEnded)
                  }
                >
                  {texts.endSession}
                </button>
              )}
            </td>
          </tr>
        )}
      </LogTable>
    </section>
  )
}
