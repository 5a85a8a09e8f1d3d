// Follows a conversation with a mail server by what the library logs of it: what is waited for at present.
import type { SMTPTransportOptions } from 'nodemailer'

const commands = ['EHLO', 'HELO', 'STARTTLS', 'AUTH', 'MAIL FROM', 'RCPT TO', 'DATA'] as const

/** What the client waits for once a command was answered, before it sends another one. */
const after: Readonly<Record<string, string>> = {
  STARTTLS: 'TLS did not come about',
  DATA: 'it did not confirm the letter',
}

const notAnswered = 'it did not answer '

interface LogEntry {
  readonly tnx?: string
  readonly localPort?: number
}

export function followTalk(isSecure: boolean) {
  // Several commands may be sent before the first one is answered.
  let waiting = ['no connection came about']

  function sent(line: string): void {
    const command = commands.find((one) => line.startsWith(one))
    // A part of a dialogue, such as a password, belongs to the command before it.
    waiting = [
      ...waiting.filter((one) => one.startsWith(notAnswered)),
      notAnswered + (command ?? 'AUTH'),
    ]
  }

  function answered(): void {
    const [before = '', ...others] = waiting
    const next = after[before.slice(notAnswered.length)]
    waiting = next === undefined ? others : [next, ...others]
  }

  function log({ tnx, localPort }: LogEntry, text: string): void {
    if (tnx === 'proxy') waiting = [isSecure ? 'TLS did not come about' : 'it did not greet']
    if (tnx === 'network' && localPort !== undefined) waiting = ['it did not greet']
    if (tnx === 'client') sent(text)
    if (tnx === 'server') answered()
  }

  return {
    /** For the library. It masks secrets, and nothing of it is kept but the names of commands. */
    options: {
      transactionLog: true,
      logger: { info: log, debug: log, trace() {}, warn() {}, error() {}, fatal() {} },
    } satisfies SMTPTransportOptions,
    /** What has not happened yet, such as `it did not answer EHLO`; undefined if nothing is waited for. */
    missing: (): string | undefined => waiting[0],
  }
}
