// What may be told of the redirects of a check: where they led, without secrets.
import { clip } from '../../base/clip.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Failure } from '../../net/failure.ts'
import type { Hop } from '../../net/http/plan.ts'
import { type NextHop, RedirectChain } from '../../net/http/redirect-chain.ts'
import type { Redact } from '../../redaction/redaction.ts'
import { shownUrl } from '../../redaction/shown-url.ts'

/** Where redirects led. */
export type RedirectsShown = {
  /** Of the last one, reached or not; secrets are masked. */
  readonly url?: string
  readonly redirects: number
}

/** A class because it grows. Made with the first redirect: most checks have none. */
export class RedirectReport {
  readonly #chain: RedirectChain
  readonly #redact: Redact
  #isHidden = false
  #shown: string | undefined

  constructor(redirectsMax: number, redact: Redact) {
    this.#chain = new RedirectChain(redirectsMax)
    this.#redact = redact
  }

  /** The next request. `isHidden`: what the target that redirects wrote is shown to nobody. */
  follow(from: Hop, status: number, location: string, isHidden: boolean): NextHop {
    this.#isHidden ||= isHidden
    this.#shown = undefined
    const next = this.#chain.follow(from, status, location)
    if (next.failure === undefined) return next
    return { failure: { ...next.failure, detail: this.clippedUrl() } }
  }

  /** The same failure with where it was found. */
  placed(found: Failure, isHidden: boolean): Failure {
    const { count } = this.#chain
    const at = this.hides(isHidden) ? '' : ` at ${this.clippedUrl()}`
    const redirects = `${count} redirect${count === 1 ? '' : 's'}`
    return { ...found, message: `${found.message}${at} after ${redirects}` }
  }

  /** `isHidden`: the same of the last target. */
  shown(isHidden: boolean): RedirectsShown {
    const { count } = this.#chain
    return this.hides(isHidden) ? { redirects: count } : { url: this.#url(), redirects: count }
  }

  /** What one target on the way wrote may be hidden, wherever it led. */
  hides(isHidden: boolean): boolean {
    return isHidden || this.#isHidden
  }

  clippedUrl(): string {
    return clip(this.#url(), limits.redirectUrlCharsMax)
  }

  #url(): string {
    // Redacted before it is cut, since a cut may go through a secret.
    this.#shown ??= this.#redact(shownUrl(this.#chain.location))
    return clip(this.#shown, limits.evidenceHeaderValueCharsMax)
  }
}
