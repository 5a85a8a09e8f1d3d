// All organizations of the service, with their size and quota.
import { useSignal } from '@preact/signals'
import { fetchData } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { LogTable } from '../../parts/list/log-table.tsx'
import { numberText } from '../../parts/text/number.ts'
import { words } from '../../words/words.ts'

export function Organizations() {
  const texts = words.value.system
  const q = useSignal('')
  const organizations = useData('system.orgs', {
    query: { limit: 100, ...(q.value === '' ? {} : { q: q.value }) },
  })
  const change = (orgId: string, isDisabled: boolean, name: string): Promise<boolean> =>
    act(
      async () => {
        await fetchData('system.changeOrg', { path: { orgId }, body: { isDisabled } })
        await organizations.reload()
      },
      texts.changed({ name }),
      () => void change(orgId, !isDisabled, name),
    )
  return (
    <div class="page-part">
      <input
        type="search"
        aria-label={texts.searchOrganizations}
        placeholder={texts.searchOrganizations}
        value={q.value}
        onInput={({ currentTarget: { value } }) => (q.value = value)}
      />
      <LogTable of={organizations}>
        {({ id, name, isDisabled, monitors, members, quotas }) => (
          <tr key={id}>
            <td>
              <strong>{name}</strong> {isDisabled && <span class="tag">{texts.disabled}</span>}
            </td>
            <td class="figure">
              {texts.monitorsOf({
                count: numberText(monitors),
                most: numberText(quotas.monitors),
              })}
            </td>
            <td class="figure">
              {texts.membersOf({
                count: numberText(members),
                most: numberText(quotas.members),
              })}
            </td>
            <td class="actions">
              <button type="button" onClick={() => void change(id, !isDisabled, name)}>
                {isDisabled ? texts.enable : texts.disable}
              </button>
            </td>
          </tr>
        )}
      </LogTable>
    </div>
  )
}
