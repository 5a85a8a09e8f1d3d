// Responses for people with a browser: a page with a form, or a redirect.
import { actionPageHeaders } from '../../pages/action-page.ts'
import { type Html, toText } from '../../pages/html.ts'
import type { PlainAnswer } from '../routing/route.ts'

type Headers = NonNullable<PlainAnswer['headers']>

/**
 * A page with a form. `leadsTo`: origins that the form's response may redirect to, besides our own;
 * `headers`: additional headers.
 */
export function pageAnswer(
  status: number,
  page: Html,
  {
    leadsTo = [],
    headers = [],
  }: { readonly leadsTo?: readonly string[]; readonly headers?: Headers } = {},
): PlainAnswer {
  return {
    plain: true,
    status,
    contentType: 'text/html; charset=utf-8',
    body: toText(page),
    // RFC 9110 requires this header with a 401.
    headers: [
      ...actionPageHeaders(leadsTo),
      ...(status === 401 ? [['WWW-Authenticate', 'Bearer realm="stillup"'] as const] : []),
      ...headers,
    ],
  }
}

/**
 * Redirects with 303: the browser continues with a GET, even after a POST. The URL must be
 * absolute.
 */
export function seeOther(location: string, headers: Headers = []): PlainAnswer {
  return {
    plain: true,
    status: 303,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    headers: [['Location', location], ...headers],
  }
}
