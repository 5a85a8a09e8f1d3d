// The health of this installation: what is wrong first, each with what to do about it.
import { useSignal } from '@preact/signals'
import { CircleCheck, CircleMinus, CircleX, type IconNode, TriangleAlert } from 'lucide'
import { fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Icon } from '../../parts/text/icon.tsx'
import { Said } from '../../parts/text/said.tsx'
import { Time } from '../../parts/text/time.tsx'
import { type HealthData, health } from '../../stores/health.ts'
import { listed, punctuation, words } from '../../words/words.ts'
import { groupOf, isTitled, settingTitle } from './settings/settings-model.ts'

type Finding = HealthData['findings'][number]
type FindingStatus = Finding['status']

const icons: Readonly<Record<FindingStatus, IconNode>> = {
  problem: CircleX,
  warning: TriangleAlert,
  ok: CircleCheck,
  skipped: CircleMinus,
}
const tones: Readonly<Record<FindingStatus, string>> = {
  problem: 'is-down',
  warning: 'is-degraded',
  ok: 'is-up',
  skipped: 'is-none',
}

async function known(load: () => Promise<HealthData>): Promise<HealthData> {
  const found = await load()
  health.value = found
  return found
}

export function Health() {
  const texts = words.value.system.health
  const isChecking = useSignal(false)
  const found = useResource((signal) => known(() => fetchData('system.health', { signal })), [])
  async function check(): Promise<void> {
    isChecking.value = true
    await act(async () => found.set(await known(() => fetchData('system.checkHealth', {}))))
    isChecking.value = false
  }
  return (
    <Loaded of={found}>
      {({ checkedAt, findings, findingCounts }) => (
        <div class="page-part">
          <Verdict {...findingCounts} />
          <div class="actions">
            <button type="button" aria-busy={isChecking.value} onClick={() => void check()}>
              {texts.again}
            </button>
            <span class="faint">
              {texts.checked} <Time at={checkedAt} />
            </span>
          </div>
          <Bad findings={findings} />
          <Groups findings={findings} />
        </div>
      )}
    </Loaded>
  )
}

function Verdict({ problem, warning }: HealthData['findingCounts']) {
  const texts = words.value.system.health
  const tone = problem > 0 ? tones.problem : warning > 0 ? tones.warning : tones.ok
  const said = [
    ...(problem > 0 ? [texts.problems({ count: problem })] : []),
    ...(warning > 0 ? [texts.warnings({ count: warning })] : []),
  ]
  return (
    <p class={`note ${tone}`} role="status">
      <strong>{said.length === 0 ? texts.well : listed(said)}</strong>
    </p>
  )
}

/** The worst first. */
function Bad({ findings }: Pick<HealthData, 'findings'>) {
  const bad = (['problem', 'warning'] as const).flatMap((status) =>
    findings.filter((one) => one.status === status),
  )
  if (bad.length === 0) return null
  return (
    <ul class="health card">
      {bad.map((one) => (
        <Line key={`${one.check} ${one.subject} ${one.seen}`} finding={one} isNamed />
      ))}
    </ul>
  )
}

/** What is well, and what could not be looked at, by area. */
function Groups({ findings }: Pick<HealthData, 'findings'>) {
  const texts = words.value.system.health
  const rest = findings.filter(({ status }) => status === 'ok' || status === 'skipped')
  const groups = Map.groupBy(rest, ({ check }) => check)
  return (
    <section class="page-part">
      <h2>{texts.rest}</h2>
      <div class="card health-groups">
        {[...groups].map(([check, found]) => (
          <details key={check}>
            <summary>
              {checkTitle(check)} <span class="faint">{texts.looked({ count: found.length })}</span>
            </summary>
            <ul class="health">
              {found.map((one) => (
                <Line key={`${one.subject} ${one.seen}`} finding={one} />
              ))}
            </ul>
          </details>
        ))}
      </div>
    </section>
  )
}

interface LineProps {
  readonly finding: Finding
  /** The area stands before what was looked at. */
  readonly isNamed?: boolean
}

function Line({ finding, isNamed = false }: LineProps) {
  const { check, subject, status, seen, advice } = finding
  return (
    <li class={tones[status]}>
      <Icon of={icons[status]} />
      <span class="hidden">{words.value.system.health.statuses[status]}</span>
      <div>
        <p>
          <strong>
            {isNamed && checkTitle(check) + punctuation.value.colon}
            <Said text={subjectTitle(subject)} />
          </strong>
          {punctuation.value.gap}
          <Said text={seen} />
        </p>
        {advice !== null && (
          <p class="health-advice">
            <Said text={advice} /> <SettingLinks text={`${subject} ${advice}`} />
          </p>
        )}
      </div>
    </li>
  )
}

const settingPattern = /\b[a-z]+\.[a-z]\w+\b/gi

/** The ways to the settings that a sentence names and that can be set in the console. */
function SettingLinks({ text }: { readonly text: string }) {
  const named = [...new Set(text.match(settingPattern) ?? [])].filter(isTitled)
  return (
    <>
      {named.map((path) => (
        <a key={path} href={`/app/system?tab=settings#${groupOf(path)}`}>
          {settingTitle(path)}
        </a>
      ))}
    </>
  )
}

function subjectTitle(subject: string): string {
  const titles: Readonly<Record<string, string>> = words.value.system.health.subjects
  return titles[subject] ?? subject
}

function checkTitle(check: string): string {
  const titles: Readonly<Record<string, string>> = words.value.system.health.checks
  return titles[check] ?? check
}
