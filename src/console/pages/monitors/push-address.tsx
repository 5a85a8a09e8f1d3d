// Where a job reports to, with the line that goes into its cron table; and where it reports as it did elsewhere.
import { type Data, fetchData } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskButton } from '../../parts/dialog/ask-button.tsx'
import { Copyable } from '../../parts/text/copyable.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

interface PushAddressProps {
  readonly monitor: Data<'monitors.get'>
  readonly onChange: (monitor: Data<'monitors.get'>) => void
}

export function PushAddress({ monitor, onChange }: PushAddressProps) {
  const texts = words.value.monitor.push
  if (monitor.pushUrl === null) return null
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p class="faint">{texts.about}</p>
      <Copyable text={monitor.pushUrl} label={texts.title} />
      <p class="faint">{texts.cron}</p>
      <Copyable text={`backup.sh && curl -fsS -m 10 --retry 5 -o /dev/null ${monitor.pushUrl}`} />
      <KeptAddresses monitor={monitor} onChange={onChange} />
    </section>
  )
}

/** Only an import brings them, so here they can only go. */
function KeptAddresses({ monitor, onChange }: PushAddressProps) {
  const { monitor: texts, common } = words.value
  const { keptAddresses = [] } = monitor
  if (keptAddresses.length === 0) return null
  const forget = (address: string) =>
    act(async () => {
      const path = { orgId: orgId(), monitorId: monitor.id }
      const body = { keptAddresses: keptAddresses.filter((one) => one !== address) }
      onChange(await fetchData('monitors.change', { path, body }))
    })
  return (
    <>
      <h3>{texts.push.kept}</h3>
      <p class="faint">{texts.push.keptAbout}</p>
      {keptAddresses.map((address) => (
        <div key={address} class="actions">
          <Copyable text={address} />
          {mayAs('member') && (
            <AskButton
              text={common.actions.remove}
              title={texts.push.forgetTitle}
              about={texts.push.forgetAbout}
              onConfirm={() => forget(address)}
            />
          )}
        </div>
      ))}
    </>
  )
}
