// The page where recipients of e-mail alerts end them. Mail programs post to it by themselves, with
// a body of one field that changes nothing (RFC 8058 §3.1), so the body is not read.
import { unsubscribedPage, unsubscribePage } from '../../pages/unsubscribe-page.ts'
import { pageAnswer } from '../output/page-answer.ts'
import { get, post, resource } from '../routing/route.ts'

const spec = {
  who: { public: true },
  rate: 'page',
  plain: { status: 200, contentType: 'text/html' },
  unparsed: { headers: [] },
} as const

export const unsubscribeRoutes = resource('/unsubscribe', {
  ask: get('/:token', spec).handledBy(({ params: { token } }, { unsubscribes }) => {
    const one = unsubscribes.find(token)
    const action = `/unsubscribe/${token}`
    return pageAnswer(200, one ? unsubscribePage({ ...one, action }) : unsubscribedPage())
  }),
  leave: post('/:token', spec).handledBy(
    async ({ caller, params: { token } }, { unsubscribes }) => {
      await unsubscribes.leave(caller, token)
      return pageAnswer(200, unsubscribedPage())
    },
  ),
})
