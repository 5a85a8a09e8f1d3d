// What public pages say, in one form for every language.
import type {
  OverallKind,
  PublicState,
  PublicTitleKind,
  PublicUpdateKind,
} from '../../view/public-page.ts'

/** Functions take texts as they are; pages escape afterwards. Spans and shares come formatted. */
export interface PageWords {
  /** One sentence for the whole page, without a full stop. */
  readonly overall: Readonly<Record<OverallKind, string>>
  readonly states: Readonly<Record<PublicState, string>>
  /** What the banner is called for screen readers. */
  readonly currentStatus: string
  /** Before a time. */
  readonly updated: string
  readonly skipToContent: string
  /** While the page cannot reach the service, for readers whose browsers run scripts. */
  readonly connectionLost: string
  readonly headings: {
    readonly ongoing: string
    readonly maintenance: string
    readonly services: string
    /** Monitors that are in no section, while others are. */
    readonly otherServices: string
    readonly recentIncidents: (days: number) => string
    readonly history: string
    readonly incidents: string
    readonly responseTimes: string
  }
  /** What stands where there is nothing. */
  readonly empty: {
    readonly services: string
    readonly incidents: string
    /** While there are ongoing ones. */
    readonly otherIncidents: string
    readonly month: string
    readonly maintenance: string
  }
  readonly incident: {
    readonly ongoing: string
    readonly resolved: string
    /** Titles that the daemon made. */
    readonly titles: Readonly<Record<PublicTitleKind, (name: string) => string>>
    readonly updates: Readonly<Record<PublicUpdateKind, string>>
    readonly keepsChanging: string
    readonly lasted: (span: string) => string
    readonly soFar: (span: string) => string
    readonly affected: string
    readonly started: string
    readonly ended: string
    readonly duration: string
    readonly timeline: string
    readonly postmortem: string
    /** The line for several incidents that the daemon opened. */
    readonly automatic: (count: number) => string
    readonly details: string
    /** Before or in place of updates that are not shown. */
    readonly earlierUpdates: (count: number) => string
  }
  readonly maintenance: {
    readonly inProgress: string
    readonly planned: string
    readonly completed: string
    readonly allServices: string
    readonly from: string
    readonly until: string
    readonly addToCalendar: string
  }
  /** The bars of the days. */
  readonly days: {
    readonly noData: string
    readonly noDowntime: string
    readonly down: (span: string) => string
    readonly degraded: (span: string) => string
    readonly maintenance: (span: string) => string
    /** The share of one day. */
    readonly upShare: (percent: string) => string
    readonly uptime: (percent: string) => string
    readonly overDays: (days: number) => string
    readonly uptimeUnknown: string
    readonly daysAgo: (days: number) => string
    readonly today: string
    readonly andEarlier: (days: number) => string
    readonly chartOf: (name: string) => string
    /** One sentence that describes all bars. */
    readonly noDataInDays: (days: number) => string
    readonly noDowntimeInDays: (days: number) => string
    readonly noDowntimeWhereKnown: string
    readonly downOnDays: (span: string, hurt: number, days: number) => string
    readonly downOnKnownDays: (span: string, hurt: number, known: number) => string
    readonly downOnOnlyDay: (span: string) => string
  }
  readonly legend: {
    readonly heading: string
    readonly up: string
    readonly degraded: string
    readonly partlyDown: string
    readonly down: string
    readonly maintenance: string
    readonly noData: string
    /** Where the page is in another time zone than its days. */
    readonly utcDays: string
  }
  readonly responseTimes: {
    readonly median: string
    readonly p95: string
    readonly noData: string
    readonly ofLastDays: (days: number) => string
    readonly summary: (median: string, p95: string) => string
  }
  readonly footer: {
    /** `zone`: a name such as Europe/Berlin, or UTC. */
    readonly timesIn: (zone: string) => string
    readonly monitoredBy: (product: string) => string
    readonly feeds: string
    readonly calendar: string
    readonly subscribe: string
    readonly currentStatus: string
  }
  readonly history: {
    readonly title: (month: string) => string
    readonly link: string
    readonly earlier: string
    readonly later: string
    readonly incidents: (count: number) => string
    /** More incidents than one page lists. */
    readonly onlyNewest: (count: number) => string
  }
  readonly subscribe: {
    readonly heading: string
    readonly about: string
    readonly email: string
    readonly webhook: string
    readonly slack: string
    readonly onlySections: string
    readonly button: string
    readonly privacy: string
    readonly checkMail: string
    readonly confirmHeading: string
    readonly confirmButton: string
    readonly confirmed: string
    readonly unsubscribeHeading: string
    readonly unsubscribeButton: string
    readonly unsubscribed: string
    readonly invalidEmail: string
    readonly invalidUrl: string
    readonly unknownKind: string
    readonly tooMany: string
    readonly linkExpired: string
  }
  readonly password: {
    readonly heading: string
    readonly about: string
    readonly label: string
    readonly button: string
    readonly wrong: string
    readonly tooMany: string
    readonly signOut: string
  }
  /** Titles of feeds and calendars. */
  readonly feeds: {
    readonly incidents: (page: string) => string
    readonly maintenance: (page: string) => string
  }
  readonly badges: {
    readonly status: string
    readonly uptime: string
    readonly responseTime: string
  }
  readonly notFound: {
    readonly title: string
    readonly heading: string
    readonly about: string
  }
}
