// The answer by which this installation recognizes itself at a custom domain, also behind proxies and CDNs.
import { proofPath } from '../../../services/pages/domain-sights.ts'
import { type RawReply, type RawRoute, rawHead } from '../../routing/raw-route.ts'

const head = rawHead([['Cache-Control', 'no-store']])
const none: RawReply = { status: 404, head }

/** `answer`: null at a host that is no custom domain. */
export function domainAnswerRoute(
  answer: (host: string, question: string) => string | null,
): RawRoute {
  return {
    name: 'pages.domain-answer',
    path: `${proofPath}/:question`,
    rate: 'page',
    handle({ host, params }) {
      const { question = '' } = params
      const body = /^[0-9a-f]{32}$/.test(question) ? answer(host, question) : null
      return body === null ? none : { status: 200, head, body }
    },
  }
}
