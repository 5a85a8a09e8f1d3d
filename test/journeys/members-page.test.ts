// A status page for members: who is signed in and belongs to the organization sees it, and nobody else.
import { request } from 'node:http'
import t from 'tap'
import { pageResources } from '../../src/http/public/pages/page-resources.ts'
import { password, register } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { startSmtpInbox } from '../support/smtp-inbox.ts'

t.test(
  'a page for members leads strangers to the sign-in, and shows nothing to others',
  async (t) => {
    const inbox = await startSmtpInbox(t)
    const env = {
      HTTP_STATUS_DOMAIN: 'status.test',
      MAIL_SMTP_URL: inbox.url,
      MAIL_FROM: 'up@up.test',
    }
    const daemon = await startDaemon(t, { env })
    const alice = await register(daemon, 'alice')
    const mallory = await register(daemon, 'mallory')
    const { org, cookie } = alice
    const json = { name: 'Inner works', slug: 'inner', visibility: 'members' }
    const { id } = await daemon.need('POST', `${org}/status-pages`, { cookie, json })
    const subdomain = { cookie, json: { subdomain: 'inner' } }
    await daemon.need('PATCH', `${org}/status-pages/${id}/subdomain`, subdomain)
    const invite = { cookie, json: { email: 'vic@example.com', role: 'viewer' } }
    const { token } = await daemon.need('POST', `${org}/invites`, invite)
    const vic = await daemon.need('POST', '/auth/register', {
      json: { email: 'vic@example.com', password, inviteToken: token },
    })

    /** fetch would not let the Host be chosen. */
    const visit = (path: string, session?: string, host?: string) =>
      new Promise<{ status: number; to: string | undefined; cache: string; body: string }>(
        (resolve, reject) => {
          const headers = {
            ...(session === undefined ? {} : { cookie: `auth-token=${session}` }),
            ...(host === undefined ? {} : { host }),
          }
          request(daemon.url + path, { agent: false, headers }, (answer) => {
            let body = ''
            answer.on('data', (chunk) => {
              body += chunk
            })
            answer.on('end', () => {
              const { location: to, 'cache-control': cache = '' } = answer.headers
              resolve({ status: answer.statusCode ?? 0, to, cache, body })
            })
          })
            .on('error', reject)
            .end()
        },
      )

    for (const [name, session] of [
      ['owner', cookie],
      ['viewer', vic.token],
    ] as const) {
      const shown = await visit('/status/inner', session)
      t.equal(shown.status, 200, name)
      t.match(shown.body, 'Inner works')
      t.equal(shown.cache, 'private, no-store', 'no cache keeps it')
      t.equal((await visit('/status/inner/feed.atom', session)).status, 200, name)
    }
    for (const { path, isLocal } of pageResources) {
      const below = `/status/inner${path.replace(/:\w+/g, 'x')}`
      for (const session of [undefined, 'of.nobody', mallory.cookie]) {
        const { status, to, body } = await visit(below, session)
        const isLed = isLocal && session !== mallory.cookie
        t.equal(status, isLed ? 303 : 404, below)
        if (isLed) t.equal(to, `/sign-in?redirectUri=${encodeURIComponent(below)}`)
        t.notMatch(body, 'Inner works')
      }
    }
    t.equal((await visit('/status/inner/events')).status, 404)
    t.equal((await visit('/status/inner/subscribe', mallory.cookie)).status, 404)
    t.equal(
      (await visit('/status/inner/subscribe')).to,
      '/sign-in?redirectUri=%2Fstatus%2Finner%2Fsubscribe',
    )
    const form = await visit('/status/inner/subscribe', cookie)
    t.equal(form.status, 200)
    t.notMatch(form.body, 'value="webhook"', 'a URL is no member')
    const asked = await daemon.ask('POST', '/status/inner/subscribe', {
      cookie,
      body: 'kind=email&address=mallory%40example.com',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: daemon.url },
    })
    t.equal(asked.status, 422)
    t.match(asked.text, 'This page tells members only')

    const atHost = 'inner.status.test'
    t.equal((await visit('/', cookie, atHost)).to, `${daemon.url}/status/inner`)
    t.equal((await visit('/history', undefined, atHost)).to, `${daemon.url}/status/inner/history`)
    t.equal((await visit('/feed.json', cookie, atHost)).status, 404, 'a session is for one host')

    const signIn = await visit(
      `/sign-in?redirectUri=${encodeURIComponent('/status/inner')}`,
      vic.token,
    )
    t.match(signIn, { status: 303, to: '/status/inner' }, 'after the sign-in they are there')
    const left = await daemon.ask('DELETE', `/api/v1${org}/members/${vic.user.id}`, { cookie })
    t.ok(left.status < 300, 'somebody is a member no more')
    t.equal((await visit('/status/inner', vic.token)).status, 404)

    const both = { cookie, json: { password: 'correct horse' } }
    t.match((await daemon.ask('PATCH', `/api/v1${org}/status-pages/${id}`, both)).json, {
      status: 422,
      errors: [{ pointer: '/visibility' }],
    })
    const all = { cookie, json: { visibility: 'everyone' } }
    await daemon.need('PATCH', `${org}/status-pages/${id}`, all)
    t.equal((await visit('/status/inner')).status, 200)
  },
)
