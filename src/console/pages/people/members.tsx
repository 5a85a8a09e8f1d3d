// The members of the organization and their roles.

import { useSignal } from '@preact/signals'
import { everyPage, fetchData, type Item, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskDialog } from '../../parts/dialog/ask-button.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Time } from '../../parts/text/time.tsx'
import { loadSession, mayAs, orgId, type Role, session } from '../../stores/session.ts'
import { punctuation, words } from '../../words/words.ts'
import { type Key, keysThatLose, MemberKeys } from './member-keys.tsx'

type Member = Item<'members.list'>

const roles: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

export function Members() {
  const texts = words.value.people
  const members = useResource(
    (signal) =>
      wholeList(
        everyPage('members.list', { path: { orgId: orgId() }, query: { limit: 200 }, signal }),
      ),
    [],
  )
  return (
    <LogTable of={members} heads={[texts.person, texts.role, texts.joined, '']}>
      {(member) => (
        <MemberRow key={member.userId} member={member} onChange={() => void members.reload()} />
      )}
    </LogTable>
  )
}

interface MemberRowProps {
  readonly member: Member
  readonly onChange: () => void
}

/** What is asked about a member: another role, or undefined for the end of the membership. */
interface AskedChange {
  readonly next: Role | undefined
  /** The keys that lose rights with it. */
  readonly keys: readonly Key[]
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
      texts.roleChanged({ name: name ?? email, role: common.roles[next] }),
      next === role ? undefined : () => void changeRole(role),
    )
  const asked = useSignal<AskedChange | undefined>(undefined)
  function close(): void {
    asked.value = undefined
  }
  async function askFor(next: Role | undefined): Promise<void> {
    await act(async () => {
      const keys = await keysThatLose(userId, next)
      if (next === undefined || keys.length > 0) asked.value = { next, keys }
      else await changeRole(next)
    })
  }
  async function remove(): Promise<boolean> {
    const isDone = await act(
      () => fetchData('members.remove', { path: { ...path, userId } }),
      texts.removed({ name: name ?? email }),
    )
    if (!isDone) return false
    if (isSelf) await loadSession()
    else onChange()
    return true
  }
  const shownName = name ?? email
  function questionOf(next: Role | undefined) {
    if (next !== undefined) {
      return {
        text: texts.changeRole,
        title: texts.changeRoleTitle({ name: shownName, role: common.roles[next] }),
        about: texts.changeRoleAbout,
        onConfirm: () => changeRole(next),
      }
    }
    return isSelf
      ? { text: texts.leave, title: texts.leaveTitle, about: texts.leaveAbout, onConfirm: remove }
      : {
          text: texts.remove,
          title: texts.removeTitle({ name: shownName }),
          about: texts.removeAbout,
          onConfirm: remove,
        }
  }
  return (
    <tr>
      <td>
        <strong>{shownName}</strong>
        {name !== null && <span class="faint"> {email}</span>}
        {isSelf && <span class="tag">{texts.you}</span>}
      </td>
      <td>
        {mayChange ? (
          <select
            aria-label={texts.role + punctuation.value.colon + (name ?? email)}
            value={role}
            onChange={({ currentTarget }) => {
              const next = roles.find((one) => one === currentTarget.value)
              // It shows the role that the person has, until that is another.
              currentTarget.value = role
              if (next) void askFor(next)
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
      <td class="actions">
        {(isSelf || mayChange) && (
          <button type="button" class="danger" onClick={() => void askFor(undefined)}>
            {isSelf ? texts.leave : texts.remove}
          </button>
        )}
        {asked.value && (
          <AskDialog {...questionOf(asked.value.next)} onClose={close}>
            <MemberKeys userId={userId} {...asked.value} />
          </AskDialog>
        )}
      </td>
    </tr>
  )
}
