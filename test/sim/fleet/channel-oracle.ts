// What one channel may and must be told, from what truly happened and from what its receiver got.

/** An incident of a monitor: the number of the monitor, and of the incident among its own. */
export type Subject = string

export type News = 'opened' | 'acknowledged' | 'updated' | 'resolved' | 'reminder'

export interface Attempt {
  readonly webhookId: string
  readonly news: News
  readonly subjects: readonly Subject[]
  /** The time that it tells of: the present, but a digest keeps its bytes once it is made. */
  readonly writtenAtMs: number
  /** When it begins, without the times in which the daemon did not run. */
  readonly awakeMs: number
}

/** What truly happened to an incident so far. */
export interface Truth {
  isOpen: boolean
  isAcknowledged: boolean
  openings: number
  endings: number
  /** The newest ending. */
  endedAtMs: number
  /** It ended because its monitor was paused or deleted. */
  isGone: boolean
  severity: 'down' | 'degraded'
  flapping: boolean
}

interface Heard {
  readonly openings: Set<string>
  readonly endings: Set<string>
  last: 'opened' | 'resolved'
}

interface Expected {
  readonly subject: Subject
  readonly news: News
  readonly awakeMs: number
}

/** News may be on its way for so long while an incident ends. */
const sameMomentMs = 1_000

export interface ChannelTraits {
  readonly name: string
  /** It hears everything, in order, at once: what it must be told is known exactly. */
  readonly isExact: boolean
  /** Nothing may be missing in the end. */
  readonly isLossless: boolean
  /** How long it may wait for news while the daemon runs; only if it is exact. */
  readonly lateMsMax: number
}

export class ChannelOracle {
  readonly traits: ChannelTraits
  readonly #truths: ReadonlyMap<Subject, Truth>
  readonly #heard = new Map<Subject, Heard>()
  readonly #told = new Map<Subject, 'open' | 'resolved'>()
  readonly #expected: Expected[] = []
  /** When each message was last taken by the receiver, and whether the daemon knows that. */
  readonly #taken = new Map<string, { readonly isKnown: boolean; readonly life: number }>()
  readonly #merged = new Set<Subject>()
  messages = 0

  constructor(traits: ChannelTraits, truths: ReadonlyMap<Subject, Truth>) {
    this.traits = traits
    this.#truths = truths
  }

  /** Something happened of which the channel must hear if it knows of the incident. */
  expect(subject: Subject, news: News, awakeMs: number): void {
    if (!this.traits.isExact) return
    const told = this.#told.get(subject)
    if (news === 'opened' ? told === 'open' : told !== 'open') return
    if (news === 'opened') this.#told.set(subject, 'open')
    if (news === 'resolved') this.#told.set(subject, 'resolved')
    this.#expected.push({ subject, news, awakeMs })
  }

  /** An attempt begins. Returns what is wrong with it. */
  attempt(attempt: Attempt, life: number): string[] {
    const { webhookId, news, subjects, writtenAtMs, awakeMs } = attempt
    const problems = subjects.flatMap((subject) => this.#untruths(subject, news, writtenAtMs))
    const taken = this.#taken.get(webhookId)
    if (taken?.isKnown && taken.life === life) problems.push(`${webhookId} is told twice`)
    if (taken || !this.traits.isExact || news === 'reminder') return problems
    const [subject] = subjects
    if (subject !== undefined && news === 'resolved') this.#mergeOvertaken(subject)
    const [next] = this.#expected
    if (next?.subject !== subject || next?.news !== news) {
      problems.push(`${subject} ${news} is told, and ${next?.subject} ${next?.news} is next`)
    } else if (awakeMs - next.awakeMs > this.traits.lateMsMax) {
      problems.push(`${subject} ${news} is told ${awakeMs - next.awakeMs} ms late`)
    }
    return problems
  }

  /** The receiver took the message; `isKnown` if the daemon will learn that. */
  taken({ webhookId, news, subjects }: Attempt, isKnown: boolean, life: number): string[] {
    const isNew = !this.#taken.has(webhookId)
    this.#taken.set(webhookId, { isKnown, life })
    if (!isNew) return []
    this.messages += 1
    if (this.traits.isExact && news !== 'reminder') this.#expected.shift()
    return subjects.flatMap((subject) => this.#hear(subject, news, webhookId))
  }

  /** What is still owed, or was never told, once all is quiet. */
  missing(): string[] {
    const owed = this.#expected.map(({ subject, news }) => `${subject} ${news} was not told`)
    const untold: string[] = []
    for (const [subject, truth] of this.#truths) {
      const heard = this.#heard.get(subject)
      if (truth.isGone || truth.openings === 0) continue
      if (!heard) {
        if (this.traits.isLossless) untold.push(`nothing of ${subject} was told`)
      } else if (this.traits.isLossless && (heard.last === 'opened') !== truth.isOpen) {
        untold.push(`of ${subject} was told last that it ${heard.last}`)
      }
    }
    return [...owed, ...untold]
  }

  /** What began and ended in the same moment is one message. */
  #mergeOvertaken(subject: Subject): void {
    const about = this.#expected.filter((one) => one.subject === subject)
    const [first] = about
    const end = about.find(({ news }) => news === 'resolved')
    if (first?.news !== 'opened' || !end) return
    if (end.awakeMs - first.awakeMs > sameMomentMs) return
    for (const one of about.slice(0, about.indexOf(end))) {
      this.#expected.splice(this.#expected.indexOf(one), 1)
    }
    this.#merged.add(subject)
  }

  #untruths(subject: Subject, news: News, atMs: number): string[] {
    const truth = this.#truths.get(subject)
    if (!truth) return [`${subject} is told and never happened`]
    const endedJustNow = atMs - truth.endedAtMs <= sameMomentMs
    if (news === 'resolved') {
      return truth.endings === 0 ? [`the end of ${subject} is told before it`] : []
    }
    if (news === 'reminder' && (truth.isAcknowledged || truth.flapping) && this.traits.isExact) {
      return [`people are reminded of ${subject}`]
    }
    const isOver = !truth.isOpen && !endedJustNow
    return isOver && news === 'opened' ? [`${subject} ${news} is told, and it is over`] : []
  }

  #hear(subject: Subject, news: News, webhookId: string): string[] {
    const heard = this.#heard.get(subject)
    if (news === 'opened') {
      if (!heard) {
        const openings = new Set([webhookId])
        this.#heard.set(subject, { openings, endings: new Set(), last: 'opened' })
        return []
      }
      const isAgain = heard.last === 'opened'
      heard.openings.add(webhookId)
      heard.last = 'opened'
      return isAgain ? [`the opening of ${subject} is told twice`] : []
    }
    if (news === 'resolved') {
      if (!heard) {
        // One message tells of both ends, where the channel could not be told in between.
        const endings = new Set([webhookId])
        this.#heard.set(subject, { openings: new Set(), endings, last: 'resolved' })
        const mayBeUnopened = !this.traits.isExact || this.#merged.has(subject)
        return !mayBeUnopened ? [`${subject} is over, and was never opened`] : []
      }
      const isAgain = heard.last === 'resolved' && heard.endings.size >= this.#endingsOf(subject)
      heard.endings.add(webhookId)
      heard.last = 'resolved'
      return isAgain ? [`the end of ${subject} is told twice`] : []
    }
    return heard ? [] : [`${subject} ${news} is told without its opening`]
  }

  #endingsOf(subject: Subject): number {
    return this.#truths.get(subject)?.endings ?? 0
  }
}
