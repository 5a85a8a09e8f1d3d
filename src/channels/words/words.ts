// What messages say, in one form for every language.

/** The phrases of one language. Functions take texts as they are; renderers escape afterwards. */
export interface Words {
  readonly isDown: (name: string) => string
  readonly isSlow: (name: string) => string
  readonly wasDown: (name: string) => string
  readonly wasSlow: (name: string) => string
  /** Before the title of an incident. */
  readonly reopened: (title: string) => string
  readonly resolved: (title: string) => string
  readonly closedByHand: (title: string) => string
  readonly acknowledged: (title: string) => string
  readonly reminder: (title: string) => string
  readonly updated: (title: string) => string
  readonly incidentsOpened: (count: number) => string
  readonly incidentsResolved: (count: number) => string
  readonly certificateExpires: (name: string, days: number) => string
  readonly domainExpires: (domain: string, days: number) => string
  readonly budgetAtRisk: (name: string) => string
  readonly budgetExhausted: (name: string) => string
  readonly channelFails: (channel: string) => string
  readonly channelWorks: (channel: string) => string
  readonly test: (channel: string) => string
  readonly labels: {
    readonly cause: string
    readonly details: string
    readonly monitors: string
    readonly started: string
    readonly reopened: string
    readonly lasted: string
    /** How long it has lasted so far. */
    readonly lasting: string
    readonly acknowledged: string
    readonly resolved: string
    readonly closed: string
    readonly update: string
    readonly message: string
    readonly note: string
    /** How late the message is. */
    readonly delayed: string
    readonly moreIncidents: string
    readonly monitor: string
    readonly validUntil: string
    readonly issuer: string
    readonly registrar: string
    readonly objective: string
    /** How much of the error budget is used, of how much. */
    readonly budgetUsed: string
    /** When it is used up, if it goes on like this. */
    readonly budgetEnds: string
    readonly channel: string
    readonly failingSince: string
    readonly waiting: string
  }
  readonly statuses: {
    readonly investigating: string
    readonly identified: string
    readonly monitoring: string
    readonly resolved: string
  }
  readonly states: {
    readonly open: string
    readonly acknowledged: string
    readonly resolved: string
    readonly stillFailing: string
  }
  readonly links: {
    readonly incident: string
    /** Where all of them are. */
    readonly incidents: string
    /** The page has the button that acknowledges. */
    readonly acknowledge: string
    readonly runbook: string
    readonly target: string
  }
  /** Phrases of letters by e-mail. */
  readonly letter: {
    readonly why: (channel: string) => string
    readonly openInstead: string
    readonly unsubscribe: string
  }
  readonly more: (count: number) => string
  readonly flapping: string
  /** A person made the severity of an incident that of an outage. */
  readonly becameOutage: string
  readonly stillFailing: string
  readonly testBody: string
}
