// What a push monitor heard last from its job, and when it expects to hear from it again.
import type { Data } from '../../api/client.ts'
import { Time } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'
import { Evidence } from './evidence/evidence.tsx'

interface LastReportProps {
  readonly monitor: Data<'monitors.get'>
  readonly result: Data<'monitors.latest'>
}

export function LastReport({ monitor, result }: LastReportProps) {
  const texts = words.value.monitor.push
  const { lastReportAt } = result
  return (
    <section class="card" aria-label={texts.lastReport}>
      <h2>
        {texts.lastReport}{' '}
        {lastReportAt !== null && (
          <span class="faint">
            <Time at={lastReportAt} />
          </span>
        )}
      </h2>
      {lastReportAt === null && <p>{texts.noReport}</p>}
      {result.outcome !== null && <Evidence result={result} />}
      <p>
        <Next monitor={monitor} lastReportAt={lastReportAt} />
      </p>
    </section>
  )
}

interface NextProps {
  readonly monitor: Data<'monitors.get'>
  readonly lastReportAt: string | null
}

function Next({ monitor: { isActive, nextCheckAt }, lastReportAt }: NextProps) {
  const texts = words.value.monitor.push
  if (!isActive) return texts.isPaused
  if (nextCheckAt === null)
    return lastReportAt === null ? texts.nothingDueAtFirst : texts.nothingDue
  return (
    <>
      {texts.nextBy} <Time at={nextCheckAt} form="local" /> (
      <Time at={nextCheckAt} form="countdown" />)
    </>
  )
}
