// How the service is.
import { useData } from '../../api/resource.ts'
import { Loaded } from '../../parts/page/loaded.tsx'
import { usePoll } from '../../parts/page/poll.ts'
import { MissingSettings } from '../../parts/text/missing-settings.tsx'
import { numberText } from '../../parts/text/number.ts'
import { bytes } from '../../parts/text/sizes.ts'
import { duration } from '../../parts/text/time.tsx'
import { listed, words } from '../../words/words.ts'
import { Charts } from './charts/charts.tsx'
import { Machines } from './machines.tsx'

const machinesLookMs = 5_000

export function Info() {
  const texts = words.value.system
  const info = useData('system.info', {})
  const hasMachines = (info.value.value?.cluster ?? null) !== null
  usePoll(hasMachines, info.reload, machinesLookMs)
  return (
    <Loaded of={info}>
      {({ version, nodeVersion, uptimeSeconds, data, counts, owed, network, ...more }) => (
        <div class="page-part">
          {more.isMasterKeyBesideData && (
            <p class="note is-degraded">
              {texts.keyBesideData}
              <a href="/guide/master-key" target="_blank" rel="noopener">
                {words.value.common.moreInGuide}
              </a>
            </p>
          )}
          {data.diskState !== 'ok' && <p class="note is-down">{texts.diskLow}</p>}
          {data.damagedRecords > 0 && (
            <p class="note is-down">{texts.damaged({ count: data.damagedRecords })}</p>
          )}
          {network.lost.length > 0 && (
            <p class="note is-down">{texts.networkLost({ what: listed(network.lost) })}</p>
          )}
          {more.mail === 'files' && (
            <p class="note is-degraded">
              <MissingSettings text={texts.noMail} />
            </p>
          )}
          <dl class="facts card">
            <Fact name={texts.version} value={version} />
            <Fact name="Node" value={nodeVersion} />
            <Fact name={texts.uptime} value={duration(uptimeSeconds)} />
            <Fact name={texts.dataSize} value={bytes(data.usedBytes)} />
            <Fact name={texts.diskFree} value={bytes(data.diskFreeBytes)} />
            <Fact name={texts.users} value={numberText(counts.users)} />
            <Fact name={texts.organizations} value={numberText(counts.organizations)} />
            <Fact name={texts.monitors} value={numberText(counts.monitors)} />
            <Fact name={texts.checkThreads} value={numberText(more.checkThreads)} />
            <Fact name={texts.owedAlerts} value={numberText(owed.deliveries)} />
            <Fact name={texts.owedLetters} value={numberText(owed.letters)} />
            <Fact
              name={texts.privateAnswers}
              value={texts.privateAnswerStates[more.privateAnswers]}
            />
          </dl>
          {more.cluster && <Machines members={more.cluster.members} />}
          <Charts />
        </div>
      )}
    </Loaded>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">{value}</dd>
    </div>
  )
}
