// How far something is that runs: a bar and a share, or since when where nobody knows how far.
import { words } from '../../words/words.ts'
import { percentText } from './number.ts'
import { Time } from './time.tsx'

export interface ProgressProps {
  readonly label: string
  readonly of: { readonly doneBytes: number; readonly totalBytes: number } | null
  readonly since: string | null
}

export function Progress({ label, of, since }: ProgressProps) {
  if (of === null || of.totalBytes === 0) {
    return (
      <span role="status">
        {words.value.common.running} {since !== null && <Time at={since} />}
      </span>
    )
  }
  const { doneBytes, totalBytes } = of
  return (
    <span class="progress">
      <progress aria-label={label} max={totalBytes} value={doneBytes} />
      <span class="figure">{percentText(Math.floor((100 * doneBytes) / totalBytes))}</span>
    </span>
  )
}
