// Invitations: who was invited and has not come yet.

import { useSignal } from '@preact/signals'
import { UserPlus } from 'lucide'
import { everyPage, fetchData, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Time } from '../../parts/text/time.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { InviteForm, InviteLink } from './invite-form.tsx'

export function Invites() {
  const { people: texts, common } = words.value
  const link = useSignal<string | undefined>(undefined)
  const path = { orgId: orgId() }
  const invites = useResource(
    (signal) => wholeList(everyPage('invites.list', { path, query: { limit: 200 }, signal })),
    [],
  )
  return (
    <div class="page-part">
      <section class="card">
        <h2>{texts.invite}</h2>
        <InviteForm
          onInvited={(made) => {
            link.value = made
            void invites.reload()
          }}
        />
      </section>
      {link.value !== undefined && (
        <InviteLink link={link.value} onClose={() => (link.value = undefined)} />
      )}
      <LogTable of={invites} none={{ icon: UserPlus, about: texts.noInvites }}>
        {({ id, email, role, expiresAt }) => (
          <tr key={id}>
            <td>{email}</td>
            <td>{common.roles[role]}</td>
            <td>
              {texts.expires} <Time at={expiresAt} />
            </td>
            <td class="actions">
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
