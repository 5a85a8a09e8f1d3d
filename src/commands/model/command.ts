// What a command is: its arguments and options, which help, completion and parsing read, and what
// it does.
import { exitCodes } from '../../base/exit.ts'
import type { CommandOptions, Host } from './host.ts'

/** One word after the command. Help shows the name in capitals. */
export interface ArgumentSpec {
  readonly about: string
  readonly isOptional?: true
  /** The last one may be given more than once. */
  readonly isMany?: true
  /** The only values. */
  readonly choices?: readonly string[]
  /** What a shell completes. */
  readonly completes?: 'file' | 'directory'
}

/** The name is in camelCase here and in kebab-case on the command line. */
export interface OptionSpec {
  readonly about: string
  /** What its value is, in capitals, such as FILE. Without it the option is a switch. */
  readonly value?: string
  /** One letter. */
  readonly short?: string
  /** The value if the option is not given. */
  readonly default?: string
  /** The only values. */
  readonly choices?: readonly string[]
  /** It may be given more than once; its value is a list. */
  readonly isMany?: true
  /** What a shell completes. */
  readonly completes?: 'file' | 'directory'
}

export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>
export type OptionSpecs = Readonly<Record<string, OptionSpec>>

type TextOf<S> = S extends { choices: readonly (infer C extends string)[] } ? C : string

type ArgumentValue<S extends ArgumentSpec> = S extends { isMany: true }
  ? readonly TextOf<S>[]
  : S extends { isOptional: true }
    ? TextOf<S> | undefined
    : TextOf<S>

type OptionValue<S extends OptionSpec> = S extends { value: string }
  ? S extends { isMany: true }
    ? readonly TextOf<S>[]
    : S extends { default: string }
      ? TextOf<S>
      : TextOf<S> | undefined
  : boolean

type ArgumentValues<A extends ArgumentSpecs> = {
  readonly [K in keyof A]: ArgumentValue<A[K]>
}

type OptionValues<O extends OptionSpecs> = { readonly [K in keyof O]: OptionValue<O[K]> }

/** What a command gets when it runs. */
export interface CommandContext<A = unknown, O = unknown> extends CommandOptions {
  readonly host: Host
  /** Whether --json was given. */
  readonly isJson: boolean
  readonly args: A
  readonly options: O
  /** Prints the result: `result` as JSON with --json, else the lines. */
  show(result: unknown, ...lines: readonly string[]): void
  /** Every command, for commands that tell of others. */
  readonly catalog: readonly CatalogEntry[]
}

interface CommandTexts {
  /** Sentences that say more than the summary. */
  readonly about?: string
  /** Lines as typed, beginning with `stillup`, each with what it does. */
  readonly examples?: readonly (readonly [line: string, about: string])[]
  /** What its exit codes mean, where the usual words do not say it. */
  readonly exits?: Readonly<Record<number, string>>
  /** Whether it prints a result, and so has --json. Default: true. */
  readonly hasJson?: boolean
}

export interface Command extends CommandTexts {
  readonly args: ArgumentSpecs
  readonly options: OptionSpecs
  /** Returns the exit code. Throws CommandFailure, or what model/failure.ts has words for. */
  run(context: CommandContext): Promise<number>
}

interface CommandSpec<A extends ArgumentSpecs, O extends OptionSpecs> extends CommandTexts {
  readonly args?: A
  readonly options?: O
  /** Returns the exit code, or nothing once all is done. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands return nothing
  run(context: CommandContext<ArgumentValues<A>, OptionValues<O>>): Promise<number | void>
}

/** A word that only leads to other words, such as `user` to `user list`. */
export interface CommandGroup {
  readonly about?: string
  /** The command that runs if none is named; absent: the group shows its help. */
  readonly usual?: string
  readonly commands: Readonly<
    Record<string, { readonly summary: string; readonly command: Command }>
  >
}

/** A line of the table: what is known of a command before it is loaded. */
export interface CatalogEntry {
  readonly name: string
  readonly group: 'run' | 'look after' | 'people' | 'data' | 'other'
  /** One line, as after "stillup <name> — ". */
  readonly summary: string
  /** A former spelling: it works, and help does not list it. */
  readonly isAlias?: true
  load(): Promise<{ readonly command: Command | CommandGroup }>
}

/** Types what `run` gets by the arguments and options that the command declares. */
export function defineCommand<
  const A extends ArgumentSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(spec: CommandSpec<A, O>): Command {
  const { args = {}, options = {}, hasJson = true, run, ...texts } = spec
  return {
    ...{ ...texts, args, options, hasJson },
    run: async (context) => (await run(asDeclared<A, O>(context))) ?? exitCodes.ok,
  }
}

/** The values were parsed by these very declarations (model/parse.ts). */
function asDeclared<A extends ArgumentSpecs, O extends OptionSpecs>(context: CommandContext) {
  return context as CommandContext<ArgumentValues<A>, OptionValues<O>>
}

export function isGroup(command: Command | CommandGroup): command is CommandGroup {
  return 'commands' in command
}
