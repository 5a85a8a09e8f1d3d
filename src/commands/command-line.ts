// Runs the command that a command line names: finds it in the table, parses, and says what is wrong.
import { exitCodes } from '../base/exit.ts'
import { nearest } from '../domain/nearest.ts'
import {
  type CatalogEntry,
  type Command,
  type CommandContext,
  type CommandGroup,
  isGroup,
} from './model/command.ts'
import { explained } from './model/denied.ts'
import { reportFailure } from './model/failure.ts'
import { commandHelp, groupHelp, overview, usageOf } from './model/help.ts'
import type { Host } from './model/host.ts'
import { misplacedOption, parseLine, splitFirstWord } from './model/parse.ts'

/** A command that was found, under the name that leads to it. */
interface FoundCommand {
  readonly name: string
  readonly summary: string
  readonly command: Command
  readonly rest: readonly string[]
}

/** Returns the exit code. What it rejects with is a bug. */
export async function runCommandLine(
  host: Host,
  catalog: readonly CatalogEntry[],
  argv: readonly string[],
): Promise<number> {
  const { name, rest, isHelp, isVersion, otherOption } = splitFirstWord(argv)
  const { program } = host
  if (isVersion) {
    host.print(host.version)
    return exitCodes.ok
  }
  if (name === undefined && isHelp) {
    host.print(overview(catalog))
    return exitCodes.ok
  }
  // `stillup help user add` is `stillup user add --help`.
  if (name === 'help') return runCommandLine(host, catalog, [...rest, '--help'])
  const entry = catalog.find((one) => one.name === (name ?? 'serve'))
  if (!entry) {
    const near = nearest(name ?? '', namesOf(catalog))
    const problem = otherOption
      ? misplacedOption(otherOption)
      : `there is no command ${name}${question(near)}`
    host.complain(`stillup: ${problem}\n`)
    host.complain(`Usage: stillup [command] [options]\n${program} --help lists the commands.`)
    return exitCodes.usage
  }
  // Loading fails where native code cannot be loaded.
  return reported(host, async () => {
    const { command } = await entry.load()
    if (isGroup(command)) return runGroup({ host, catalog, entry, group: command, rest })
    return runOne({ host, catalog, isHelp }, { ...entry, command, rest })
  })
}

async function reported(host: Host, run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    const code = reportFailure(host, explained(error))
    if (code === undefined) throw error
    return code
  }
}

function namesOf(catalog: readonly CatalogEntry[]): string[] {
  return [...catalog.filter(({ isAlias }) => !isAlias).map(({ name }) => name), 'help']
}

function question(near: string | undefined): string {
  return near === undefined ? '' : `; did you mean ${near}?`
}

interface GroupCall {
  readonly host: Host
  readonly catalog: readonly CatalogEntry[]
  readonly entry: CatalogEntry
  readonly group: CommandGroup
  readonly rest: readonly string[]
}

async function runGroup({ host, catalog, entry, group, rest: words }: GroupCall): Promise<number> {
  const { name = group.usual, rest, isHelp } = splitFirstWord(words)
  const isNamed = splitFirstWord(words).name !== undefined
  if (!isNamed && isHelp) {
    host.print(groupHelp(host.program, { ...entry, command: group }))
    return exitCodes.ok
  }
  const found = name === undefined ? undefined : group.commands[name]
  if (name === undefined || found === undefined) {
    const near = nearest(name ?? '', Object.keys(group.commands))
    host.complain(
      name === undefined
        ? `stillup: ${entry.name} needs one of ${Object.keys(group.commands).join(', ')}\n`
        : `stillup: there is no command ${entry.name} ${name}${question(near)}\n`,
    )
    host.complain(`Usage: stillup ${entry.name} <command> [options]`)
    host.complain(`${host.program} ${entry.name} --help lists them.`)
    return exitCodes.usage
  }
  return runOne({ host, catalog, isHelp }, { ...found, name: `${entry.name} ${name}`, rest })
}

interface CommandCall {
  readonly host: Host
  readonly catalog: readonly CatalogEntry[]
  readonly isHelp: boolean
}

async function runOne(
  { host, catalog, isHelp }: CommandCall,
  found: FoundCommand,
): Promise<number> {
  const { name, command, rest } = found
  if (isHelp) {
    host.print(commandHelp(host.program, found))
    return exitCodes.ok
  }
  const parsed = parseLine(command, name, rest)
  if ('problem' in parsed) {
    host.complain(`stillup: ${parsed.problem}\n`)
    host.complain(`${usageOf(name, command)}\n${host.program} ${name} --help tells more.`)
    return exitCodes.usage
  }
  const context: CommandContext = {
    ...parsed.line,
    host,
    catalog,
    show(result, ...lines) {
      if (parsed.line.isJson) host.print(JSON.stringify(result))
      else for (const line of lines) host.print(line)
    },
  }
  return command.run(context)
}
