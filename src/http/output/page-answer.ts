// Answers to people with a browser: a page with a form, or the way to the next page.
import { actionPageHeaders } from '../../pages/action-page.ts'
import { type Html, toText } from '../../pages/html.ts'
import type { PlainAnswer } from '../routing/route.ts'

type Headers = NonNullable<PlainAnswer['headers']>

/** The page of a form. `leadsTo`: where else its answer may redirect to; `headers`: more of them. */
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
    // Who asks for a page with the wrong proof is told as RFC 9110 wants a 401 to be told.
    headers: [
      ...actionPageHeaders(leadsTo),
      ...(status === 401 ? [['WWW-Authenticate', 'Bearer realm="stillup"'] as const] : []),
      ...headers,
    ],
  }
}

/** 303: the browser goes on with a GET, also after a POST. The address must be absolute. */
export function seeOther(location: string, headers: Headers = []): PlainAnswer {
  return {
    plain: true,
    status: 303,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    headers: [['Location', location], ...headers],
  }
}
