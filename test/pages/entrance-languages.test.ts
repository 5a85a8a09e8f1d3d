// The pages at the entrance in each language: nothing of them is left in English.
import t from 'tap'
import { registerPage, signInWaysPage } from '../../src/pages/entrance.ts'
import { frontPage } from '../../src/pages/front-page.ts'
import { type Html, toText } from '../../src/pages/html.ts'
import { invitePage } from '../../src/pages/invite-pages.ts'
import { newPasswordPage } from '../../src/pages/password-page.ts'
import { codePage, signInPage } from '../../src/pages/sign-in-page.ts'
import { type Language, languages } from '../../src/texts/languages.ts'
import { noonMs } from '../support/make-page.ts'

const providers = [{ label: 'Acme', startPath: '/start' }]
const ways = { next: '/', providers, registerPath: '/register', passkeyScript: '/x.js' }
const form = { action: '/there', token: 'x' }
const link = {
  email: 'ada@example.com',
  askedAtMs: noonMs,
  address: '192.0.2.7',
  userAgent: 'curl/8.5.0',
  isElsewhere: true,
  needsCode: true,
  leadsTo: 'https://app.example.com',
  trustDays: 30,
}
const invite = {
  organizationName: 'Acme',
  role: 'viewer',
  email: 'ada@example.com',
  expiresAtMs: noonMs,
  joinAction: '/join',
  signInPath: '/sign-in',
} as const

function pagesIn(language: Language): readonly Html[] {
  return [
    frontPage({ language, isNew: true, registerPath: '/register', listedPages: [] }),
    signInWaysPage({ ...ways, language, hasMailServer: true }),
    registerPage({ language, who: 'setup', takesSetupToken: true }),
    registerPage({ language, who: 'invited', takesSetupToken: false }),
    codePage({ language, action: '/there', trustDays: 30 }),
    ...[true, false].map((isNew) => signInPage({ ...link, isNew }, { ...form, language })),
    ...['/accept', null].map((acceptAction) => invitePage({ ...invite, language, acceptAction })),
    newPasswordPage({ ...form, language, email: 'ada@example.com' }),
  ]
}

/** What a reader sees of a page, piece by piece. */
function seen(page: Html): string[] {
  const text = toText(page).split('<body>')[1] ?? ''
  return text.split(/<[^>]*>|\n/).filter((piece) => /[a-z]{3} [a-z]/i.test(piece))
}

t.test('no sentence of a page is left in English', async (t) => {
  const english = new Set(pagesIn('en').flatMap(seen))
  t.ok(english.size > 30)
  for (const language of languages.filter((one) => one !== 'en')) {
    const pages = pagesIn(language)
    t.same(
      pages.flatMap(seen).filter((piece) => english.has(piece)),
      [],
      language,
    )
    for (const page of pages) t.match(toText(page), `<html lang="${language}"`)
  }
})
