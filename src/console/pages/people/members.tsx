// The members of the organization and their roles.
import { fetchData, type Item } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/act.ts'
import { AskButton } from '../../parts/ask-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Time } from '../../parts/time.tsx'
import { loadSession, mayAs, orgId, type Role, session } from '../../session.ts'
import { words } from '../../words/words.ts'

type Member = Item<'members.list'>

const roles: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

export function Members() {
  const texts = words.value.people
  const members = useResource(
    (signal) =>
      fetchData('members.list', { path: { orgId: orgId() }, query: { limit: 200 }, signal }),
    [],
  )
  return (
    <Loaded of={members}>
      {(all) => (
        <table class="log card">
          <thead>
            <tr>
              <th>{texts.person}</th>
              <th>{texts.role}</th>
              <th>{texts.joined}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {all.map((member) => (
              <MemberRow
                key={member.userId}
                member={member}
                onChange={() => void members.reload()}
              />
            ))}
          </tbody>
        </table>
      )}
    </Loaded>
  )
}

interface MemberRowProps {
  readonly member: Member
  readonly onChange: () => void
}

function MemberRow({ member, onChange }: MemberRowProps) {
  const { people: texts, common } = words.value
  const { userId, name, email, role, joinedAt } = member
  const isSelf = session.value?.user.id === userId
  // Owners are changed by owners alone.
  const mayChange = !isSelf && mayAs(role === 'owner' ? 'owner' : 'admin')
  const path = { orgId: orgId() }
  const changeRole = (next: Role) =>
    act(
      async () => {
        await fetchData('members.change', { path, body: { userId, role: next } })
        onChange()
      },
      texts.roleChanged(name ?? email, common.roles[next]),
      next === role ? undefined : () => void changeRole(role),
    )
  async function remove(): Promise<boolean> {
    const isDone = await act(
      () => fetchData('members.remove', { path: { ...path, userId } }),
      texts.removed(name ?? email),
    )
    if (!isDone) return false
    if (isSelf) await loadSession()
    else onChange()
    return true
  }
  return (
    <tr>
      <td>
        <strong>{name ?? email}</strong>
        {name !== null && <span class="faint"> {email}</span>}
        {isSelf && <span class="tag">{texts.you}</span>}
      </td>
      <td>
        {mayChange ? (
          <select
            aria-label={`${texts.role}: ${name ?? email}`}
            value={role}
            onChange={({ currentTarget }) => {
              const next = roles.find((one) => one === currentTarget.value)
              if (next) void changeRole(next)
            }}
          >
            {roles
              .filter((one) => one !== 'owner' || mayAs('owner'))
              .map((one) => (
                <option key={one} value={one}>
                  {common.roles[one]}
                </option>
              ))}
          </select>
        ) : (
          common.roles[role]
        )}
      </td>
      <td>
        <Time at={joinedAt} form="day" />
      </td>
      <td>
        {(isSelf || mayChange) && (
          <AskButton
            text={isSelf ? texts.leave : texts.remove}
            title={isSelf ? texts.leaveTitle : texts.removeTitle(name ?? email)}
            about={isSelf ? texts.leaveAbout : texts.removeAbout}
            onConfirm={remove}
          />
        )}
      </td>
    </tr>
  )
}
