// Sees that there are recent backups: makes one when it is due, and tells the operator when there is
// none, once for each time of trouble.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { backupNotice, type MissedBackup } from '../../domain/alerts/system-notice.ts'
import { defaultLocale } from '../../domain/language.ts'
import { noticeLetter } from '../../mail/letters/system-notice.ts'
import type { Store } from '../../store/store.ts'
import type { Language } from '../../texts/languages.ts'
import { writeToAdmins } from '../letters/admin-letters.ts'
import type { SystemNotices } from '../letters/system-notices.ts'
import type { Mailer } from '../mailer.ts'
import type { Backups } from './backups.ts'

export interface BackupWatchDeps {
  readonly store: Pick<Store, 'backupNotes' | 'memberships' | 'orgs' | 'users' | 'write'>
  readonly clock: Clock
  readonly log: Log
  readonly backups: Pick<Backups, 'newest' | 'lastFailure' | 'isRunning'>
  /** 0: none is made by itself. */
  readonly everyHours: number
  /** Runs the task that makes one, and resolves at its end. */
  readonly run: () => Promise<void>
  /** Copies the newest one if that failed. */
  readonly copyAgain: () => Promise<void>
  readonly mailer: Mailer
  readonly systemNotices: Pick<SystemNotices, 'tell'>
  readonly baseUrl: string
}

const hourMs = 3_600_000

/** How long after a start without any backup the first one is made. */
export const backupFirstMs = 10 * 60_000
/** How often the daemon looks whether a backup is due; a failed one is repeated then. */
const backupWatchMs = 60 * 60_000

export function startBackupWatch(deps: BackupWatchDeps) {
  const { store, clock, log, backups, everyHours, mailer, systemNotices, baseUrl } = deps
  const everyMs = everyHours * hourMs
  const startedAtMs = clock.nowMs()
  let timer: unknown
  let isStopped = false

  /** What is wrong; null if nothing is. */
  function missedBackup(): MissedBackup | null {
    const failure = backups.lastFailure()
    if (failure) return failure
    if (everyMs === 0) return null
    const sinceMs = backups.newest()?.takenAtMs ?? startedAtMs
    if (clock.nowMs() - sinceMs <= 2 * everyMs) return null
    return { reason: null }
  }

  function isDue(): boolean {
    if (everyMs === 0 || backups.isRunning()) return false
    const newest = backups.newest()
    return newest === undefined || clock.nowMs() - newest.takenAtMs >= everyMs
  }

  async function tell(): Promise<void> {
    const found = missedBackup()
    const isKnown = () => store.backupNotes.isTroubleTold() === (found !== null)
    if (isKnown()) return
    const newestAtMs = backups.newest()?.takenAtMs ?? null
    const noticeIn = (language: Language) => backupNotice(baseUrl, newestAtMs, found, language)
    await store.write((tx) => {
      // Several who asked for a backup hear of its end at once.
      if (isKnown()) return
      systemNotices.tell(tx, noticeIn(defaultLocale.language))
      writeToAdmins(tx, { store, mailer }, (language) => noticeLetter(noticeIn(language), language))
      store.backupNotes.putTold(tx, found !== null)
    })
  }

  async function look(): Promise<void> {
    try {
      if (isDue()) await deps.run()
      else if (!backups.isRunning()) await deps.copyAgain()
      await tell()
    } catch (error) {
      log.error('the backups could not be looked after', { error })
    }
    arm(backupWatchMs)
  }

  function arm(waitMs: number): void {
    if (!isStopped) timer = clock.setTimeout(() => void look(), waitMs)
  }

  arm(backupFirstMs)
  return {
    /** Tells what is new; for the end of every attempt. */
    tell,
    stop(): void {
      isStopped = true
      clock.clearTimeout(timer)
    },
  }
}
