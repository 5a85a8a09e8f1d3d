// The runs that a job reported, newest first, each with its output.

import { useSignal } from '@preact/signals'
import { Terminal } from 'lucide'
import { ask, fetchData, type Item } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { More, useNewest, usePages } from '../../parts/list/more.tsx'
import { milliseconds, Time } from '../../parts/text/time.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

type Run = Item<'monitors.runs'>

const tones = {
  running: 'is-pending',
  ok: 'is-up',
  error: 'is-down',
  timeout: 'is-down',
  lost: 'is-unknown',
  log: 'is-none',
} as const

export interface PushRunsProps {
  readonly monitorId: string
  /** Changes when there are new reports. */
  readonly version: string
}

export function PushRuns({ monitorId, version }: PushRunsProps) {
  const texts = words.value.monitor.runs
  const path = { orgId: orgId(), monitorId }
  const pages = usePages<'monitors.runs'>(
    ({ from, call }) => ask('monitors.runs', { path, query: { limit: 20, ...from }, ...call }),
    [monitorId],
  )
  const { entries } = pages
  const output = useSignal<{ readonly number: number; readonly log: string } | undefined>(undefined)
  useNewest(pages, version)
  const open = (number: number) =>
    act(async () => {
      const run = await fetchData('monitors.oneRun', { path: { ...path, number: String(number) } })
      output.value = { number, log: run.log ?? '' }
    })
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <LogTable
        of={entries}
        none={{ icon: Terminal, about: texts.none }}
        heads={[
          texts.started,
          words.value.monitor.outcome,
          texts.duration,
          texts.exitCode,
          texts.message,
          texts.output,
        ]}
        isInside
      >
        {(run) => <RunRow key={run.number} run={run} onOpen={() => void open(run.number)} />}
      </LogTable>
      <More pages={pages} />
      {output.value && (
        <Dialog
          title={texts.outputOf({ number: output.value.number })}
          isWide
          onClose={() => (output.value = undefined)}
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it scrolls by keyboard */}
          <pre class="run-log" tabIndex={0}>
            {output.value.log}
          </pre>
        </Dialog>
      )}
    </section>
  )
}

function RunRow({ run, onOpen }: { readonly run: Run; readonly onOpen: () => void }) {
  const texts = words.value.monitor.runs
  const { status, startedAt, endedAt, durationMs, exitCode, runId, message, hasLog } = run
  const at = startedAt ?? endedAt
  return (
    <tr>
      <td>{at !== null && <Time at={at} form="exact" />}</td>
      <td>
        <span class={`state ${tones[status]}`}>{texts.statuses[status]}</span>
      </td>
      <td class="figure">{durationMs !== null && milliseconds(durationMs)}</td>
      <td class="figure">{exitCode !== null && texts.exit({ code: exitCode })}</td>
      <td>
        {message} {runId !== null && <code class="faint">{runId}</code>}
      </td>
      <td>
        {hasLog && mayAs('member') && (
          <button type="button" onClick={onOpen}>
            {texts.showOutput}
          </button>
        )}
      </td>
    </tr>
  )
}
