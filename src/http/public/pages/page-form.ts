// A form of a status page: a path below the page, what is shown there, and what becomes of it.

import type { StatusPage } from '../../../domain/pages/page.ts'
import { actionPageHeaders } from '../../../pages/action-page.ts'
import { htmlType } from '../../../pages/frame.ts'
import { type Html, toText } from '../../../pages/html.ts'
import type { Services } from '../../../services/assembly/services.ts'
import type { Caller } from '../../../services/context.ts'
import type { Language } from '../../../texts/languages.ts'
import { type RawReply, rawHead } from '../../routing/raw-route.ts'
import type { MaybePromise, RateClass } from '../../routing/route.ts'

/** A reader at a page that is enabled, and open to this reader. */
export interface PageVisit {
  readonly page: StatusPage
  /** The path below which the page is served; '' at a host of its own. */
  readonly root: string
  /** The language to answer in. */
  readonly language: Language
  /** Decoded path parameters, by name. */
  readonly params: Readonly<Record<string, string>>
  /** As it was sent, without the question mark. */
  readonly queryText: string
  readonly caller: Caller
  /** The reader came by https. */
  readonly isSecure: boolean
  readonly nowMs: number
}

interface PageSubmission extends PageVisit {
  /** The fields of the form that are not empty; none if it comes from anywhere. */
  readonly fields: Readonly<Record<string, string>>
}

export interface PageForm {
  /** `pages.` and a word. */
  readonly name: string
  /** Below the page, with a slash at its start. May contain `:name` parts. */
  readonly path: string
  /** The rate that submissions count for, by address. Default: `auth`. */
  readonly rate?: RateClass
  /**
   * Default: the form of our own page. `anywhere`: programs post it too, with any body, which is not
   * read, such as mail programs (RFC 8058).
   */
  readonly from?: 'form' | 'anywhere'
  /** It needs no password where the page does; so is every one that comes from anywhere. */
  readonly isOpen?: true
  /** A submission stores something new. */
  readonly creates?: true
  /** A GET of its path; absent if another resource is there, or nothing. */
  readonly ask?: (visit: PageVisit, services: Services) => MaybePromise<RawReply>
  readonly submit: (submission: PageSubmission, services: Services) => MaybePromise<RawReply>
}

type FormHeaders = readonly (readonly [name: string, value: string])[]

/** A page with a form, or with what became of one: for one reader, and for no search engine. */
export function formReply(status: number, page: Html, headers: FormHeaders = []): RawReply {
  const head = rawHead([
    ['Content-Type', htmlType],
    ...actionPageHeaders(),
    ['X-Robots-Tag', 'noindex'],
    ...headers,
  ])
  return { status, head, body: Buffer.from(toText(page)) }
}

/** The browser goes on with a GET. `location` is a path of the same host. */
export function leadTo(location: string, headers: FormHeaders = []): RawReply {
  const head = rawHead([['Location', location], ['Cache-Control', 'no-store'], ...headers])
  return { status: 303, head }
}
