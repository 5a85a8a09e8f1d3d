// The cookies of one check: what answers set is sent with the requests that follow (RFC 6265).
import type * as Library from 'tough-cookie'
import { requireLibrary } from '../../base/assets.ts'

export interface CheckCookies {
  /** Keeps what an answer sets, as far as its server may set it. */
  keep(url: URL, headers: Readonly<Record<string, unknown>>): void
  /** The value of the header Cookie; '' if there is none. */
  headerFor(url: URL): string
}

/** Cookies of one answer and of all answers, and characters of one, that are kept. */
const cookiesOfAnswerMax = 50
const cookiesOfCheckMax = 500
const cookieCharsMax = 4_096
/** Characters of all that are sent with one request: few servers take as many. */
const cookieHeaderCharsMax = 12 * 1024

export function createCookies(): CheckCookies {
  let jar: Library.CookieJar | undefined
  let left = cookiesOfCheckMax
  return {
    keep(url, headers) {
      const lines = [headers['set-cookie'] ?? []].flat().slice(0, cookiesOfAnswerMax)
      if (lines.length === 0) return
      jar ??= newJar()
      for (const line of lines) {
        if (String(line).length > cookieCharsMax || left === 0) continue
        left -= 1
        jar.setCookieSync(String(line), url.href, { ignoreError: true })
      }
    },
    headerFor(url) {
      let text = ''
      for (const cookie of jar?.getCookiesSync(url.href) ?? []) {
        const pair = cookie.cookieString()
        if (text.length + pair.length > cookieHeaderCharsMax) break
        text += text === '' ? pair : `; ${pair}`
      }
      return text
    },
  }
}

function newJar(): Library.CookieJar {
  // `require` knows no types.
  const { CookieJar } = requireLibrary('tough-cookie') as typeof Library
  // Hosts of tests have names such as `localhost` and `shop.test`.
  return new CookieJar(null, { allowSpecialUseDomain: true, rejectPublicSuffixes: true })
}
