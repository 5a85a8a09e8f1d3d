// A real mail server on loopback that keeps what it is sent; tests say what it refuses.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'
import { type ReadMail, readMail } from './read-mail.ts'
import { until } from './until.ts'

interface InboxMail extends ReadMail {
  /** As the client said to the server, which is what counts. */
  readonly sender: string
  readonly recipients: readonly string[]
  /** Whether it came over TLS. */
  readonly isSecure: boolean
  /** The user that the client signed in as. */
  readonly user: string | undefined
  /** What the client called itself. */
  readonly hello: string
}

export interface InboxOptions {
  /** Offers STARTTLS with this certificate. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** TLS from the first byte on (smtps). Needs `tls`. */
  readonly isSecure?: boolean
  /** Asks for these credentials; the url holds them. */
  readonly account?: { readonly user: string; readonly password: string }
  /** A port that an inbox before this one had. */
  readonly port?: number
}

type Stage = 'connect' | 'mail' | 'rcpt' | 'data'

export interface SmtpInbox {
  /** For `mail.smtpUrl`, or the variable `MAIL_SMTP_URL` of `startDaemon`. */
  readonly url: string
  readonly port: number
  /** Everything that was accepted, oldest first. */
  readonly mails: readonly InboxMail[]
  /** Each stage that a client came to, whether it was accepted or not. */
  readonly seen: readonly { readonly stage: Stage; readonly address: string }[]
  /** The status to refuse with at a stage, or undefined to accept. Accepts all unless set. */
  refuse: (stage: Stage, address: string) => number | undefined
  /** While set, the answer to a whole message waits for it. */
  hold: Promise<void> | undefined
  /** Resolves with the newest mail to an address, once it has `count` of them. */
  mailTo(address: string, count?: number): Promise<InboxMail>
  close(): Promise<void>
}

/** Starts it on loopback; it is closed with the test. */
export async function startSmtpInbox(
  t: Pick<Test, 'teardown'>,
  options: InboxOptions = {},
): Promise<SmtpInbox> {
  const { tls, account, isSecure = false } = options
  const mails: InboxMail[] = []
  const seen: { stage: Stage; address: string }[] = []
  const judge = (stage: Stage, address: string, done: (error?: Error | null) => void): void => {
    seen.push({ stage, address })
    const status = inbox.refuse(stage, address)
    done(status === undefined ? null : refusal(status))
  }
  const server = new SMTPServer({
    secure: isSecure,
    logger: false,
    closeTimeout: 10,
    authOptional: account === undefined,
    ...(tls ?? {}),
    disabledCommands: [...(tls && !isSecure ? [] : ['STARTTLS']), ...(account ? [] : ['AUTH'])],
    onAuth({ username, password }, _session, done) {
      const isRight = username === account?.user && password === account?.password
      if (isRight) done(null, { user: username ?? '' })
      else done(refusal(535))
    },
    onConnect: ({ remoteAddress }, done) => judge('connect', remoteAddress, done),
    onMailFrom: ({ address }, _session, done) => judge('mail', address, done),
    onRcptTo: ({ address }, _session, done) => judge('rcpt', address, done),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        await inbox.hold
        const { mailFrom, rcptTo } = session.envelope
        const recipients = rcptTo.map(({ address }) => address)
        judge('data', recipients[0] ?? '', (error) => {
          if (error) return done(error)
          mails.push({
            ...readMail(Buffer.concat(chunks).toString('utf8')),
            sender: mailFrom ? mailFrom.address : '',
            recipients,
            isSecure: session.secure === true,
            user: session.user?.toString(),
            hello: session.hostNameAppearsAs,
          })
          done(null, 'kept')
        })
      })
    },
  })
  // A client that breaks off is what some tests are about.
  server.on('error', () => {})
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const login = account ? `${encodeURIComponent(account.user)}:${account.password}@` : ''
  let closing: Promise<void> | undefined
  const inbox: SmtpInbox = {
    url: `${isSecure ? 'smtps' : 'smtp'}://${login}127.0.0.1:${port}`,
    port,
    mails,
    seen,
    refuse: () => undefined,
    hold: undefined,
    mailTo: (address, count = 1) =>
      until(() => {
        const found = mails.filter(({ recipients }) => recipients.includes(address))
        return found.length >= count && found.at(-1)
      }),
    close() {
      closing ??= new Promise((resolve) => server.close(() => resolve()))
      return closing
    },
  }
  t.teardown(() => inbox.close())
  return inbox
}

function refusal(status: number): Error {
  return Object.assign(new Error(`refused with ${status}`), { responseCode: status })
}
