// Errors that the service, its clients and its agents reported, grouped by what they have in common.
import { ShieldCheck } from 'lucide'
import { useData } from '../../api/resource.ts'
import { Empty } from '../../parts/page/empty.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Time } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'

export function Errors() {
  const texts = words.value.system
  const errors = useData('system.errors', { query: { limit: 100 } })
  return (
    <Loaded of={errors}>
      {(all) =>
        all.length === 0 ? (
          <Empty icon={ShieldCheck} about={texts.noErrors} />
        ) : (
          <ul class="page-part">
            {all.map(({ id, source, message, stack, count, lastSeenAt }) => (
              <li key={id} class="card">
                <p>
                  <strong>{message}</strong>
                </p>
                <p class="faint">
                  {source} · {texts.times({ count })} · <Time at={lastSeenAt} />
                </p>
                {stack !== null && (
                  <details>
                    <summary>{texts.stack}</summary>
                    <pre>{stack}</pre>
                  </details>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
