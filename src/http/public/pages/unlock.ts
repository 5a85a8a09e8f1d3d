// The form for the password of a page, and the cookie that a reader gets for the right one.
import { limits } from '../../../domain/limits/limits.ts'
import { homeOf } from '../../../pages/status/page-frame.ts'
import { unlockPage } from '../../../pages/status/unlock-page.ts'
import { parseQuery } from '../../input/query.ts'
import { formReply, leadTo, type PageForm, type PageVisit } from './page-form.ts'

const cookieName = 'page-key'
export const unlockPath = '/unlock'

/** The keys in a Cookie header: a browser also sends the keys of longer paths. */
export function pageKeysIn(cookies: string): readonly string[] {
  if (!cookies.includes(cookieName)) return []
  return cookies.split(';').flatMap((cookie) => {
    const [name = '', value = ''] = cookie.trim().split('=', 2)
    return name === cookieName ? [value] : []
  })
}

/** A path below a page to return to; '' for the page itself, and for what is none. */
export function safePath(text: string): string {
  return /^(?:\/[\w.~-]+)+$/.test(text) && text.length <= limits.slugCharsMax * 4 ? text : ''
}

function formOf(visit: PageVisit, to: string, isWrong: boolean) {
  const { root, language } = visit
  return unlockPage({ language, action: root + unlockPath, to, isWrong })
}

export const unlockForm: PageForm = {
  name: 'pages.unlock',
  path: unlockPath,
  isOpen: true,
  ask(visit) {
    const { page, queryText } = visit
    if (page.passwordHash === null) return leadTo(homeOf(visit))
    const asked = parseQuery(queryText).find(([name]) => name === 'to')?.[1] ?? ''
    return formReply(200, formOf(visit, safePath(asked), false))
  },
  async submit(submission, { pageLocks }) {
    const { page, root, fields, caller, isSecure } = submission
    const to = safePath(fields.to ?? '')
    if (page.passwordHash === null) return leadTo(homeOf(submission))
    const password = (fields.password ?? '').slice(0, limits.passwordCharsMax)
    const key = await pageLocks.unlock(page, password, caller.address)
    if (key === undefined) return formReply(403, formOf(submission, to, true))
    const seconds = limits.pageKeyMs / 1_000
    const traits = `Path=${homeOf(submission)}; Max-Age=${seconds}; HttpOnly; SameSite=Lax`
    const cookie = `${cookieName}=${key}; ${traits}${isSecure ? '; Secure' : ''}`
    return leadTo(to === '' ? homeOf(submission) : root + to, [['Set-Cookie', cookie]])
  },
}
