// Letters that tell the administrators that monitoring was interrupted by the local network.
import { timeText } from '../../base/time-text.ts'
import { type Letter, type LetterPlan, letterOf } from '../letter.ts'

export interface Interruption {
  /** The address of the instance. */
  readonly baseUrl: string
  readonly fromMs: number
  /** Null while it lasts. */
  readonly toMs: number | null
  /** What failed: `the name servers`, `the network over IPv4`. */
  readonly lost: readonly string[]
  readonly heldMonitors: number
  /** The number of earlier interruptions without a letter of their own, to limit the letters. */
  readonly untold: number
}

const footer = ['You get this letter because you administer this installation.']

export function observerLetter(interruption: Interruption): Letter {
  return letterOf({ ...observerNews(interruption), footer })
}

/** What the letter says. */
export function observerNews(
  interruption: Interruption,
): Pick<LetterPlan, 'subject' | 'paragraphs'> {
  return interruption.toMs === null
    ? stillInterrupted(interruption)
    : ended(interruption, interruption.toMs)
}

function ended(interruption: Interruption, toMs: number) {
  const { baseUrl, fromMs, lost, heldMonitors, untold } = interruption
  const span = `from ${timeText(fromMs)} to ${timeText(toMs)}`
  return {
    subject: 'Monitoring was interrupted and has resumed',
    paragraphs: [
      `${baseUrl} could not monitor ${span}: ${lost.join(' and ')} did not work where it runs.`,
      heldMonitors === 0
        ? 'No check failed in that time.'
        : `Checks of ${counted(heldMonitors)} failed in that time and were not counted, because ` +
          'nobody could tell whether the targets were at fault. They are being repeated, and ' +
          'outages are announced as usual.',
      ...(untold > 0
        ? [`There were ${untold} more such interruptions since the last letter.`]
        : []),
    ],
  }
}

function stillInterrupted({ baseUrl, fromMs, lost, heldMonitors }: Interruption) {
  return {
    subject: 'Monitoring has been interrupted for an hour',
    paragraphs: [
      `Since ${timeText(fromMs)} the sentinels of ${baseUrl} say that ${lost.join(' and ')} do not ` +
        `work where it runs. Failed checks of ${counted(heldMonitors)} are not counted so far.`,
      'If you can read this, the sentinels may be wrong: check observer.sentinels in ' +
        'the settings, and replace hosts that no longer exist.',
    ],
  }
}

function counted(monitors: number): string {
  return monitors === 1 ? 'one monitor' : `${monitors} monitors`
}
