// Subscribers of status pages elsewhere, as the pages of an import document carry them.

export interface SubscriberPage {
  /** Where they confirmed. */
  readonly source: string
  /** The section of the page that has what a subscriber chose there. */
  readonly sectionNameOf: (chosen: string) => string | undefined
}

interface ForeignSubscriber {
  readonly address: string
  /** The time as the product writes it. */
  readonly confirmedAt: string
  /** What of the page the subscriber chose there; empty: all of it. */
  readonly chosen: readonly string[]
}

/** One that chose something that no section has hears of the whole page: with sections alone it would miss that. */
export function carriedSubscriber(
  { address, confirmedAt, chosen }: ForeignSubscriber,
  { source, sectionNameOf }: SubscriberPage,
) {
  const names = chosen.map(sectionNameOf)
  const known = names.filter((name) => name !== undefined)
  const sectionNames = known.length < names.length ? [] : [...new Set(known)]
  return {
    address,
    ...(sectionNames.length === 0 ? {} : { sectionNames }),
    consent: { source, confirmedAt },
  }
}
