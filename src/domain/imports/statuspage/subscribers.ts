// Subscribers of a page of Statuspage who confirmed: those by mail. The others are counted.
import { carriedSubscriber, type SubscriberPage } from '../carried-subscriber.ts'
import { type ForeignFields, fieldsOf, listOf, type Note, numberOf, textOf } from '../foreign.ts'

export interface StatuspageSubscribers extends SubscriberPage {
  /** How many there are, by type and state. */
  readonly counts: ForeignFields
  readonly note: Note
}

const others = {
  sms: 'by SMS',
  slack: 'in Slack',
  teams: 'in Teams',
  webhook: 'by webhook',
  integration_partner: 'by an integration',
}

/** Their time is that of the subscription, which was confirmed after it; it tells no other. */
export function subscribersOf(
  given: readonly ForeignFields[],
  { counts, note, ...page }: StatuspageSubscribers,
): readonly object[] {
  let narrowed = 0
  const mailed = given.filter(
    ({ mode, email, quarantined_at }) =>
      ['', 'email'].includes(textOf(mode)) && textOf(email) !== '' && textOf(quarantined_at) === '',
  )
  const subscribers = mailed.map(({ email, components, created_at }) => {
    const chosen = listOf(components).map(textOf)
    if (chosen.length > 0) narrowed += 1
    const one = { address: textOf(email), confirmedAt: textOf(created_at), chosen }
    return carriedSubscriber(one, page)
  })
  const { email, ...types } = counts
  const { unconfirmed, quarantined } = fieldsOf(email)
  const asked = numberOf(unconfirmed) ?? 0
  if (asked > 0) note(`${asked} of its subscribers had not confirmed, and stayed there`)
  const gone = numberOf(quarantined) ?? 0
  if (gone > 0) note(`${gone} of its subscribers could not be reached, and stayed there`)
  for (const [type, how] of Object.entries(others)) {
    const active = numberOf(fieldsOf(types[type]).active) ?? 0
    if (active > 0) note(`${active} of its subscribers ${how}: ask them to subscribe here`)
  }
  if (narrowed > 0) {
    note(
      `${narrowed} of its subscribers chose components: they hear of the sections that have them`,
    )
  }
  return subscribers
}
