// The table of commands as completion needs it: for each path of words what may follow.
import { type CatalogEntry, type Command, isGroup } from '../model/command.ts'
import { kebab } from '../model/names.ts'
import { optionsOf } from '../model/parse.ts'

/** What a shell offers for a value. */
export type Completes = 'file' | 'directory' | 'nothing' | readonly string[]

export interface CompletionOption {
  /** The name without dashes. */
  readonly long: string
  readonly short: string | undefined
  readonly about: string
  /** Undefined for a switch. */
  readonly value: { readonly name: string; readonly completes: Completes } | undefined
}

export interface CompletionNode {
  /** The words that lead here: '' for the start, `user`, `user add`. */
  readonly path: string
  readonly commands: readonly { readonly name: string; readonly about: string }[]
  readonly options: readonly CompletionOption[]
  /** What the words after the command are; the last counts for all that follow if it may repeat. */
  readonly args: readonly Completes[]
}

/** The start first, then each command, each group followed by what is in it. */
export async function completionTree(catalog: readonly CatalogEntry[]): Promise<CompletionNode[]> {
  const listed = catalog.filter(({ isAlias }) => !isAlias)
  const own = await Promise.all(
    listed.map(async ({ name, load }): Promise<CompletionNode[]> => {
      const { command } = await load()
      if (!isGroup(command)) return [leaf(name, command)]
      const inside = Object.entries(command.commands)
      const commands = inside.map(([word, one]) => ({ name: word, about: one.summary }))
      const group = { path: name, commands, options: [help], args: [] }
      return [group, ...inside.map(([word, one]) => leaf(`${name} ${word}`, one.command))]
    }),
  )
  const commands = listed.map(({ name, summary }) => ({ name, about: summary }))
  const helpCommand = { name: 'help', about: 'tell how a command is used' }
  const start = { path: '', commands: [...commands, helpCommand], options: startOptions, args: [] }
  const helpNode = { path: 'help', commands, options: [], args: [] }
  return [start, ...own.flat(), helpNode]
}

const help: CompletionOption = {
  long: 'help',
  short: 'h',
  about: 'print how it is used',
  value: undefined,
}

const startOptions: readonly CompletionOption[] = [
  {
    long: 'config',
    short: 'c',
    about: 'the settings file',
    value: { name: 'FILE', completes: 'file' },
  },
  { long: 'version', short: undefined, about: 'print the version', value: undefined },
  help,
]

function leaf(path: string, command: Command): CompletionNode {
  const options = Object.entries(optionsOf(command)).map(([name, spec]): CompletionOption => {
    const completes = spec.choices ?? spec.completes ?? 'nothing'
    return {
      long: kebab(name),
      short: spec.short,
      about: spec.about,
      value: spec.value === undefined ? undefined : { name: spec.value, completes },
    }
  })
  const args = Object.values(command.args).map(
    ({ choices, completes }): Completes => choices ?? completes ?? 'nothing',
  )
  return { path, commands: [], options, args }
}

/** A text within single quotes of a POSIX shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
