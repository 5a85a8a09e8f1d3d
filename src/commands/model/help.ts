// The texts of --help, made from the table and the declarations of the commands.
import { exitCodes } from '../../base/exit.ts'
import type { ArgumentSpec, CatalogEntry, Command, CommandGroup } from './command.ts'
import { argumentShown, optionShown } from './names.ts'
import { optionsOf } from './parse.ts'

/** The titles of the groups, in the order of the help. */
export const groups: Readonly<Record<CatalogEntry['group'], string>> = {
  run: 'Run',
  'look after': 'Look after',
  people: 'People and their organizations',
  data: 'Data',
  other: 'Other',
}

/** What every command's exit codes mean, unless it says otherwise. */
export const usualExits: Readonly<Record<number, string>> = {
  [exitCodes.ok]: 'done',
  [exitCodes.failed]: 'the answer is no, or it could not be done',
  [exitCodes.usage]: 'wrong command line',
  [exitCodes.software]: 'a bug',
  [exitCodes.io]: 'disk or network',
  [exitCodes.config]: 'settings or data directory',
}

const width = 96

/** Breaks a text into lines of the width that is left beside an indentation. */
function wrapped(text: string, indent: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width - indent) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** Text in two columns; a left part that is too long has a line of its own. */
function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const widest = Math.min(26, Math.max(...rows.map(([left]) => left.length)))
  const indent = widest + 4
  return rows
    .map(([left, right]) => {
      const [first = '', ...others] = wrapped(right, indent)
      const gap = `\n${' '.repeat(indent)}`
      const start = left.length > widest ? `  ${left}${gap}` : `  ${left.padEnd(widest)}  `
      return start + [first, ...others].join(gap)
    })
    .join('\n')
}

function exitsShown(exits: Readonly<Record<number, string>>): string {
  return columns(Object.entries(exits).map(([code, about]) => [code.padStart(2), about]))
}

/** `stillup --help`. */
export function overview(catalog: readonly CatalogEntry[]): string {
  const listed = catalog.filter(({ isAlias }) => !isAlias)
  const sections = Object.entries(groups).flatMap(([group, title]) => {
    const own = listed.filter((entry) => entry.group === group)
    return own.length === 0
      ? []
      : [`${title}\n${columns(own.map(({ name, summary }) => [name.padEnd(14), summary]))}`]
  })
  return `Usage: stillup [command] [options]

${sections.join('\n\n')}

Options
${columns([
  ['-c, --config FILE', 'the settings file'],
  ['    --version', 'print the version'],
  ['-h, --help', 'print this text; after a command, how it is used'],
])}

Exit codes
${exitsShown(usualExits)}`
}

/** The line of usage; `name` is the command with its group. */
export function usageOf(name: string, command: Command): string {
  const args = Object.entries(command.args).map(([key, spec]) => argumentShown(key, spec))
  return `Usage: stillup ${[name, ...args, '[options]'].join(' ')}`
}

/** What help is about, under the name that leads to it. */
interface HelpSubject<C> {
  readonly name: string
  readonly summary: string
  readonly command: C
}

/** `stillup <command> --help`. */
export function commandHelp(
  program: string,
  { name, summary, command }: HelpSubject<Command>,
): string {
  const args = Object.entries(command.args).map(
    ([key, spec]) => [argumentShown(key, spec), `${spec.about}${choicesShown(spec)}`] as const,
  )
  const options = Object.entries(optionsOf(command)).map(([key, spec]) => {
    const notes = [
      ...(spec.choices ? [`one of ${spec.choices.join(', ')}`] : []),
      ...(spec.isMany ? ['may be repeated'] : []),
      ...(spec.default === undefined ? [] : [`default: ${spec.default}`]),
    ]
    const note = notes.length > 0 ? ` (${notes.join('; ')})` : ''
    return [optionShown(key, spec), `${spec.about}${note}`] as const
  })
  const examples = command.examples ?? []
  return [
    usageOf(name, command),
    `${sentence(summary)}${command.about === undefined ? '' : `\n${wrapped(command.about, 0).join('\n')}`}`,
    ...(args.length > 0 ? [`Arguments\n${columns(args)}`] : []),
    `Options\n${columns(options)}`,
    ...(examples.length > 0
      ? [
          `Examples\n${examples.map(([line, about]) => `  ${line.replace(/^stillup\b/, program)}\n      ${about}`).join('\n')}`,
        ]
      : []),
    `Exit codes\n${exitsShown({ ...usualExits, ...command.exits })}`,
  ].join('\n\n')
}

function choicesShown({ choices }: ArgumentSpec): string {
  return choices ? ` (one of ${choices.join(', ')})` : ''
}

/** `stillup <group> --help`. */
export function groupHelp(
  program: string,
  { name, summary, command: group }: HelpSubject<CommandGroup>,
): string {
  const rows = Object.entries(group.commands).map(
    ([word, one]) => [word, one.summary] as [string, string],
  )
  const usual = group.usual === undefined ? '' : ` Without one, it is ${group.usual}.`
  return [
    `Usage: stillup ${name} <command> [options]`,
    `${sentence(summary)}${group.about === undefined ? '' : `\n${wrapped(group.about, 0).join('\n')}`}`,
    `Commands\n${columns(rows)}`,
    `${program} ${name} <command> --help tells how one is used.${usual}`,
  ].join('\n\n')
}

/** A summary as a sentence of its own. */
function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
}
