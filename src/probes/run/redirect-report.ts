// The redirects of a check as they may be shown: where they led, without secrets.
import { clip } from '../../base/clip.ts'
import { limits } from '../../domain/limits/limits.ts'
import { withHiddenQuery } from '../../domain/secret-mask.ts'
import type { Failure } from '../../net/failure.ts'
import type { Hop } from '../../net/http-client/plan.ts'
import { type NextHop, RedirectChain } from '../../net/http-client/redirect-chain.ts'
import type { Redact } from '../../redaction/redaction.ts'
import { shownUrl } from '../../redaction/shown-url.ts'

/** Where redirects led. */
export type RedirectsShown = {
  /** The last one, whether reached or not; secrets are masked. */
  readonly url?: string
  readonly redirects: number
}

/** The length of a redirect's URL in the message of a failure. */
const redirectUrlCharsMax = 160

/** A class because it grows. Created with the first redirect: most checks have none. */
export class RedirectReport {
  readonly #chain: RedirectChain
  readonly #redact: Redact
  #isHidden = false
  #shown: string | undefined

  constructor(redirectsMax: number, redact: Redact) {
    this.#chain = new RedirectChain(redirectsMax)
    this.#redact = redact
  }

  /** How many were followed. */
  get count(): number {
    return this.#chain.count
  }

  /** The next request. `isHidden`: the output of the target that redirects must not be shown. */
  follow(from: Hop, status: number, location: string, isHidden: boolean): NextHop {
    this.#isHidden ||= isHidden
    this.#shown = undefined
    const next = this.#chain.follow(from, status, location)
    if (next.failure === undefined) return next
    return { failure: { ...next.failure, detail: this.clippedUrl() } }
  }

  /** The same failure, with the URL at which it occurred. */
  placed(found: Failure, isHidden: boolean): Failure {
    const { count } = this.#chain
    const at = this.hides(isHidden) ? '' : ` at ${this.clippedUrl()}`
    const redirects = `${count} redirect${count === 1 ? '' : 's'}`
    return { ...found, message: `${found.message}${at} after ${redirects}` }
  }

  /** What to show of the redirects. `isHidden`: the last target's output must not be shown. */
  shown(isHidden: boolean): RedirectsShown {
    const { count } = this.#chain
    return this.hides(isHidden) ? { redirects: count } : { url: this.#url(), redirects: count }
  }

  /** Whether the output of any target in the chain must be hidden. */
  hides(isHidden: boolean): boolean {
    return isHidden || this.#isHidden
  }

  /** The address for sentences about a failure, which everybody reads who is told of it. */
  clippedUrl(): string {
    return clip(withHiddenQuery(this.#url()), redirectUrlCharsMax)
  }

  #url(): string {
    // Redacted before it is cut, because half a secret would not be recognized.
    this.#shown ??= this.#redact(shownUrl(this.#chain.location))
    return clip(this.#shown, limits.evidenceHeaderValueCharsMax)
  }
}
