// The API keys that lose rights when their maker does, in the question before it: an owner can adopt
// them there.
import { useSignal } from '@preact/signals'
import { type Answer, ask, fetchData, type Item } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { mayAs, orgId, type Role, session } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export type Key = Item<'api-keys.list'>

const ranks: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

/** The keys that can do less once their maker has this role; undefined: is no member any more. */
export async function keysThatLose(userId: string, next: Role | undefined): Promise<Key[]> {
  const path = { orgId: orgId() }
  const found: Key[] = []
  const isLosing = ({ createdBy, effectiveRole }: Key) =>
    createdBy === userId &&
    effectiveRole !== null &&
    (next === undefined || ranks.indexOf(effectiveRole) > ranks.indexOf(next))
  let from: { readonly cursor?: string } = {}
  for (;;) {
    const query = { limit: 200, ...from }
    const page: Answer<'api-keys.list'> = await ask('api-keys.list', { path, query })
    found.push(...page.data.filter(isLosing))
    if (page.nextCursor === undefined) return found
    from = { cursor: page.nextCursor }
  }
}

/** Resolves with whether it is done. */
export function adopt({ id, name }: Pick<Key, 'id' | 'name'>): Promise<boolean> {
  const path = { orgId: orgId(), keyId: id }
  return act(() => fetchData('api-keys.adopt', { path }), words.value.people.keyAdopted({ name }))
}

export interface MemberKeysProps {
  readonly userId: string
  readonly keys: readonly Key[]
  readonly next: Role | undefined
}

export function MemberKeys({ userId, keys, next }: MemberKeysProps) {
  const { people: texts, common } = words.value
  const adopted = useSignal<readonly string[]>([])
  if (keys.length === 0) return null
  const isSelf = session.value?.user.id === userId
  const mayAdopt = mayAs('owner') && !isSelf
  async function adoptOne(key: Key): Promise<void> {
    if (await adopt(key)) adopted.value = [...adopted.value, key.id]
  }
  return (
    <>
      <p>{next === undefined ? texts.keysEnd : texts.keysLose}</p>
      <ul class="losing-keys">
        {keys.map((key) => {
          const isAdopted = adopted.value.includes(key.id)
          return (
            <li key={key.id}>
              <span>
                <strong>{key.name}</strong> <code class="faint">{key.prefix}…</code>{' '}
                {common.roles[key.role]}
              </span>
              <span class="faint" role="status">
                {isAdopted
                  ? texts.adopted
                  : next === undefined
                    ? texts.keyEnds
                    : texts.keyBecomes({ role: common.roles[next] })}
              </span>
              {mayAdopt && !isAdopted && (
                <button type="button" onClick={() => void adoptOne(key)}>
                  {texts.adopt}
                </button>
              )}
            </li>
          )
        })}
      </ul>
      <p class="faint">{mayAdopt ? texts.keysAdoptable : texts.keysOfOwners}</p>
    </>
  )
}
