// The form with which readers subscribe to a status page.
import { titleOf } from '../../../domain/pages/page.ts'
import { notFoundPage } from '../../../pages/frame.ts'
import { homeOf } from '../../../pages/status/page-frame.ts'
import { chosenSections } from '../../../pages/subscribers/section-boxes.ts'
import { askedPage, subscribePage, trapField } from '../../../pages/subscribers/subscribe-page.ts'
import { formReply, type PageForm, type PageVisit } from './page-form.ts'

export const subscribeForm: PageForm = {
  name: 'pages.subscribe',
  path: '/subscribe',
  creates: true,
  ask(visit, { subscriptions }) {
    const kinds = subscriptions.kindsOf(visit.page)
    if (kinds.length === 0) return formReply(404, notFoundPage(visit.language))
    return formReply(200, subscribePage({ ...planOf(visit), kinds }))
  },
  async submit(visit, { subscriptions }) {
    const { page, language, fields, caller } = visit
    const kinds = subscriptions.kindsOf(page)
    if (kinds.length === 0) return formReply(404, notFoundPage(language))
    const kind = kinds.find((one) => one === fields.kind)
    const plan = planOf(visit)
    const { address = '' } = fields
    if (!kind) {
      const refused = { kind, address, why: 'invalid' } as const
      return formReply(422, subscribePage({ ...plan, kinds, refused }))
    }
    const asked = () => formReply(200, askedPage({ ...plan, kind }))
    if (fields[trapField] !== undefined) return asked()
    const sectionNames = chosenSections(fields)
    const wanted = { kind, address, language, sectionNames }
    const outcome = await subscriptions.ask(page, wanted, caller.address)
    if (outcome === 'asked') return asked()
    const refused = { kind, address, why: outcome }
    const status = outcome === 'too_many' ? 429 : 422
    return formReply(status, subscribePage({ ...plan, kinds, refused }))
  },
}

function planOf({ page, root, language }: PageVisit) {
  return {
    language,
    page: {
      title: titleOf(page),
      path: homeOf({ root }),
      sections: page.sections.map(({ name }) => name),
    },
    action: `${root}/subscribe`,
  }
}
