// stillup user reset-password: asks the daemon on this machine for a link that sets a new password.
import { limits } from '../../domain/limits/limits.ts'
import { defineCommand } from '../model/command.ts'
import { askRunning } from '../model/daemon.ts'

export const command = defineCommand({
  about:
    'The link works once and ends the sessions of the account. A second factor stays on. In an ' +
    'account whose address was never confirmed, it ends too, and so do the API keys, unless the ' +
    'person is an administrator of the service. Using the link confirms the address.',
  args: { email: { about: 'the e-mail address of an account' } },
  examples: [['stillup user reset-password ada@example.com', 'prints a link for ada']],
  exits: { 1: 'there is no such account, or no daemon runs' },
  async run({ host, configPath, args, show }) {
    const { email } = args
    const url = linkIn(await askRunning(host, { configPath }, { verb: 'reset-password', email }))
    show({ email, url }, ...linkLines(url))
  },
})

/** How a link is handed over, with its time. */
export function linkLines(url: string): readonly string[] {
  const minutes = limits.linkMs['password-reset'] / 60_000
  return [
    `Open this address within ${minutes} minutes to choose a new password:\n\n${url}\n`,
    'It works once. The first person who uses it has the account: send it by a safe way.',
  ]
}

function linkIn(answer: unknown): string {
  return String(answer)
}
