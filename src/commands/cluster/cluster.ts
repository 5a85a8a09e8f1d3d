// stillup cluster: makes and looks after the cluster that this machine is a member of.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import {
  checkCluster,
  clusterStatus,
  initializeCluster,
  reseedCluster,
} from '../../services/cluster/cluster-tools.ts'
import { planNats } from '../../services/cluster/nats-plan.ts'
import { type CommandGroup, defineCommand } from '../model/command.ts'
import { askRunning } from '../model/daemon.ts'
import { CommandFailure } from '../model/failure.ts'
import type { Host } from '../model/host.ts'
import { settingsFor } from '../model/settings.ts'

const operator = {
  value: 'FILE',
  completes: 'file',
  about: 'holds the NKey seed of somebody who may make streams; else cluster.nkeyFile is used',
} as const

function inputs(host: Host, configPath: string | undefined) {
  const { clock, version } = host
  return { settings: settingsFor(host, { configPath }).settings, clock, version }
}

const file = (host: Host, path: string | undefined) =>
  path === undefined ? undefined : resolve(host.cwd, path)

const init = defineCommand({
  about:
    'Run it once, on the member whose data the cluster begins with, while its daemon is stopped. All others ' +
    'take a copy of it when they start. Run it again where cluster.servers names three servers instead of one: ' +
    'the log goes on, and all three keep it.',
  options: { operator },
  async run({ host, configPath, options, show }) {
    const { made, widened, isBegun } = await initializeCluster(
      inputs(host, configPath),
      file(host, options.operator),
    )
    const what = [
      ...(made.length > 0 ? [`made ${made.join(', ')}`] : []),
      ...(widened.length > 0 ? [`more servers keep ${widened.join(', ')}`] : []),
      isBegun
        ? 'the cluster begins with the data of this machine'
        : 'the log goes on with the records that it has',
    ]
    show({ made, widened }, what.join('; '))
  },
})

const reseed = defineCommand({
  about:
    'For a log that was lost, and after a backup was restored: begins a new log with the data of this ' +
    'machine, while its daemon is stopped. Whatever only others have is lost; they keep it in no case.',
  options: { operator },
  async run({ host, configPath, options, show }) {
    await reseedCluster(inputs(host, configPath), file(host, options.operator))
    show({}, 'a new log begins with the data of this machine: start it first')
  },
})

const check = defineCommand({
  about:
    'Looks at the streams, and asks the NATS servers whether they put on disk what they acknowledge.',
  exits: { 0: 'all is well', 1: 'something is not as it must be' },
  async run({ host, configPath, show }) {
    const problems = await checkCluster(inputs(host, configPath))
    const isWell = problems.length === 0
    const lines = problems.flatMap(({ seen, advice }) => [seen, `  ${advice}`])
    show({ problems }, ...(isWell ? ['the cluster is as it must be'] : lines))
    return isWell ? exitCodes.ok : exitCodes.failed
  },
})

const status = defineCommand({
  about: 'Who leads, and how far the others are.',
  async run({ host, configPath, show }) {
    const found = await clusterStatus(inputs(host, configPath))
    const rows = found.members.map(({ member, role, behind, version, url }) => {
      const isLeader = member === found.leader
      const lacks = isLeader ? '' : `, ${behind} records behind`
      return `${member}: ${isLeader ? 'leads' : role}, stillup ${version}, ${url}${lacks}`
    })
    show(found, ...(found.leader === null ? ['nobody leads'] : []), ...rows)
  },
})

const stepDown = defineCommand({
  about:
    'The daemon of this machine stops in order, gives its place back, ends with 75, and starts again as a standby.',
  async run({ host, configPath, show }) {
    await askRunning(host, { configPath }, { verb: 'step-down' })
    show({}, 'this member steps down')
  },
})

const plan = defineCommand({
  about:
    'Writes the configuration of a NATS server for each member, the key of each, and that of an operator, ' +
    'who may make streams. The servers need certificates: /etc/nats/cert.pem, key.pem and ca.pem.',
  args: { dir: { about: 'the directory to write to; it is made', completes: 'directory' } },
  options: {
    member: { value: 'NAME=HOST', isMany: true, about: 'a member and its host; three of them' },
  },
  examples: [
    [
      'stillup cluster plan plan --member a=10.0.0.1 --member b=10.0.0.2 --member c=10.0.0.3',
      'writes nats-a.conf, a.nk and so on',
    ],
  ],
  async run({ host, configPath, args, options, show }) {
    const { settings } = settingsFor(host, { configPath })
    const hosts = Object.fromEntries(options.member.map((text) => memberIn(text)))
    if (Object.keys(hosts).length !== 3) {
      throw new CommandFailure(exitCodes.usage, 'a cluster has three members: --member NAME=HOST')
    }
    const dir = resolve(host.cwd, args.dir)
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    const { files } = await planNats(settings.cluster.cell, hosts)
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(dir, name), text, { mode: 0o600, flag: 'wx' })
    }
    show({ dir, files: Object.keys(files) }, `${dir}: ${Object.keys(files).join(', ')}`)
  },
})

function memberIn(text: string): [name: string, host: string] {
  const [, name = '', address = ''] = /^([A-Za-z0-9_-]{1,32})=(\S+)$/.exec(text) ?? []
  if (name === '') throw new CommandFailure(exitCodes.usage, '--member must be NAME=HOST')
  return [name, address]
}

export const command: CommandGroup = {
  about: 'Three machines, each with a NATS server: one leads, the others take over by themselves.',
  commands: {
    plan: { summary: 'write the files of three NATS servers', command: plan },
    init: { summary: 'begin the cluster with the data of this machine', command: init },
    check: { summary: 'look whether the cluster is as it must be', command: check },
    status: { summary: 'tell who leads, and how far the others are', command: status },
    'step-down': { summary: 'let another member lead', command: stepDown },
    reseed: { summary: 'begin a new log with the data of this machine', command: reseed },
  },
}
