// Invitations: who was invited and has not come yet.

import schema from 'schema:invites.create'
import { useSignal } from '@preact/signals'
import { type Body, fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { ShownOnce } from '../../parts/dialog/shown-once.tsx'
import { SelectField, TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Time } from '../../parts/text/time.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export function Invites() {
  const { people: texts, common } = words.value
  const link = useSignal<string | undefined>(undefined)
  const path = { orgId: orgId() }
  const invites = useResource(
    (signal) => fetchData('invites.list', { path, query: { limit: 200 }, signal }),
    [],
  )
  const form = useForm<Body<'invites.create'>>(
    () => ({
      schema,
      draft: 'invite',
      initial: { email: '', role: 'member' },
      submit: async (body) => {
        const { url } = await fetchData('invites.create', { path, body })
        link.value = url
        form.reset({ email: '', role: 'member' })
        await invites.reload()
      },
    }),
    [],
  )
  const roles = (['viewer', 'member', 'admin', 'owner'] as const).filter(
    (role) => role !== 'owner' || mayAs('owner'),
  )
  return (
    <div class="page-part">
      <section class="card">
        <h2>{texts.invite}</h2>
        <FormFrame form={form} submitText={texts.invite}>
          <div class="form-row">
            <TextField form={form} pointer="/email" type="email" label={texts.email} isRequired />
            <SelectField
              form={form}
              pointer="/role"
              label={texts.role}
              choices={roles.map((value) => ({ value, text: common.roles[value] }))}
            />
          </div>
        </FormFrame>
      </section>
      {link.value !== undefined && (
        <ShownOnce
          title={texts.inviteLink}
          about={texts.inviteLinkAbout}
          secret={link.value}
          onClose={() => {
            link.value = undefined
          }}
        />
      )}
      <LogTable of={invites} none={texts.noInvites}>
        {({ id, email, role, expiresAt }) => (
          <tr key={id}>
            <td>{email}</td>
            <td>{common.roles[role]}</td>
            <td>
              {texts.expires} <Time at={expiresAt} />
            </td>
            <td>
              <button
                type="button"
                onClick={() =>
                  void act(async () => {
                    await fetchData('invites.revoke', { path: { ...path, inviteId: id } })
                    await invites.reload()
                  }, texts.inviteRevoked)
                }
              >
                {texts.revoke}
              </button>
            </td>
          </tr>
        )}
      </LogTable>
    </div>
  )
}
