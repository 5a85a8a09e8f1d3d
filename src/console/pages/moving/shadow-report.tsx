// The shadow run of an import: what the old system told beside what stillup would have told, and the end of the silence.
import { useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskButton, AskDialog } from '../../parts/dialog/ask-button.tsx'
import { Choices } from '../../parts/page/choices.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Copyable } from '../../parts/text/copyable.tsx'
import { numberText } from '../../parts/text/number.ts'
import { Said } from '../../parts/text/said.tsx'
import { duration, milliseconds, Time } from '../../parts/text/time.tsx'
import { loadMonitors, monitors } from '../../stores/monitors.ts'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

type Report = Data<'imports.shadow'>
type ShadowLine = Report['lines'][number]
type LineKind = ShadowLine['kind']

const kinds = ['both', 'onlyTheirs', 'onlyOurs', 'notCompared'] as const
const shownMax = 50

interface ShadowReportProps {
  readonly importId: string
  /** The monitors that the import made. */
  readonly madeIds: ReadonlySet<string>
}

interface OfImport extends ShadowReportProps {
  /** Only monitors that stayed are left of it then. */
  readonly isUndone: boolean
}

export function ShadowReport({ importId, madeIds, isUndone }: OfImport) {
  const kind = useSignal<LineKind | 'all'>('all')
  const path = { orgId: orgId(), importId }
  const query = { limit: shownMax, ...(kind.value === 'all' ? {} : { kind: kind.value }) }
  const report = useResource(
    (signal) => fetchData('imports.shadow', { path, query, signal }),
    [importId],
    [kind.value],
  )
  const more = (shown: Report) =>
    act(async () => {
      const last = shown.lines.at(-1)
      const before = last && beganAt(last)
      const next = await fetchData('imports.shadow', {
        path,
        query: { ...query, ...(before ? { before } : {}) },
      })
      report.set({ ...shown, lines: [...shown.lines, ...next.lines], more: next.more })
    })
  return (
    <Loaded of={report}>
      {(found) =>
        isUndone && found.monitors === 0 ? null : (
          <section class="card shadow-run">
            <Head
              report={found}
              importId={importId}
              madeIds={madeIds}
              onChanged={() => void report.reload()}
            />
            <Filter report={found} chosen={kind.value} onChoose={(one) => (kind.value = one)} />
            <Lines lines={found.lines} />
            {found.more > 0 && (
              <button type="button" class="more-rows" onClick={() => void more(found)}>
                {words.value.common.actions.more}
              </button>
            )}
          </section>
        )
      }
    </Loaded>
  )
}

/** When the first of the two told. */
function beganAt({ theirs, ours }: ShadowLine): string | undefined {
  return [theirs?.from, ours?.from].filter((from) => from !== undefined).toSorted()[0]
}

interface HeadProps extends ShadowReportProps {
  readonly report: Report
  readonly onChanged: () => void
}

function Head({ report, importId, madeIds, onChanged }: HeadProps) {
  const { shadow: texts } = words.value.moving
  const { live, reportUrl, toldAt } = report
  const replace = () =>
    act(async () => {
      await fetchData('imports.replaceAddress', { path: { orgId: orgId(), importId } })
      onChanged()
    }, texts.replaced)
  return (
    <>
      <div class="card-head">
        <h2>{texts.title}</h2>
        {report.monitors > 0 && <GoLive importId={importId} madeIds={madeIds} onLive={onChanged} />}
      </div>
      <p>
        {report.monitors > 0 && texts.silent({ count: report.monitors })}{' '}
        {live > 0 && texts.live({ count: live })}
      </p>
      {report.monitors > 0 && reportUrl !== null && (
        <details>
          <summary>{texts.address}</summary>
          <p class="help">{texts.addressHelp}</p>
          <Copyable text={reportUrl} />
          <p class="faint">
            {toldAt === null ? texts.neverTold : texts.toldAt} {toldAt && <Time at={toldAt} />}
          </p>
          <AskButton
            text={texts.replace}
            title={texts.replaceTitle}
            about={texts.replaceAbout}
            onConfirm={replace}
          />
        </details>
      )}
    </>
  )
}

interface GoLiveProps extends ShadowReportProps {
  readonly onLive: () => void
}

function GoLive({ importId, madeIds, onLive }: GoLiveProps) {
  const { shadow: texts } = words.value.moving
  const isOpen = useSignal(false)
  const down = [...monitors.value.values()].filter(
    ({ id, state, glance }) => madeIds.has(id) && state === 'down' && glance.value.isShadow,
  ).length
  const goLive = () =>
    act(async () => {
      await fetchData('imports.goLive', { path: { orgId: orgId(), importId }, body: {} })
      void loadMonitors()
      onLive()
    }, texts.isLive)
  return (
    <>
      <button type="button" class="primary" onClick={() => (isOpen.value = true)}>
        {texts.goLive}
      </button>
      {isOpen.value && (
        <AskDialog
          text={texts.goLive}
          title={texts.goLiveTitle}
          about={texts.goLiveAbout}
          onConfirm={goLive}
          onClose={() => (isOpen.value = false)}
        >
          <p>{texts.goLiveDown({ count: down })}</p>
        </AskDialog>
      )}
    </>
  )
}

interface FilterProps {
  readonly report: Report
  readonly chosen: LineKind | 'all'
  readonly onChoose: (kind: LineKind | 'all') => void
}

function Filter({ report, chosen, onChoose }: FilterProps) {
  const { shadow: texts } = words.value.moving
  const { counts } = report
  const all = kinds.reduce((sum, kind) => sum + counts[kind], 0)
  return (
    <Choices
      label={texts.title}
      all={['all', ...kinds]}
      chosen={chosen}
      textOf={(kind) => `${texts.kinds[kind]} ${numberText(kind === 'all' ? all : counts[kind])}`}
      onChoose={onChoose}
    />
  )
}

function Lines({ lines }: { readonly lines: readonly ShadowLine[] }) {
  const { shadow: texts } = words.value.moving
  if (lines.length === 0) return <p class="faint">{texts.empty}</p>
  return (
    <ul class="shadow-lines">
      {lines.map((line) => (
        <LineRow key={`${line.monitorId} ${line.kind} ${beganAt(line)}`} line={line} />
      ))}
    </ul>
  )
}

function LineRow({ line }: { readonly line: ShadowLine }) {
  const { shadow: texts } = words.value.moving
  const { monitorId, name, kind, theirs, ours, likely, evidence } = line
  return (
    <li class={`is-${kind}`}>
      <p>
        <a href={`/app/monitors/${monitorId}`}>
          <bdi>{name}</bdi>
        </a>{' '}
        <span class="faint">{texts.kinds[kind]}</span>
      </p>
      <div class="shadow-sides">
        <div>
          <h3>{texts.theirs}</h3>
          {likely === 'not_heard' ? (
            <p class="faint">{texts.likely.not_heard}</p>
          ) : (
            <Told told={theirs} text={theirs?.text} />
          )}
        </div>
        <div>
          <h3>{texts.ours}</h3>
          <Told told={ours} text={ours?.cause} />
          {ours && <a href={`/app/incidents/${ours.incidentId}`}>{texts.incident}</a>}
        </div>
      </div>
      <p class="help">
        <First line={line} /> {likely !== null && likely !== 'not_heard' && texts.likely[likely]}
      </p>
      {evidence.length > 0 && (
        <details>
          <summary>{texts.evidence}</summary>
          <ul class="shadow-evidence">
            {evidence.map(({ at, status, reason, latencyMs }) => (
              <li key={at}>
                <Time at={at} form="exact" /> {words.value.common.states[status]}{' '}
                <span class="figure">{milliseconds(latencyMs)}</span>{' '}
                {reason !== null && <Said text={reason} />}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

interface SideProps {
  readonly told: { readonly from: string; readonly to: string | null } | null
  readonly text: string | undefined
}

function Told({ told, text = '' }: SideProps) {
  const { shadow: texts } = words.value.moving
  if (!told) return <p class="faint">{texts.nothingTold}</p>
  return (
    <>
      <p>
        <Time at={told.from} form="exact" /> –{' '}
        {told.to === null ? texts.ongoing : <Time at={told.to} form="exact" />}
      </p>
      {text !== '' && (
        <p>
          <Said text={text} />
        </p>
      )}
    </>
  )
}

function First({ line: { firstBy, differenceSeconds } }: { readonly line: ShadowLine }) {
  const { first } = words.value.moving.shadow
  if (firstBy === null || differenceSeconds === null) return null
  if (differenceSeconds === 0) return <>{first.same}</>
  return <>{first[firstBy]({ time: duration(differenceSeconds) })}</>
}
