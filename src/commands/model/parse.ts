// Reads a command line by the declarations of a command. Every mistake is a sentence.
import { parseArgs } from 'node:util'
import { nearest } from '../../domain/nearest.ts'
import type { Command, OptionSpecs } from './command.ts'
import { argumentShown, flagOf, kebab } from './names.ts'

/** The options of every command; --json only of commands that print a result. */
const everyCommand: OptionSpecs = {
  config: { about: 'the settings file', value: 'FILE', short: 'c', completes: 'file' },
  help: { about: 'print this text', short: 'h' },
}

const json: OptionSpecs = { json: { about: 'print the result as one JSON document' } }

/** All options of a command, its own first. */
export function optionsOf(command: Command): OptionSpecs {
  return { ...command.options, ...(command.hasJson ? json : {}), ...everyCommand }
}

export interface FirstWord {
  /** The command; undefined if none is named. */
  readonly name: string | undefined
  /** Everything else, in order. */
  readonly rest: readonly string[]
  readonly isHelp: boolean
  readonly isVersion: boolean
  /** The first option before the command that not every command has, as typed. */
  readonly otherOption: string | undefined
}

/** May stand before any command. */
const anywhere = [...Object.keys({ ...everyCommand, ...json }), 'version']

/** Finds the command among the options that may stand before it. */
export function splitFirstWord(argv: readonly string[]): FirstWord {
  const { tokens, values } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    options: {
      config: { type: 'string', short: 'c' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  })
  const first = tokens.find((token) => token.kind === 'positional')
  const other = tokens.find(
    (token) =>
      token.kind === 'option' &&
      token.index < (first?.index ?? argv.length) &&
      !anywhere.includes(token.name),
  )
  return {
    name: first?.value,
    rest: first === undefined ? argv : argv.toSpliced(first.index, 1),
    isHelp: values.help === true,
    isVersion: values.version === true,
    otherOption: other?.kind === 'option' ? other.rawName : undefined,
  }
}

interface ParsedLine {
  readonly args: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
  readonly configPath: string | undefined
  readonly isJson: boolean
}

export type ParseResult = { readonly line: ParsedLine } | { readonly problem: string }

/** The values of the line, or what is wrong with it. `name` is the command as typed. */
export function parseLine(command: Command, name: string, argv: readonly string[]): ParseResult {
  const specs = optionsOf(command)
  const byFlag = new Map(Object.entries(specs).map(([key, spec]) => [kebab(key), { key, spec }]))
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      [...byFlag].map(([flag, { spec }]) => [
        flag,
        {
          type: spec.value === undefined ? ('boolean' as const) : ('string' as const),
          ...(spec.short === undefined ? {} : { short: spec.short }),
        },
      ]),
    ),
  })
  const options: Record<string, string | boolean | readonly string[] | undefined> = {}
  for (const [key, spec] of Object.entries(specs)) {
    if (spec.value === undefined) options[key] = false
    else if (spec.isMany) options[key] = []
    else if (spec.default !== undefined) options[key] = spec.default
  }
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const known = byFlag.get(token.name)
    if (!known) return { problem: unknownOption(name, token.rawName, [...byFlag.keys()]) }
    const { key, spec } = known
    const { value } = token
    if (spec.value === undefined) {
      if (value !== undefined) return { problem: `${token.rawName} takes no value` }
      options[key] = true
      continue
    }
    const isMissing = value === undefined || (value.startsWith('-') && !token.inlineValue)
    if (isMissing) return { problem: `${token.rawName} needs a value: ${spec.value}` }
    if (spec.choices && !spec.choices.includes(value)) {
      return { problem: `${token.rawName} must be one of ${spec.choices.join(', ')}` }
    }
    options[key] = spec.isMany ? [...listOf(options[key]), value] : value
  }
  const filled = fillArguments(command, name, words)
  if ('problem' in filled) return filled
  const { config, json: isJson } = options
  return {
    line: {
      args: filled.args,
      options,
      configPath: typeof config === 'string' ? config : undefined,
      isJson: isJson === true,
    },
  }
}

function listOf(value: string | boolean | readonly string[] | undefined): readonly string[] {
  return Array.isArray(value) ? value : []
}

function unknownOption(name: string, found: string, flags: readonly string[]): string {
  const near = nearestFlag(found, flags)
  const question = near === undefined ? '' : `; did you mean ${flagOf(near)}?`
  return `${name} has no option ${found}${question}`
}

function nearestFlag(found: string, flags: readonly string[]): string | undefined {
  return found.startsWith('--') ? nearest(found.slice(2), flags) : undefined
}

/**
 * What is wrong with an option before the command. Its value may have been read as the command, so the
 * sentence does not name that.
 */
export function misplacedOption(found: string): string {
  if (nearestFlag(found, anywhere) !== undefined) return unknownOption('stillup', found, anywhere)
  return `stillup has no option ${found}; options of a command follow its name`
}

function fillArguments(
  command: Command,
  name: string,
  words: readonly string[],
): Pick<ParsedLine, 'args'> | { readonly problem: string } {
  const args: Record<string, string | readonly string[] | undefined> = {}
  const left = [...words]
  for (const [key, spec] of Object.entries(command.args)) {
    const word = left.shift()
    if (word === undefined && !spec.isOptional) {
      return { problem: `${name} needs ${argumentShown(key, spec)}: ${spec.about}` }
    }
    const given = spec.isMany ? [word, ...left] : [word]
    const { choices } = spec
    const isOther = choices && given.some((one) => one !== undefined && !choices.includes(one))
    if (isOther) {
      return { problem: `${argumentShown(key, spec)} must be one of ${choices.join(', ')}` }
    }
    if (spec.isMany) args[key] = word === undefined ? [] : [word, ...left.splice(0)]
    else args[key] = word
  }
  return left.length > 0 ? { problem: `unexpected argument ${left[0]}` } : { args }
}
