// What letters and messages to subscribers say, in one form for every language. What they share with
// the page, such as the words for an update, is in ../../status/words/.
import type { NewsKind } from '../../../domain/subscribers/news.ts'

/** Functions take texts as they are; letters escape afterwards. */
export interface SubscriberWords {
  /** Before the title of what it is about. */
  readonly news: Readonly<Record<NewsKind, string>>
  /** Where one message is about several incidents: `API is down (and 3 more)`. */
  readonly andMore: (title: string, more: number) => string
  readonly status: string
  readonly viewIncident: string
  readonly viewPage: string
  readonly change: string
  readonly openInstead: string
  readonly why: (page: string) => string
  readonly confirm: {
    readonly subject: (page: string) => string
    readonly about: (page: string) => string
    readonly button: string
    readonly footer: string
  }
  /** For an address that asks again. */
  readonly already: {
    readonly subject: (page: string) => string
    readonly about: (page: string) => string
  }
  /** On the page of a subscription. */
  readonly allSections: string
  readonly noneForAll: string
  readonly save: string
  readonly saved: string
  readonly secret: string
  readonly checkMessage: string
  readonly goTo: string
}
