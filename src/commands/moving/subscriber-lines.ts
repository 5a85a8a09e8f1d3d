// What became of subscribers who confirmed elsewhere, for a terminal.
import { isRecord } from '../../base/schema/pick.ts'
import { counted, shown } from '../people/columns.ts'

/** Reasons that are told. */
const reasonsMax = 10

/** None if nobody was to come. `done`: what the daemon answers of them. */
export function subscriberLines(done: unknown, isTrial: boolean): string[] {
  const { added, known, ended, leftOut, problems = [] } = isRecord(done) ? done : {}
  const parts = [
    ...[countOf(known, 'subscribed already')],
    ...[countOf(ended, 'left here since they confirmed, and stay away')],
    ...[countOf(leftOut, 'left out')],
  ].flat()
  if (!(Number(added) > 0) && parts.length === 0) return []
  const come = isTrial
    ? 'would come along, confirmed'
    : 'came along, confirmed: they are not asked again'
  // The daemon answers in this form.
  const reasons = problems as readonly { readonly pointer: string; readonly message: string }[]
  return [
    `${counted(Number(added), 'subscriber')} ${come}${parts.length > 0 ? `; ${parts.join(', ')}` : ''}.`,
    ...reasons
      .slice(0, reasonsMax)
      .map(({ pointer, message }) => shown(`  ${pointer} ${message}`.trimEnd())),
  ]
}

function countOf(count: unknown, what: string): string[] {
  return Number(count) > 0 ? [`${Number(count)} ${what}`] : []
}
