// stillup key: API keys of organizations, for the operator on the machine.
import { exitCodes } from '../../base/exit.ts'
import { keyRoles } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type CommandGroup, defineCommand } from '../model/command.ts'
import { CommandFailure } from '../model/failure.ts'
import { askFor, askForAll, mustMean, orgOf, yes } from './asking.ts'
import { columnLines, dayOf, shown } from './columns.ts'

const org = {
  org: {
    about: 'the organization, by its id or name; the only one need not be named',
    value: 'ORG',
  },
} as const
const exits = { 1: 'there is no such organization or key, it is refused, or no daemon runs' }

const list = defineCommand({
  options: org,
  exits,
  async run(context) {
    const request = { verb: 'list-keys', org: await orgOf(context, context.options.org) }
    const keys = await askForAll(context, request)
    const lines = columnLines(keys, {
      ID: (key) => key.id,
      NAME: (key) => key.name,
      ROLE: (key) => key.role,
      BEGINS: (key) => key.prefix,
      EXPIRES: (key) => dayOf(key.expiresAt),
      'LAST USED': (key) => dayOf(key.lastUsedAt),
      // Less than its role, or why it does nothing any more.
      NOW: (key) => key.effectiveRole ?? key.endedBecause,
      'MADE BY': (key) => key.createdBy,
    })
    context.show(keys, ...lines)
  },
})

const create = defineCommand({
  about:
    'The key is printed once and stored nowhere. A member answers for it, and gets the letters ' +
    'before it expires: an owner, unless --for names another. It may do at most what that member ' +
    'may, and ends with the membership or the account.',
  args: { name: { about: 'what it is for' } },
  options: {
    ...org,
    role: { about: 'what it may do', value: 'ROLE', choices: keyRoles, default: 'viewer' },
    days: {
      about: `how long it works, up to ${limits.keyDaysMax} days, or never to let it never end`,
      value: 'DAYS',
      default: String(limits.keyDefaultDays),
    },
    for: { about: 'the member who answers for it', value: 'EMAIL' },
  },
  examples: [
    ['stillup key create deploy --role member', 'for a script that changes monitors'],
    ['stillup key create ci --days 90 > ci.key', 'keeps it in a file'],
  ],
  exits,
  async run(context) {
    const { role, for: holder } = context.options
    const days = daysOf(context.options.days)
    const made = await askFor(context, {
      verb: 'create-key',
      org: await orgOf(context, context.options.org),
      name: context.args.name,
      role,
      days,
      ...(holder === undefined ? {} : { holder }),
    })
    context.show(made, String(made.key))
    // Apart from the key, so that KEY=$(…) holds the key alone.
    const about = `Id: ${made.id}; role: ${made.role}; ends: ${dayOf(made.expiresAt)}.`
    if (!context.isJson) context.host.complain(`The key is shown only now. ${about}`)
  },
})

/** Null: it never ends. */
function daysOf(text: string): number | null {
  if (text === 'never') return null
  const days = Number(text)
  if (/^\d+$/.test(text) && days >= 1 && days <= limits.keyDaysMax) return days
  const most = limits.keyDaysMax
  throw new CommandFailure(exitCodes.usage, `--days must be a number from 1 to ${most}, or never`)
}

const revoke = defineCommand({
  about: 'It is refused from the next request on. This cannot be taken back.',
  args: { keyId: { about: 'the id of the key, as in the list' } },
  options: { ...org, ...yes },
  exits,
  async run(context) {
    const { keyId } = context.args
    await mustMean(context, context.options.yes, `Revoke the API key ${keyId}?`)
    const request = { verb: 'revoke-key', org: await orgOf(context, context.options.org), keyId }
    const revoked = await askFor(context, request)
    context.show(revoked, `${shown(revoked.id)} is revoked.`)
  },
})

export const command: CommandGroup = {
  about: 'The running daemon does what is asked, with an entry in the log of the organization.',
  commands: {
    list: { summary: 'list the API keys of an organization, newest first', command: list },
    create: { summary: 'create an API key, and print it once', command: create },
    revoke: { summary: 'revoke an API key', command: revoke },
  },
}
