// The devices that need no code of the second factor for a while.
import { MonitorSmartphone } from 'lucide'
import { fetchData } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Time } from '../../parts/text/time.tsx'
import { session } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export function TrustedDevices() {
  return session.value?.hasTotp === true ? <DeviceList /> : null
}

function DeviceList() {
  const texts = words.value.profile.devices
  const devices = useData('auth.devices', { query: { limit: 100 } })
  const forget = (deviceId: string) =>
    act(async () => {
      await fetchData('auth.forgetDevice', { path: { deviceId } })
      await devices.reload()
    }, texts.forgotten)
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <LogTable of={devices} none={{ icon: MonitorSmartphone, about: texts.none }} isInside>
        {({ id, address, userAgent, lastUsedAt, expiresAt }) => (
          <tr key={id}>
            <td>{userAgent}</td>
            <td class="faint">{address}</td>
            <td>
              <Time at={lastUsedAt} />
            </td>
            <td class="faint">
              {texts.until} <Time at={expiresAt} />
            </td>
            <td class="actions">
              <button type="button" onClick={() => void forget(id)}>
                {texts.forget}
              </button>
            </td>
          </tr>
        )}
      </LogTable>
    </section>
  )
}
