// Asks the daemon of a data directory how it is.
import { errorText } from '../../base/log/error-text.ts'
import type { ConsoleValues } from '../../config/load.ts'
import { codeOf } from '../../net/failure.ts'
import type { DaemonView } from '../../services/doctor/model/world.ts'
import type { SelfReport } from '../../services/system/self-report.ts'
import { NotListening } from '../../store/control.ts'
import { askDaemon, type DaemonStatus } from '../../store/lock.ts'
import { statusIn } from '../model/daemon.ts'

/** What the console of a running daemon sets; nothing where none runs, or an earlier version. */
export async function consoleSettings(dir: string): Promise<ConsoleValues> {
  const answer = await askDaemon(dir, { verb: 'console-settings' }).catch(() => undefined)
  return fieldsOf(fieldsOf(answer).values)
}

/** The promise never rejects. */
export async function viewDaemon(dir: string): Promise<DaemonView> {
  let status: DaemonStatus
  try {
    status = statusIn(await askDaemon(dir, { verb: 'status' }))
  } catch (error) {
    if (error instanceof NotListening) return { kind: 'absent' }
    if (['EACCES', 'EPERM'].includes(codeOf(error))) return { kind: 'refused' }
    return { kind: 'silent', reason: errorText(error) }
  }
  // A daemon of another version may not know the question, or answer in another form.
  const report = await askDaemon(dir, { verb: 'self-report' }).catch(() => undefined)
  return { kind: 'running', status, report: isReport(report) ? report : undefined }
}

/** Whether the answer has every part that is read. */
function isReport(answer: unknown): answer is SelfReport {
  const { counts, owed, network, data, heartbeat, tasks, certificates, ...rest } = fieldsOf(answer)
  return (
    typeof fieldsOf(counts).monitors === 'number' &&
    typeof fieldsOf(owed).deliveries === 'number' &&
    typeof fieldsOf(owed).letters === 'number' &&
    typeof fieldsOf(data).damagedRecords === 'number' &&
    Array.isArray(fieldsOf(network).lost) &&
    (heartbeat === null || 'lastError' in fieldsOf(heartbeat)) &&
    Array.isArray(tasks) &&
    Array.isArray(certificates) &&
    Array.isArray(rest.reportKeyIds) &&
    typeof rest.checksStarted === 'number' &&
    typeof rest.checksLate === 'number' &&
    typeof rest.startedAtMs === 'number'
  )
}

/** The fields of an object; none of anything else. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
