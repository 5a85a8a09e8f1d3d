// Who did something: a member of the organization by name, others as the API names them.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { everyPage, wholeList } from '../../api/client.ts'
import { orgId } from '../../stores/session.ts'

const names = signal<ReadonlyMap<string, string>>(new Map())
let askedOf = ''

async function learnNames(id: string): Promise<void> {
  askedOf = id
  try {
    const members = await wholeList(
      everyPage('members.list', { path: { orgId: id }, query: { limit: 200 } }),
    )
    names.value = new Map(members.map(({ userId, name, email }) => [userId, name ?? email]))
  } catch {
    // The ids stay.
    askedOf = ''
  }
}

export function Person({ id }: { readonly id: string }) {
  const asked = orgId()
  useEffect(() => {
    if (id.startsWith('usr_') && askedOf !== asked) void learnNames(asked)
  }, [id, asked])
  return <span class="faint">{names.value.get(id) ?? id}</span>
}
