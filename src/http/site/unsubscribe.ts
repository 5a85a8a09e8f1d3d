// The page where recipients of e-mail alerts end them. Mail programs post to it by themselves, with
// a body of one field that changes nothing (RFC 8058 §3.1), so the body is not read.
import { unsubscribedPage, unsubscribePage } from '../../pages/alert/unsubscribe-page.ts'
import type { LetterSubscription } from '../../services/alerts/unsubscribes.ts'
import { pageAnswer } from '../output/page-answer.ts'
import { get, type PlainAnswer, post, resource } from '../routing/route.ts'

const spec = {
  who: { public: true },
  rate: 'page',
  plain: { status: 200, contentType: 'text/html' },
  unparsed: { headers: [] },
} as const

export const unsubscribeRoutes = resource('/unsubscribe', {
  ask: get('/:token', spec).handledBy(({ params: { token } }, { unsubscribes }) =>
    answerOf(unsubscribes.find(token), token),
  ),
  leave: post('/:token', spec).handledBy(async ({ caller, params: { token } }, { unsubscribes }) =>
    answerOf(await unsubscribes.leave(caller, token), token),
  ),
})

function answerOf({ language, letters }: LetterSubscription, token: string): PlainAnswer {
  const action = `/unsubscribe/${token}`
  return pageAnswer(
    200,
    letters ? unsubscribePage({ language, letters, action }) : unsubscribedPage(language),
  )
}
