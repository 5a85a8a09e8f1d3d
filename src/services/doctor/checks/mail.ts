// Whether the mail server can be used: connection, TLS, password; and a letter on request.
import { smtpsPort, submissionPort } from '../../../domain/letters/mail-ports.ts'
import { type CheckFinding, fine, problem, skipped, warning } from '../model/finding.ts'
import type { DoctorCheck, World } from '../model/world.ts'

export const mailCheck: DoctorCheck = {
  name: 'mail',
  async run(world) {
    const { smtpUrl } = world.settings.mail
    if (smtpUrl === null) return withoutServer(world)
    const [server, letter] = await Promise.all([connection(world, smtpUrl), letterTo(world)])
    return [server, ...letter]
  },
}

function withoutServer({ mailTo }: World): CheckFinding[] {
  const seen = 'mail.smtpUrl is not set: letters become files in the directory outbox of data.dir'
  const advice = 'Set mail.smtpUrl and mail.from; without it people cannot be reached by mail.'
  if (mailTo !== null) return [problem('letter', `not sent: ${seen}`, advice)]
  return [warning('server', seen, advice)]
}

async function connection({ network }: World, url: string): Promise<CheckFinding> {
  const { protocol, hostname, port, username } = new URL(url)
  const place = `${hostname}:${port || (protocol === 'smtps:' ? smtpsPort : submissionPort)}`
  const outcome = await network.verifyMail(url)
  if (outcome.ok) {
    const login = username === '' ? 'without a password' : 'with the password'
    return fine('server', `${place} accepts the connection, ${login}`)
  }
  return problem('server', `${place}: ${outcome.reason}`, 'Correct mail.smtpUrl.')
}

async function letterTo({ network, mailTo }: World): Promise<CheckFinding[]> {
  if (mailTo === null) {
    return [skipped('letter', 'not sent', '--send-mail you@example.com sends one.')]
  }
  const outcome = await network.sendMail(mailTo)
  return outcome.ok
    ? [fine('letter', 'the server accepted a letter: look whether it arrives')]
    : [problem('letter', outcome.reason, 'Correct mail.smtpUrl and mail.from.')]
}
