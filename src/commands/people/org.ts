// stillup org: organizations and their members, for the operator on the machine.
import { exitCodes } from '../../base/exit.ts'
import { quotaNouns } from '../../base/nouns.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { roles } from '../../domain/access.ts'
import { type CommandGroup, defineCommand } from '../model/command.ts'
import { CommandFailure } from '../model/failure.ts'
import { askFor, askForAll, mustMean, yes } from './asking.ts'
import { columnLines, dayOf, mark, shown } from './columns.ts'

const org = { about: 'the id or the name of an organization' } as const
const exits = { 1: 'there is no such organization, it is refused, or no daemon runs' }

const list = defineCommand({
  options: { search: { about: 'part of the name', value: 'TEXT' } },
  exits,
  async run(context) {
    const { search: q } = context.options
    const orgs = await askForAll(context, { verb: 'list-orgs', ...(q ? { q } : {}) })
    const lines = columnLines(orgs, {
      ID: (one) => one.id,
      NAME: (one) => one.name,
      OFF: (one) => mark(one.isDisabled),
      MONITORS: (one) => one.monitors,
      MEMBERS: (one) => one.members,
      CREATED: (one) => dayOf(one.createdAt),
    })
    context.show(orgs, ...lines)
  },
})

const create = defineCommand({
  args: { name: { about: 'its name' } },
  options: { owner: { about: 'the account that owns it', value: 'EMAIL' } },
  examples: [['stillup org create Acme --owner ada@example.com', 'makes Acme, owned by ada']],
  exits: { 1: 'there is no such account, it is refused, or no daemon runs' },
  async run(context) {
    const { owner } = context.options
    if (owner === undefined) throw new CommandFailure(exitCodes.usage, '--owner EMAIL is needed')
    const made = await askFor(context, { verb: 'create-org', ...context.args, owner })
    context.show(made, `${made.id}: ${shown(made.name)}, owned by ${owner}`)
  },
})

const suspend = defineCommand({
  about:
    'It is closed to its members, shows no status pages, runs no checks, accepts no reports and ' +
    'sends no alerts. Nothing is deleted.',
  args: { org },
  options: yes,
  exits,
  async run(context) {
    await mustMean(context, context.options.yes, `Switch off ${context.args.org}?`)
    const changes = { isDisabled: true }
    const after = await askFor(context, { verb: 'change-org', ...context.args, changes })
    context.show(after, `${shown(after.name)} is switched off.`)
  },
})

const resume = defineCommand({
  args: { org },
  exits,
  async run(context) {
    const changes = { isDisabled: false }
    const after = await askFor(context, { verb: 'change-org', ...context.args, changes })
    context.show(after, `${shown(after.name)} is switched on.`)
  },
})

const setQuota = defineCommand({
  about: `A value replaces that of the settings for this organization; usual returns to it. What can be bounded: ${quotaNouns.join(', ')}.`,
  args: {
    org,
    quotas: { about: 'what and how many, as in monitors=1000 or monitors=usual', isMany: true },
  },
  examples: [['stillup org set-quota Acme monitors=1000 pages=usual', 'changes two of them']],
  exits,
  async run(context) {
    const quotas = Object.fromEntries(context.args.quotas.map(quotaOf))
    const request = { verb: 'change-org', org: context.args.org, changes: { quotas } }
    const after = await askFor(context, request)
    const now = isRecord(after.quotas) ? Object.entries(after.quotas) : []
    context.show(after, ...now.map(([name, most]) => `${name}: ${most}`))
  },
})

/** `monitors=1000`. */
function quotaOf(text: string): [name: string, most: number | null] {
  const [, name = '', value = ''] = /^(\w+)=(\d+|usual)$/.exec(text) ?? []
  if (quotaNouns.some((one) => one === name))
    return [name, value === 'usual' ? null : Number(value)]
  throw new CommandFailure(
    exitCodes.usage,
    `${text} must be one of ${quotaNouns.join(', ')}, with = and a number or usual`,
  )
}

const remove = defineCommand({
  about:
    'Everything in it is deleted, immediately and permanently: monitors, results, status pages, ' +
    'channels, keys. The accounts of its members stay.',
  args: { org },
  options: yes,
  exits,
  async run(context) {
    const question = `Delete ${context.args.org} and everything in it, for ever?`
    await mustMean(context, context.options.yes, question)
    const gone = await askFor(context, { verb: 'delete-org', ...context.args })
    context.show(gone, `${gone.id} is deleted.`)
  },
})

const members = defineCommand({
  args: { org },
  exits,
  async run(context) {
    const all = await askForAll(context, { verb: 'list-members', ...context.args })
    const lines = columnLines(all, {
      EMAIL: (member) => member.email,
      NAME: (member) => member.name,
      ROLE: (member) => member.role,
      JOINED: (member) => dayOf(member.joinedAt),
    })
    context.show(all, ...lines)
  },
})

const setRole = defineCommand({
  about: 'Somebody who is no member becomes one. Where the only owner is gone, make another.',
  args: {
    org,
    email: { about: 'the e-mail address of an account' },
    role: { about: 'the role', choices: roles },
  },
  examples: [['stillup org set-role Acme ada@example.com owner', 'makes ada an owner']],
  exits: { 1: 'there is no such organization or account, it is refused, or no daemon runs' },
  async run(context) {
    const member = await askFor(context, { verb: 'set-member', ...context.args })
    context.show(member, `${shown(member.email)} is ${member.role}.`)
  },
})

const removeMember = defineCommand({
  about: 'The account stays, and so do the API keys of the organization. The last owner stays.',
  args: { org, email: { about: 'the e-mail address of a member' } },
  options: yes,
  exits: { 1: 'there is no such organization or member, it is refused, or no daemon runs' },
  async run(context) {
    const { args, options } = context
    await mustMean(context, options.yes, `End the membership of ${args.email} in ${args.org}?`)
    const member = await askFor(context, { verb: 'remove-member', ...args })
    context.show(member, `${shown(member.email)} is no member any more.`)
  },
})

export const command: CommandGroup = {
  about: 'The running daemon does what is asked, with an entry in the audit log.',
  commands: {
    list: { summary: 'list the organizations, newest first', command: list },
    create: { summary: 'make an organization', command: create },
    suspend: { summary: 'switch an organization off', command: suspend },
    resume: { summary: 'switch an organization on again', command: resume },
    'set-quota': { summary: 'bound what an organization may have', command: setQuota },
    delete: { summary: 'delete an organization and everything in it', command: remove },
    members: { summary: 'list the members of an organization', command: members },
    'set-role': { summary: 'give somebody a role in an organization', command: setRole },
    'remove-member': { summary: 'end a membership', command: removeMember },
  },
}
