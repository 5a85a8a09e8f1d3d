// The page of the link that ends letters of an alert channel. Opening it changes nothing; its button
// does, because mail scanners open links too.
import { actionPage } from './action-page.ts'
import type { Html } from './html.ts'

export interface UnsubscribePage {
  /** A path of this service. */
  readonly action: string
  readonly address: string
  readonly channelName: string
  readonly organizationName: string
}

export function unsubscribePage(page: UnsubscribePage): Html {
  const { action, address, channelName, organizationName } = page
  return actionPage({
    title: 'Stop alerts by e-mail?',
    sentences: [
      `${address} gets the alerts of the channel “${channelName}” of ${organizationName}.`,
      'Nobody is told of outages at this address any more once you stop them. ' +
        'Only the organization can add the address again.',
    ],
    form: { action, hidden: {}, button: 'Stop these letters' },
  })
}

/** Also for an address that was taken out before. */
export function unsubscribedPage(): Html {
  return actionPage({
    title: 'These letters have ended',
    sentences: ['This address gets no more alerts from this channel. You can close this page.'],
  })
}
