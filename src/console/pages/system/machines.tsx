// The machines that keep the same data: which one leads, and how far each standby is.
import type { Data } from '../../api/client.ts'
import { outward } from '../../base/base-path.ts'
import { Copyable } from '../../parts/text/copyable.tsx'
import { clockTime, Time } from '../../parts/text/time.tsx'
import { punctuation, words } from '../../words/words.ts'

type Cluster = NonNullable<Data<'system.info'>['cluster']>
type Machine = Cluster['members'][number]

export function Machines({ members }: Pick<Cluster, 'members'>) {
  const { system, common } = words.value
  const { title, none, command } = system.machines
  const server = new URL(outward('/'), location.href).href.replace(/\/$/, '')
  return (
    <section class="page-part machines">
      <h2>{title}</h2>
      <table class="log card">
        <tbody>
          {members.map((machine) => (
            <MachineRow key={machine.name + machine.role} {...machine} />
          ))}
        </tbody>
      </table>
      {members.length === 1 && (
        <>
          <p>{none}</p>
          <Copyable isBlock label={command} text={`stillup standby --of ${server}`} />
        </>
      )}
      <p>
        <a href="/guide/standby" target="_blank" rel="noopener">
          {common.moreInGuide}
        </a>
      </p>
    </section>
  )
}

function MachineRow({ name, role, version, address, isThis, ...how }: Machine) {
  const { machines: texts } = words.value.system
  const { version: versionText, lastWord } = words.value.locations
  const { behind: count, behindSince } = how
  return (
    <tr>
      <td>
        <span class={`state ${how.isInStep ? 'is-up' : 'is-degraded'}`}>
          <bdi>{name}</bdi>
        </span>
        {isThis && <div class="faint">{texts.isThis}</div>}
      </td>
      <td>
        {versionText({ version })}
        {address !== null && (
          <div class="faint">
            <bdi>{address}</bdi>
          </div>
        )}
      </td>
      <td>
        {role === 'leader' ? (
          texts.leads
        ) : behindSince === null ? (
          texts.inStep
        ) : (
          <>
            {texts.away({ time: clockTime(behindSince) })}
            <div class="faint">{texts.behind({ count })}</div>
          </>
        )}
      </td>
      <td class="faint">
        {!isThis && (
          <>
            {lastWord + punctuation.value.colon}
            <Time at={how.heardAt} />
          </>
        )}
      </td>
    </tr>
  )
}
