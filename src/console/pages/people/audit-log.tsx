// Who did what in the organization, newest first.
import { ask } from '../../api/client.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { More, usePages } from '../../parts/more.tsx'
import { Time } from '../../parts/time.tsx'
import { orgId } from '../../session.ts'
import { words } from '../../words/words.ts'

export function AuditLog() {
  const texts = words.value.people
  const path = { orgId: orgId() }
  const pages = usePages<'audit-log.list'>(
    ({ from, call }) => ask('audit-log.list', { path, query: { limit: 50, ...from }, ...call }),
    [],
  )
  return (
    <div class="page-part">
      <Loaded of={pages.entries}>
        {(entries) => (
          <table class="log card">
            <tbody>
              {entries.map((entry) => {
                const { id, at, actor, action, fields, outcome, address, objectId } = entry
                return (
                  <tr key={id}>
                    <td>
                      <Time at={at} form="local" />
                    </td>
                    <td>{actor.name ?? actor.email ?? actor.kind}</td>
                    <td>
                      <code>{action}</code>{' '}
                      <span class="faint">
                        {objectId} {fields.join(', ')}
                      </span>
                    </td>
                    <td>{outcome !== 'done' && texts.outcomes[outcome]}</td>
                    <td class="faint">{address}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        )}
      </Loaded>
      <div class="actions">
        <More pages={pages} />
        <a class="button" href={`/api/v1/orgs/${orgId()}/audit-log/export?format=csv`} download>
          {texts.exportCsv}
        </a>
      </div>
    </div>
  )
}
