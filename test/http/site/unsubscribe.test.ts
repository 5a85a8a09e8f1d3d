// Recipients of e-mail alerts end their letters: by a button, or by one click in a mail program.
import t from 'tap'
import { registerWithKey } from '../../support/cast.ts'
import { startDaemon } from '../../support/daemon.ts'
import type { ReadMail } from '../../support/read-mail.ts'
import { startSmtpInbox } from '../../support/smtp-inbox.ts'

const ann = 'ann@example.test'
const bob = 'bob@example.test'

/** The path that ends the letters, from the header. */
function wayOut({ headers }: ReadMail): string {
  const [, url = ''] = /^<([^>]+)>$/.exec(headers['list-unsubscribe'] ?? '') ?? []
  return new URL(url).pathname
}

t.test('each mailbox has a way out that needs no account', async (t) => {
  const inbox = await startSmtpInbox(t)
  const env = { MAIL_SMTP_URL: inbox.url, MAIL_FROM: 'stillup <up@up.test>' }
  const daemon = await startDaemon(t, { env })
  const { org, key } = await registerWithKey(daemon)
  const channel = await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'On call', type: 'email', config: { to: [ann, bob] } },
  })
  const at = `${org}/alert-channels/${channel.id}`
  await daemon.need('POST', `${at}/test`, { key })

  const path = wayOut(await inbox.mailTo(ann))
  const page = await daemon.ask('GET', path)
  t.match(page, { status: 200 })
  t.match(page.text, ann)
  t.match(page.text, `action="${path}"`)
  t.same((await daemon.need('GET', at, { key })).config.to, [ann, bob], 'looking changes nothing')

  // What mail programs send: https://www.rfc-editor.org/rfc/rfc8058#section-3.2
  const oneClick = {
    body: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  }
  t.match(await daemon.ask('POST', path, oneClick), { status: 200 })
  t.same((await daemon.need('GET', at, { key })).config.to, [bob])
  t.match(await daemon.ask('POST', path, oneClick), { status: 200 }, 'also the second time')
  t.match((await daemon.ask('GET', path)).text, 'have ended')

  const other = wayOut(await inbox.mailTo(bob))
  const form = {
    body: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.test' },
  }
  t.match(await daemon.ask('POST', other, form), { status: 200, text: /have ended/ })
  t.match(await daemon.need('GET', at, { key }), {
    isActive: false,
    disabledReason: `${bob} ended these letters, and the channel has no other address.`,
  })
  const audit = await daemon.need('GET', `${org}/audit-log?action=channel.unsubscribed`, { key })
  t.match(audit, [{ detail: 'b…@example.test' }, { detail: 'a…@example.test' }])
  t.match(await daemon.ask('GET', `${path}x`), { status: 404 })
  t.match(await daemon.ask('POST', `${path}x`, form), { status: 404 })
})
