// All accounts of the service.
import { useSignal } from '@preact/signals'
import { type Body, fetchData, type Item } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Time } from '../../parts/text/time.tsx'
import { session } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export function Users() {
  const texts = words.value.system
  const q = useSignal('')
  const users = useData('system.users', {
    query: { limit: 100, ...(q.value === '' ? {} : { q: q.value }) },
  })
  return (
    <div class="page-part">
      <input
        type="search"
        aria-label={texts.searchUsers}
        placeholder={texts.searchUsers}
        value={q.value}
        onInput={({ currentTarget: { value } }) => (q.value = value)}
      />
      <LogTable of={users}>
        {(user) => <UserRow key={user.id} user={user} onChange={() => void users.reload()} />}
      </LogTable>
    </div>
  )
}

interface UserRowProps {
  readonly user: Item<'system.users'>
  readonly onChange: () => void
}

function UserRow({ user, onChange }: UserRowProps) {
  const texts = words.value.system
  const { id, email, name, isSystemAdmin, isDisabled, hasTotp, organizations, createdAt } = user
  const change = (body: Body<'system.changeUser'>, undo?: () => void): Promise<boolean> =>
    act(
      async () => {
        await fetchData('system.changeUser', { path: { userId: id }, body })
        onChange()
      },
      texts.changed({ name: email }),
      undo,
    )
  const disable = (next: boolean) =>
    change({ isDisabled: next }, () => void change({ isDisabled: !next }))
  const promote = (next: boolean) =>
    change({ isSystemAdmin: next }, () => void change({ isSystemAdmin: !next }))
  const isSelf = session.value?.user.id === id
  return (
    <tr>
      <td>
        <strong>{email}</strong> <span class="faint">{name}</span>
        {isSystemAdmin && <span class="tag">{texts.admin}</span>}
        {isDisabled && <span class="tag">{texts.disabled}</span>}
        {hasTotp && <span class="tag">TOTP</span>}
      </td>
      <td>{texts.inOrganizations({ count: organizations })}</td>
      <td>
        <Time at={createdAt} form="day" />
      </td>
      <td class="actions">
        {!isSelf && (
          <>
            <button type="button" onClick={() => void disable(!isDisabled)}>
              {isDisabled ? texts.enable : texts.disable}
            </button>
            <button type="button" onClick={() => void promote(!isSystemAdmin)}>
              {isSystemAdmin ? texts.demote : texts.promote}
            </button>
          </>
        )}
      </td>
    </tr>
  )
}
