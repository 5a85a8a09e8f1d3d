// Lists of any length, answers with fields, and whether the person means it.
import { exitCodes } from '../../base/exit.ts'
import { isRecord } from '../../base/schema/pick.ts'
import type { ControlRequest } from '../../store/control.ts'
import type { CommandContext } from '../model/command.ts'
import { askRunning } from '../model/daemon.ts'
import { CommandFailure } from '../model/failure.ts'

type Asker = Pick<CommandContext, 'host' | 'configPath'>

export type DaemonAnswer = Readonly<Record<string, unknown>>

/** An answer that is an object. */
export async function askFor(asker: Asker, request: ControlRequest): Promise<DaemonAnswer> {
  return asAnswer(await askRunning(asker.host, asker, request))
}

function asAnswer(value: unknown): DaemonAnswer {
  if (isRecord(value)) return value
  throw new CommandFailure(exitCodes.failed, 'the daemon answered something else than expected', {
    hint: 'It may be of another version: restart it.',
  })
}

/** Items that a command of the command line lists. */
const commandListMax = 100_000

/** Everything that the pages of a list hold. */
export async function askForAll(asker: Asker, request: ControlRequest): Promise<DaemonAnswer[]> {
  const all: DaemonAnswer[] = []
  let after: unknown
  do {
    const page = await askFor(asker, { ...request, ...(after ? { after } : {}) })
    if (Array.isArray(page.items)) all.push(...page.items.map(asAnswer))
    after = page.nextAfter
  } while (after && all.length < commandListMax)
  return all
}

/** The organization of a command that names none: the only one. */
export async function orgOf(asker: Asker, named: string | undefined): Promise<string> {
  if (named !== undefined) return named
  const { items } = await askFor(asker, { verb: 'list-orgs' })
  const [first, another] = Array.isArray(items) ? items.map(asAnswer) : []
  if (first && !another) return String(first.id)
  throw new CommandFailure(
    exitCodes.usage,
    first ? 'there are several organizations: name one with --org' : 'there is no organization yet',
  )
}

/** Asks before something that cannot be taken back. Throws CommandFailure without a yes. */
export async function mustMean(
  { host }: Pick<CommandContext, 'host'>,
  isSure: boolean,
  question: string,
): Promise<void> {
  if (isSure) return
  if (!host.isInteractive) {
    throw new CommandFailure(exitCodes.usage, `${question} Nobody can be asked here: pass --yes.`)
  }
  const said = await host.ask(`${question} [y/N] `)
  if (/^y(es)?$/i.test(said.trim())) return
  throw new CommandFailure(exitCodes.failed, 'nothing was done')
}

export const yes = { yes: { about: 'do not ask' } } as const
