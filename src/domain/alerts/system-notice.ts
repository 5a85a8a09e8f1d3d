// News of the service itself, for the channels that an administrator chose, in English; those that
// letters tell, too, also in the language of a reader.

import { unreachable } from '../../base/assert.ts'
import { clip } from '../../base/clip.ts'
import type { OrgId } from '../../base/ids.ts'
import { toIso } from '../../base/schema/schema.ts'
import { sizeText } from '../../base/sizes.ts'
import { timeText } from '../../base/time-text.ts'
import type { Language } from '../../texts/languages.ts'
import { saidIn, textsOf } from '../../texts/texts.ts'
import { utcTimeText } from '../../texts/times.ts'
import type { Gap } from '../health/span.ts'
import { limits } from '../limits/limits.ts'
import type { SizeState } from '../system/space-states.ts'
import type { SystemNoticePayload } from './payload.ts'

const systemNoticeKinds = [
  'network',
  'damage',
  'disk',
  'gap',
  'clock',
  'channel',
  'monitor',
  'certificate',
  'backup',
  'restore',
  'location',
  'standby',
] as const

export interface SystemNotice {
  readonly kind: (typeof systemNoticeKinds)[number]
  readonly title: string
  /** Whole sentences. */
  readonly text: string
  /** The trouble is over. */
  readonly isOver: boolean
}

/** `orgId`: whose channel gets it. */
export function systemNoticePayload(
  orgId: OrgId,
  { kind, title, text, isOver }: SystemNotice,
  nowMs: number,
): SystemNoticePayload {
  return {
    type: 'system.notice',
    timestamp: toIso(nowMs),
    data: { orgId, notice: { kind, title, text, isOver } },
  }
}

/** The daemon did not run, so nothing was checked. */
export function gapNotice(baseUrl: string, { fromMs, toMs }: Gap): SystemNotice {
  return {
    kind: 'gap',
    title: 'Monitoring was not running and has resumed',
    text: `${baseUrl} did not run from ${timeText(fromMs)} to ${timeText(toMs)}. Nothing was checked in that time.`,
    isOver: true,
  }
}

/**
 * By a wrong clock certificates look not yet valid, or expired, which is no fault of the targets.
 * `shownMs`: what the clock shows.
 */
export function clockNotice(
  baseUrl: string,
  state: 'right' | 'behind' | 'unproven',
  shownMs: number,
): SystemNotice {
  const shown = `The clock of ${baseUrl} shows ${timeText(shownMs)}`
  const effect =
    'Until a certificate is valid by it, checks that fail for this reason are unknown: nothing opens, and nobody is alerted. Set the clock, and keep it right with NTP.'
  switch (state) {
    case 'right':
      return {
        kind: 'clock',
        title: 'The clock is right again',
        text: `${shown}, and certificates are valid by it.`,
        isOver: true,
      }
    case 'behind':
      return {
        kind: 'clock',
        title: 'The clock of this service is behind',
        text: `${shown}, a time that has certainly passed, so certificates look not yet valid. ${effect}`,
        isOver: false,
      }
    case 'unproven':
      return {
        kind: 'clock',
        title: 'The clock of this service may be wrong',
        text: `${shown}. By it certificates have expired, and none was valid. ${effect}`,
        isOver: false,
      }
    default:
      return unreachable(state)
  }
}

/** The checks of a monitor crash: a bug of this program, which the organization cannot repair. */
export function suspendedNotice(
  baseUrl: string,
  { id, orgId }: { readonly id: string; readonly orgId: string },
  reason: string,
): SystemNotice {
  return {
    kind: 'monitor',
    title: 'A monitor is suspended because its checks crash',
    text: `On ${baseUrl} the checks of ${id} (${orgId}) crashed ${limits.actorCrashesMax} times in a row, which is a bug of this program: ${clip(reason, limits.errorMessageCharsMax)}. It is not checked until it is resumed or changed.`,
    isOver: false,
  }
}

/** The certificate of a host of this service; `reason`: why it is not renewed, null once it is. */
export function hostCertificateNotice(
  host: string,
  expiresAtMs: number,
  reason: string | null,
): SystemNotice {
  const until = timeText(expiresAtMs)
  if (reason === null) {
    return {
      kind: 'certificate',
      title: `The certificate of ${host} was renewed`,
      text: `It is valid until ${until}.`,
      isOver: true,
    }
  }
  return {
    kind: 'certificate',
    title: `The certificate of ${host} is not renewed`,
    text: `It is valid until ${until}; after that browsers refuse ${host}. ${clip(reason, limits.certificateReasonCharsMax)}`,
    isOver: false,
  }
}

export function diskNotice(
  baseUrl: string,
  state: 'ok' | 'low' | 'full',
  freeBytes: number,
): SystemNotice {
  const free = `${sizeText(freeBytes)} is free.`
  switch (state) {
    case 'ok':
      return {
        kind: 'disk',
        title: 'The disk has space again',
        text: `The disk of ${baseUrl} has space again: ${free}`,
        isOver: true,
      }
    case 'low':
      return {
        kind: 'disk',
        title: 'The disk is almost full',
        text: `The disk of ${baseUrl} is almost full: ${free} When it is full, nothing new can be created.`,
        isOver: false,
      }
    default:
      return {
        kind: 'disk',
        title: 'The disk is full',
        text: `The disk of ${baseUrl} is full: ${free} Checks and alerts go on; nothing new can be created.`,
        isOver: false,
      }
  }
}

interface SizeNumbers {
  readonly usedBytes: number
  /** 0 without a budget. */
  readonly bytesMax: number
}

/** The data under its budget, data.maxMib. */
export function sizeNotice(
  baseUrl: string,
  state: SizeState,
  { usedBytes, bytesMax }: SizeNumbers,
): SystemNotice {
  const used = sizeText(usedBytes)
  const share = bytesMax === 0 ? '' : ` of ${sizeText(bytesMax)} (data.maxMib)`
  const text = (what: string) => `The data of ${baseUrl} takes ${used}${share}. ${what}`
  switch (state) {
    case 'ok':
      return {
        kind: 'disk',
        title: 'The data has room again',
        text: text('Nothing is dropped or refused.'),
        isOver: true,
      }
    case 'large':
      return {
        kind: 'disk',
        title: 'The data has used most of its budget',
        text: text('From 90 % on the oldest results of checks are dropped.'),
        isOver: false,
      }
    case 'trimmed':
      return {
        kind: 'disk',
        title: 'The oldest results of checks are dropped',
        text: text('Uptime, incidents and alerts stay. At 100 % nothing new can be created.'),
        isOver: false,
      }
    case 'full':
      return {
        kind: 'disk',
        title: 'The data has used up its budget',
        text: text('Checks and alerts go on; nothing new can be created.'),
        isOver: false,
      }
    default:
      return unreachable(state)
  }
}

/** Why there is no recent backup. `reason`: of the last failure; null: the newest backup is too old. */
export interface MissedBackup {
  readonly reason: string | null
  /** It was made, but not copied. */
  readonly isOfCopy?: boolean
}

/** There is no recent backup, or there is one again. `missed`: null if it is over. */
export function backupNotice(
  baseUrl: string,
  newestAtMs: number | null,
  missed: MissedBackup | null,
  language: Language,
): SystemNotice {
  const { again, failing, uncopied, none, newest, retried, trouble } = textsOf(
    'letters',
    language,
  ).backup
  const known =
    newestAtMs === null
      ? none({ service: baseUrl })
      : newest({ service: baseUrl, time: utcTimeText(newestAtMs, language) })
  if (missed === null) return { kind: 'backup', title: again, text: known, isOver: true }
  const { reason, isOfCopy } = missed
  const why =
    reason === null
      ? trouble.old
      : trouble.failed({ reason: clip(saidIn(language, reason), limits.errorMessageCharsMax) })
  const title = isOfCopy ? uncopied : failing
  return { kind: 'backup', title, text: `${known} ${why} ${retried}`, isOver: false }
}

/** No standby has everything, since then; `aloneSinceMs` is null once one has it again. */
export function standbyNotice(
  service: string,
  aloneSinceMs: number | null,
  language: Language,
): SystemNotice {
  const { alone, since, look, again, has } = textsOf('letters', language).standby
  if (aloneSinceMs === null) {
    return { kind: 'standby', title: again, text: has({ service }), isOver: true }
  }
  const text = `${since({ service, time: utcTimeText(aloneSinceMs, language) })} ${look}`
  return { kind: 'standby', title: alone, text, isOver: false }
}

/** The data was put back from a backup. `reason`: what was wrong with it before. */
export function restoreNotice(
  baseUrl: string,
  restored: {
    readonly backup: string
    readonly takenAtMs: number
    readonly isAutomatic: boolean
    readonly reason: string | null
    readonly keptIn: string | null
  },
  language: Language,
): SystemNotice {
  const { backup, takenAtMs, isAutomatic, keptIn } = restored
  const texts = textsOf('letters', language).restore
  const reason = clip(saidIn(language, restored.reason ?? ''), limits.errorMessageCharsMax)
  const sentences = [
    isAutomatic
      ? texts.automatic({ service: baseUrl, reason, backup })
      : texts.byHand({ service: baseUrl, backup }),
    texts.missing({ time: utcTimeText(takenAtMs, language) }),
    ...(keptIn === null ? [] : [texts.kept({ folder: keptIn })]),
    texts.signIn,
  ]
  const title = isAutomatic ? texts.subjectAutomatic : texts.subjectByHand
  return { kind: 'restore', title, text: sentences.join(' '), isOver: true }
}

/** No channel of an organization works, or one does again. The owners got a letter. */
export function channelNotice(orgName: string, channelName: string, isOver: boolean): SystemNotice {
  return {
    kind: 'channel',
    title: isOver ? `Alerts of ${orgName} arrive again` : `Alerts of ${orgName} do not arrive`,
    text: isOver
      ? `The alert channel ${channelName} works again.`
      : `The alert channel ${channelName} fails, and ${orgName} has no other one that works. Its owners got a letter.`,
    isOver,
  }
}
