// The ping keys of Healthchecks that an import brought. A sender with one of them can make push monitors.
import { fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskButton } from '../../parts/dialog/ask-button.tsx'
import { Time } from '../../parts/text/time.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export function PingKeys() {
  const { pingKeys: texts } = words.value.people
  const keys = useResource(
    (signal) => fetchData('ping-keys.list', { path: { orgId: orgId() }, signal }),
    [orgId()],
  )
  const all = keys.value.value?.pingKeys ?? []
  if (all.length === 0) return null
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p class="help">{texts.about}</p>
      <ul class="former-imports">
        {all.map(({ hash, hint, createdAt }) => (
          <li key={hash}>
            <code>{hint}…</code>
            <span class="faint">
              <Time at={createdAt} />
            </span>
            <AskButton
              text={words.value.common.actions.remove}
              title={texts.removeTitle({ hint })}
              about={texts.removeAbout}
              onConfirm={() =>
                act(async () => {
                  await fetchData('ping-keys.remove', { path: { orgId: orgId(), hash } })
                  void keys.reload()
                })
              }
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
