// The front page: what a stranger sees, and what a person sees of their own.
import t from 'tap'
import { frontPage, ownFrontPage } from '../../src/pages/front-page.ts'
import { toText } from '../../src/pages/html.ts'
import { noonMs } from '../support/make-page.ts'
import { payloads } from '../support/xss-payloads.ts'

const none = { up: 0, degraded: 0, down: 0, unknown: 0, pending: 0, paused: 0, maintenance: 0 }
const language = 'en' as const
const org = {
  id: 'org_1',
  name: 'Acme',
  role: 'owner' as const,
  states: none,
  monitors: [],
  pages: [],
}
const own = {
  language,
  email: 'ada@example.com',
  isEmailVerified: true,
  hasMailServer: true,
  orgs: [org],
}

t.test('a stranger is told what this is, and sees the ways in and the listed pages', async (t) => {
  const listedPages = [{ title: 'Acme status', path: '/status/acme' }]
  const page = toText(frontPage({ language, isNew: false, registerPath: null, listedPages }))
  for (const href of ['/sign-in', '/docs', '/status/acme']) t.match(page, `href="${href}"`)
  t.notMatch(page, 'href="/register')
  t.match(page, /<link rel="icon" href="data:image\/svg\+xml,%3Csvg [^"]+%3C\/svg%3E">/)
  const open = { language, isNew: false, registerPath: '/register?ref=abc', listedPages: [] }
  t.match(toText(frontPage(open)), 'href="/register?ref=abc"')
})

t.test('before the first account the page leads to it', async (t) => {
  const page = toText(
    frontPage({ language, isNew: true, registerPath: '/register', listedPages: [] }),
  )
  t.match(page, /No account exists yet.*setup token/s)
  t.match(page, 'href="/register"')
})

t.test('a person sees each organization, its worst monitors and its pages', async (t) => {
  const states = { ...none, down: 1, up: 71 }
  const monitors = [
    { name: 'Website', state: 'down' as const, sinceMs: noonMs, error: 'connection refused' },
    { name: 'Mail', state: 'up' as const, sinceMs: noonMs, error: null },
  ]
  const pages = [{ title: 'Acme', path: '/status/acme' }]
  const orgs = [{ ...org, states, monitors, pages }]
  const page = toText(ownFrontPage({ ...own, orgs }))
  t.match(page, '1 down and 71 up')
  t.match(page, /Website.*connection refused.*Down.*15 June 2026 at 12:00 UTC/s)
  t.match(page, 'and 70 more')
  t.match(page, 'href="/status/acme"')
  t.match(page, 'action="/api/v1/auth/logout"')
  t.notMatch(page, 'not confirmed')
})

t.test('what is special about an account or an organization is said', async (t) => {
  const page = toText(ownFrontPage({ ...own, isEmailVerified: false, hasMailServer: false }))
  t.match(page, /not confirmed yet.*directory outbox/s)
  t.match(page, 'action="/api/v1/auth/email/verify/resend"')
  t.match(page, 'no monitors yet')
  t.match(page, 'href="/app/monitors/new"')
  const off = toText(ownFrontPage({ ...own, orgs: [{ ...org, states: null }] }))
  t.match(off, 'switched off by the operator')
  t.match(toText(ownFrontPage({ ...own, orgs: [] })), 'You are in no organization.')
})

t.test('hostile names add no tag to either page', async (t) => {
  const tags = (page: string) => page.match(/<[a-z!/]/g)?.length
  const both = (text: string) => [
    toText(
      frontPage({
        language,
        isNew: false,
        registerPath: null,
        listedPages: [{ title: text, path: '/x' }],
      }),
    ),
    toText(
      ownFrontPage({
        ...own,
        email: text,
        orgs: [
          {
            ...org,
            name: text,
            states: none,
            monitors: [{ name: text, state: 'down', sinceMs: noonMs, error: text }],
            pages: [{ title: text, path: '/x' }],
          },
        ],
      }),
    ),
  ]
  const plain = both('plain').map(tags)
  for (const payload of payloads) t.same(both(payload).map(tags), plain, payload)
})
