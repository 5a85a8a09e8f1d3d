// The imports of the organization: when, from where, and what each did.
import { ask } from '../../api/client.ts'
import { More, usePages } from '../../parts/list/more.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Time } from '../../parts/text/time.tsx'
import { orgId } from '../../stores/session.ts'
import { listed, words } from '../../words/words.ts'
import { type ImportRecord, importName } from './import-record.ts'

const shownMax = 10

export function FormerImports() {
  const { moving: texts } = words.value
  const imports = usePages<'imports.list'>(
    ({ from, call }) =>
      ask('imports.list', {
        ...call,
        path: { orgId: orgId() },
        query: { ...from, limit: shownMax },
      }),
    [orgId()],
  )
  return (
    <Loaded of={imports.entries}>
      {(all) =>
        all.length > 0 && (
          <section class="card">
            <h2>{texts.former}</h2>
            <ul class="former-imports">
              {all.map((one) => (
                <li key={one.id}>
                  <a href={`/app/imports/${one.id}`}>{importName(one)}</a>
                  <span class="faint">
                    <Time at={one.at} />
                  </span>
                  <span>{one.state === 'undone' ? texts.isUndone : countsOf(one)}</span>
                </li>
              ))}
            </ul>
            <More pages={imports} />
          </section>
        )
      }
    </Loaded>
  )
}

/** What it did, in short. */
function countsOf({ counts }: Pick<ImportRecord, 'counts'>): string {
  const { some } = words.value.moving
  const done = (['create', 'change', 'leftOut', 'keep'] as const).filter((one) => counts[one] > 0)
  return listed(done.map((one) => some[one]({ count: counts[one] })))
}
