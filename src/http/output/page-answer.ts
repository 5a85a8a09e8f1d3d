// Responses for people with a browser: a page with a form, a redirect, or a problem as a page.
import { Fault } from '../../base/fault.ts'
import * as s from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'
import { actionPageHeaders } from '../../pages/action-page.ts'
import { type Html, toText } from '../../pages/html.ts'
import type { Language } from '../../texts/languages.ts'
import { saidIn } from '../../texts/texts.ts'
import type { PlainAnswer } from '../routing/route.ts'
import { challengeOf } from './problems.ts'

type AnswerHeaders = NonNullable<PlainAnswer['headers']>

/** A field of their bodies and queries. */
export const linkToken = s.text({
  charsMax: limits.linkTokenCharsMax,
  description: 'The token in the link of the letter.',
})

/** Route options of all pages that links in letters open. */
export const linkPage = {
  who: { public: true },
  plain: { status: 200, contentType: 'text/html' },
  problems: [410],
} as const

/** The settings of a POST by a form, whose response is a redirect, or by JSON. */
export const formOrJson = {
  takesForm: true,
  plain: { status: 303, contentType: null },
} as const

/** The same for the form of a page that a link in a letter opens. */
export const formPost = { ...formOrJson, rate: 'auth', problems: [410] } as const

/**
 * A page with a form. `leadsTo`: origins that the form's response may redirect to, besides our own;
 * `headers`: additional headers.
 */
export function pageAnswer(
  status: number,
  page: Html,
  {
    leadsTo = [],
    hasScript = false,
    headers = [],
  }: {
    readonly leadsTo?: readonly string[]
    readonly hasScript?: boolean
    readonly headers?: AnswerHeaders
  } = {},
): PlainAnswer {
  return {
    plain: true,
    status,
    contentType: 'text/html; charset=utf-8',
    body: toText(page),
    // RFC 9110 requires this header with a 401.
    headers: [
      ...actionPageHeaders(leadsTo, hasScript),
      ...(status === 401 ? [['WWW-Authenticate', challengeOf({ public: true })] as const] : []),
      ...headers,
    ],
  }
}

/**
 * Redirects with 303: the browser continues with a GET, even after a POST. `location` is an absolute
 * URL or a path of this service.
 */
export function seeOther(location: string, headers: AnswerHeaders = []): PlainAnswer {
  return {
    plain: true,
    status: 303,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    headers: [['Location', location], ...headers],
  }
}

/** Does the work. A form gets a fault as a page; JSON gets the problem itself. */
export async function orFaultPage<Result>(
  isForm: boolean,
  pageOf: (fault: Fault) => PlainAnswer,
  work: () => Promise<Result>,
): Promise<Result | PlainAnswer> {
  try {
    return await work()
  } catch (error) {
    if (!isForm) throw error
    return pageOf(faultIn(error))
  }
}

/** The page of a link, or the one that says that the link does not work. */
export function orDeadLink(
  page: () => PlainAnswer,
  deadLink: (fault: Fault) => PlainAnswer,
): PlainAnswer {
  try {
    return page()
  } catch (error) {
    return deadLink(faultIn(error))
  }
}

/** The page that says that a link does not work, made for a reader, who is told why unless it has expired. */
export function deadLinkOf(
  { language }: { readonly language: Language },
  page: (language: Language, problem?: string) => Html,
): (fault: Fault) => PlainAnswer {
  return (fault) => {
    // The page itself explains an expired link.
    const problem = fault.code === 'link_expired' ? undefined : problemIn(language, fault)
    return pageAnswer(fault.status, page(language, problem))
  }
}

/** Why something did not work, in the reader's language; undefined for no fault. */
export function problemIn(language: Language, fault: Fault | undefined): string | undefined {
  return fault && saidIn(language, fault.message)
}

/** A fault that a person may see; the pipeline answers and logs everything else. */
function faultIn(error: unknown): Fault {
  if (error instanceof Fault) return error
  throw error
}
