// stillup user: accounts, for the operator on the machine.
import { exitCodes } from '../../base/exit.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { roles } from '../../domain/access.ts'
import { type CommandGroup, defineCommand } from '../model/command.ts'
import { CommandFailure } from '../model/failure.ts'
import { askFor, askForAll, mustMean, yes } from './asking.ts'
import { columnLines, dayOf, mark, shown } from './columns.ts'
import { linkLines, command as resetPassword } from './reset-password.ts'

const email = { about: 'the e-mail address of an account' } as const
const exits = { 1: 'there is no such account, it is refused, or no daemon runs' }

const list = defineCommand({
  options: {
    search: { about: 'the beginning of an address, or part of a name', value: 'TEXT' },
  },
  examples: [['stillup user list --json | jq -r ".[].email"', 'prints the addresses']],
  exits,
  async run(context) {
    const { search: q } = context.options
    const users = await askForAll(context, { verb: 'list-users', ...(q ? { q } : {}) })
    const lines = columnLines(users, {
      EMAIL: (user) => user.email,
      NAME: (user) => user.name,
      ADMIN: (user) => mark(user.isSystemAdmin),
      OFF: (user) => mark(user.isDisabled),
      '2ND FACTOR': (user) => mark(user.hasTotp),
      ORGS: (user) => user.organizations,
      CREATED: (user) => dayOf(user.createdAt),
    })
    context.show(users, ...lines)
  },
})

const add = defineCommand({
  about:
    'It prints a link with which the person sets a password, so no password is ever typed here. ' +
    'The first account of the service is an administrator: a closed installation is set up by ssh, ' +
    'without its setup token. The person gets an organization, unless --org names one to join.',
  args: { email: { about: 'the e-mail address of the person' } },
  options: {
    name: { about: 'the name of the person', value: 'NAME' },
    admin: { about: 'make the person an administrator of the service' },
    org: { about: 'the organization to join, by its id or name', value: 'ORG' },
    role: { about: 'the role there', value: 'ROLE', choices: roles, default: 'member' },
    orgName: { about: 'the name of an organization of their own', value: 'NAME' },
  },
  examples: [
    ['stillup user add you@example.com --org-name Acme', 'makes the first account'],
    ['stillup user add bob@example.com --org Acme --role admin', 'adds a colleague'],
  ],
  exits: { 1: 'there is such an account, it is refused, or no daemon runs' },
  async run(context) {
    const { name, admin, org, role, orgName } = context.options
    if (org !== undefined && orgName !== undefined) {
      throw new CommandFailure(exitCodes.usage, '--org and --org-name exclude each other')
    }
    const made = await askFor(context, {
      verb: 'add-user',
      email: context.args.email,
      isSystemAdmin: admin,
      role,
      ...(name === undefined ? {} : { name }),
      ...(org === undefined ? {} : { org }),
      ...(orgName === undefined ? {} : { organizationName: orgName }),
    })
    const user = isRecord(made.user) ? made.user : {}
    const where = isRecord(made.organization) ? made.organization : {}
    const rank = user.isSystemAdmin === true ? 'an administrator of the service, ' : ''
    context.show(
      made,
      `${shown(user.email)} is ${rank}${where.role} of ${shown(where.name)} (${where.id}).`,
      ...linkLines(String(made.url)),
    )
  },
})

const setAdmin = defineCommand({
  about:
    'An administrator sees and switches off every account and organization. The last one stays.',
  args: { email },
  options: { revoke: { about: 'take the right away' } },
  examples: [['stillup user set-admin ada@example.com', 'where the only administrator is lost']],
  exits,
  async run(context) {
    const changes = { isSystemAdmin: !context.options.revoke }
    const user = await askFor(context, { verb: 'change-user', ...context.args, changes })
    const is = user.isSystemAdmin === true ? 'is' : 'is not'
    context.show(user, `${shown(user.email)} ${is} an administrator of the service.`)
  },
})

const disable = defineCommand({
  about: 'The person is signed out at once and cannot sign in. API keys of the organization stay.',
  args: { email },
  options: yes,
  exits,
  async run(context) {
    await mustMean(context, context.options.yes, `Switch off ${context.args.email}?`)
    const changes = { isDisabled: true }
    const user = await askFor(context, { verb: 'change-user', ...context.args, changes })
    context.show(user, `${shown(user.email)} is switched off and signed out.`)
  },
})

const enable = defineCommand({
  args: { email },
  exits,
  async run(context) {
    const changes = { isDisabled: false }
    const user = await askFor(context, { verb: 'change-user', ...context.args, changes })
    context.show(user, `${shown(user.email)} may sign in again.`)
  },
})

const resetTotp = defineCommand({
  about: 'For a person who lost the device and the recovery codes. A letter tells the person.',
  args: { email },
  options: yes,
  exits,
  async run(context) {
    await mustMean(
      context,
      context.options.yes,
      `Turn off the second factor of ${context.args.email}?`,
    )
    const changes = { resetTotp: true }
    const user = await askFor(context, { verb: 'change-user', ...context.args, changes })
    context.show(user, `${shown(user.email)} signs in without a second factor.`)
  },
})

const resetPasskeys = defineCommand({
  about: 'For a person who lost them. The password signs in. A letter tells the person.',
  args: { email },
  options: yes,
  exits,
  async run(context) {
    await mustMean(context, context.options.yes, `Remove all passkeys of ${context.args.email}?`)
    const changes = { resetPasskeys: true }
    const user = await askFor(context, { verb: 'change-user', ...context.args, changes })
    context.show(user, `${shown(user.email)} has no passkeys.`)
  },
})

export const command: CommandGroup = {
  about: 'The running daemon does what is asked, with an entry in the audit log.',
  commands: {
    list: { summary: 'list the accounts, newest first', command: list },
    add: { summary: 'make an account, and print the link that sets its password', command: add },
    'reset-password': { summary: 'print a link that sets a new password', command: resetPassword },
    'reset-totp': { summary: 'turn off the second factor of an account', command: resetTotp },
    'reset-passkeys': {
      summary: 'remove all passkeys of an account',
      command: resetPasskeys,
    },
    'set-admin': { summary: 'make somebody an administrator of the service', command: setAdmin },
    disable: { summary: 'switch an account off', command: disable },
    enable: { summary: 'switch an account on again', command: enable },
  },
}
