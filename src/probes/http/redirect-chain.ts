// The way of a check through redirects: where the last one led, and what may be told of it.
import { clip } from '../../base/clip.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { type Failure, failure, redirectFailures } from '../../net/failure.ts'
import { followRedirect, type Hop } from '../../net/http/plan.ts'
import type { Redact } from '../../redaction/redaction.ts'
import { shownUrl } from '../../redaction/shown-url.ts'
import { type Discretion, isHidden } from '../run/evidence.ts'

/** Where redirects led. */
export type Redirected = {
  /** Of the last one, reached or not; secrets are masked. */
  readonly url?: string
  readonly redirects: number
}

export type NextHop =
  | { readonly hop: Hop; readonly failure?: never }
  | { readonly failure: Failure; readonly hop?: never }

/** A class because it grows. Made with the first redirect: most checks have none. */
export class Trail {
  /** So many were sent by the target. */
  redirects = 0
  readonly #target: EndpointTarget
  readonly #discretion: Discretion
  readonly #redact: Redact
  readonly #visited = new Set<string>()
  /** Of the last redirect. */
  #location = ''
  #isHidden = false
  #shown: string | undefined

  constructor(target: EndpointTarget, discretion: Discretion, redact: Redact) {
    this.#target = target
    this.#discretion = discretion
    this.#redact = redact
  }

  /** The next request, or why the redirect is not followed. `addresses`: who sent it. */
  follow(from: Hop, status: number, location: string, addresses: readonly string[]): NextHop {
    const { maxRedirects } = this.#target
    this.#isHidden ||= isHidden(addresses, this.#discretion)
    this.#visited.add(keyOf(from))
    this.redirects += 1
    const { hop, problem } = followRedirect(from, status, location)
    this.#location = hop?.url.href ?? URL.parse(location, from.url.href)?.href ?? location
    this.#shown = undefined
    if (hop === undefined) return { failure: this.named(redirectFailures[problem]) }
    if (this.#visited.has(keyOf(hop))) {
      return { failure: this.named(failure('redirect_loop', 'the redirects lead in a circle')) }
    }
    if (this.redirects > maxRedirects) {
      const many = `more than ${maxRedirects} redirects in a row`
      return { failure: this.named(failure('redirect_loop', many)) }
    }
    return { hop }
  }

  /** The same failure with the URL, for those who may read it. */
  named(found: Failure): Failure {
    return { ...found, detail: this.#clipped() }
  }

  /** The same failure with where it was found. */
  placed(found: Failure, isHidden: boolean): Failure {
    const { redirects } = this
    const at = this.hides(isHidden) ? '' : ` at ${this.#clipped()}`
    const count = `${redirects} redirect${redirects === 1 ? '' : 's'}`
    return { ...found, message: `${found.message}${at} after ${count}` }
  }

  /** `isHidden`: whether what the last target wrote is for nobody. */
  told(isHidden: boolean): Redirected {
    const { redirects } = this
    return this.hides(isHidden) ? { redirects } : { url: this.#url(), redirects }
  }

  /** The reading with it: made when it is asked for, since most often nobody does. */
  finding(reading: Reading, addresses: readonly string[]): Reading {
    if (reading.outcome === 'unknown') return reading
    const isPrivate = isHidden(addresses, this.#discretion)
    const tell = () => this.told(isPrivate)
    return {
      ...reading,
      get found() {
        return tell()
      },
    }
  }

  /** What one target on the way wrote may be for nobody, wherever it led. */
  hides(isHidden: boolean): boolean {
    return isHidden || this.#isHidden
  }

  #clipped(): string {
    return clip(this.#url(), limits.redirectUrlCharsMax)
  }

  #url(): string {
    // Whole before it is cut, since a cut may go through a secret.
    this.#shown ??= this.#redact(shownUrl(this.#location))
    return clip(this.#shown, limits.evidenceHeaderValueCharsMax)
  }
}

function keyOf({ method, url }: Hop): string {
  return `${method} ${url.href}`
}
