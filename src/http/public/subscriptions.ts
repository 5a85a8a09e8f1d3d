// The routes of a subscription, at the service's own address: they work for disabled and protected
// pages, and after a page was renamed. Mail programs post to `unsubscribe` by themselves (RFC 8058).

import { languageFor } from '../../domain/language.ts'
import type { Html } from '../../pages/html.ts'
import { chosenSections } from '../../pages/subscribers/section-boxes.ts'
import {
  endedSubscriptionPage,
  endSubscriptionPage,
  noSubscriptionPage,
  subscriptionPage,
} from '../../pages/subscribers/subscription-page.ts'
import { formFields } from '../input/form-body.ts'
import type { RawReply, RawRequest, RawRoute } from '../routing/raw-route.ts'
import { formReply } from './pages/page-form.ts'

const path = '/subscriptions/:token'
const headers = ['accept-language']

const tokenOf = ({ params }: RawRequest) => params.token ?? ''
const pathOf = (request: RawRequest) => `/subscriptions/${tokenOf(request)}`

function unknown(request: RawRequest): RawReply {
  const language = languageFor(request.header('accept-language'))
  return formReply(410, noSubscriptionPage(language))
}

function shown(page: Html): RawReply {
  return formReply(200, page)
}

export const subscriptionPages: readonly RawRoute[] = [
  {
    name: 'subscriptions.ask',
    path,
    rate: 'page',
    isOfService: true,
    headers,
    handle(request, { subscriptions }) {
      const found = subscriptions.find(tokenOf(request))
      return found ? shown(subscriptionPage(found, pathOf(request), false)) : unknown(request)
    },
  },
  {
    name: 'subscriptions.save',
    method: 'POST',
    path,
    rate: 'page',
    isOfService: true,
    from: 'form',
    headers,
    async handle(request, { subscriptions }) {
      const chosen = chosenSections(formFields(request.body))
      const saved = await subscriptions.save(tokenOf(request), chosen)
      return saved ? shown(subscriptionPage(saved, pathOf(request), true)) : unknown(request)
    },
  },
  {
    name: 'subscriptions.askToLeave',
    path: `${path}/unsubscribe`,
    rate: 'page',
    isOfService: true,
    headers,
    handle(request, { subscriptions }) {
      const found = subscriptions.find(tokenOf(request))
      if (!found) return unknown(request)
      return shown(endSubscriptionPage(found, `${pathOf(request)}/unsubscribe`))
    },
  },
  {
    name: 'subscriptions.leave',
    method: 'POST',
    path: `${path}/unsubscribe`,
    rate: 'page',
    isOfService: true,
    from: 'anywhere',
    async handle(request, { subscriptions }) {
      return shown(endedSubscriptionPage(await subscriptions.leave(tokenOf(request))))
    },
  },
]
