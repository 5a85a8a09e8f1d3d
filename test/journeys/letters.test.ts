// Letters of a whole daemon: through a mail server, into files, and over a stop.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { register } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { linkIn, type ReadMail, readMail } from '../support/read-mail.ts'
import { startSmtpInbox } from '../support/smtp-inbox.ts'
import { until } from '../support/until.ts'

const about = (subject: RegExp) => (mail: ReadMail) => subject.test(mail.subject)
const isReset = about(/new password/i)

const forgot = (daemon: Daemon, email: string) =>
  daemon.need('POST', '/auth/password/forgot', { json: { email } })

/** The token in the link of a mail, which the log and the data must not hold. */
function noteToken(daemon: Daemon, mail: ReadMail): void {
  const token = new URL(linkIn(mail)).searchParams.get('token') ?? ''
  daemon.secrets.add(token)
}

function lettersOf(daemon: Daemon): ReadMail[] {
  const dir = join(daemon.dir, 'outbox')
  const names = readdirSync(dir).filter((name) => name.endsWith('.eml'))
  return names.sort().map((name) => readMail(readFileSync(join(dir, name), 'utf8')))
}

async function startWithServer(t: Test, env: Readonly<Record<string, string>> = {}) {
  const inbox = await startSmtpInbox(t)
  const mail = { MAIL_SMTP_URL: inbox.url, MAIL_FROM: 'Stillup <up@up.test>' }
  return { inbox, env: mail, daemon: await startDaemon(t, { env: { ...mail, ...env } }) }
}

t.test('a letter comes from the sender that was set, with a link to the service', async (t) => {
  const { inbox, daemon } = await startWithServer(t, { HTTP_BASE_URL: 'https://up.example' })
  const { email } = await register(daemon, 'ann')
  await daemon.ask('POST', '/api/v1/auth/password/forgot', {
    json: { email },
    headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' },
  })
  const mail = await until(() => inbox.mails.find(isReset))
  noteToken(daemon, mail)
  t.same(mail.recipients, [email])
  t.equal(mail.sender, 'up@up.test')
  t.equal(new URL(linkIn(mail)).origin, 'https://up.example')
  t.notMatch(mail.raw, 'evil', 'whatever host the request named')
  t.match(mail.messageId, /^<ltr_\w+@up\.test>$/)
  t.notMatch(daemon.lines.join(''), email, 'the log has no whole address')
})

t.test('without a mail server a letter is a file, and the log says where', async (t) => {
  const daemon = await startDaemon(t)
  const { email } = await register(daemon, 'ann')
  await forgot(daemon, email)
  const line = await until(() =>
    daemon.lines.find((one) => /letter written.*/.test(one) && /assword/.test(one)),
  )
  const { file } = JSON.parse(line)
  t.equal(statSync(file).mode & 0o777, 0o600)
  const mail = readMail(readFileSync(file, 'utf8'))
  noteToken(daemon, mail)
  t.match(mail, { to: email, subject: /assword/ })
  t.ok(lettersOf(daemon).some(isReset))
})

t.test('letters left by a stop are sent by the next start, once', async (t) => {
  const { inbox, daemon, env } = await startWithServer(t)
  const { email } = await register(daemon, 'ann')
  inbox.refuse = () => 451
  await forgot(daemon, email)
  await until(() => inbox.seen.some(({ stage }) => stage === 'connect'))
  await daemon.stop()
  t.notOk(inbox.mails.some(isReset))
  inbox.refuse = () => undefined
  const next = await startDaemon(t, { dir: daemon.dir, env })
  const mail = await until(() => inbox.mails.find(isReset))
  noteToken(next, mail)
  noteToken(daemon, mail)
  await next.stop()
  t.equal(inbox.mails.filter(isReset).length, 1)
})

t.test('the number of pending letters is a metric', async (t) => {
  const { inbox, daemon } = await startWithServer(t)
  const { email } = await register(daemon, 'ann')
  inbox.refuse = () => 451
  await forgot(daemon, email)
  const owed = await until(async () => {
    const { text } = await daemon.ask('GET', '/metrics')
    const [, count] = /stillup_letters_pending (\d+)/.exec(text) ?? []
    return Number(count) > 0 && count
  })
  t.ok(owed)
})
