// Writes docs/command-line.md from the table of commands: npm run commands.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalog } from '../src/commands/catalog.ts'
import { type CatalogEntry, type Command, isGroup } from '../src/commands/model/command.ts'
import { groups, usageOf, usualExits } from '../src/commands/model/help.ts'
import { argumentShown, optionShown } from '../src/commands/model/names.ts'

const head = `# The command line
<!-- also: cli terminal commands -->

Made from the table of commands by \`npm run commands\`; \`stillup help\` says the same. In a tree that
npm installed, write \`npx stillup\` for \`stillup\`.

- \`stillup <command> --help\` tells how a command is used. A mistyped command or option is refused
  with 64, and the nearest one is named.
- Results go to standard output, problems to standard error. \`--json\` prints the result as one JSON
  document, and nothing else.
- \`-c FILE\` names the settings file. Without it a command reads the same settings as \`stillup serve\`
  would here: \`$STILLUP_CONFIG\`, a file *stillup.toml* in the working directory,
  \`/etc/stillup/stillup.toml\`, and the variables.
- Commands that ask the running daemon use the control socket in \`data.dir\`. Only root and the user of
  the daemon may open it. Where no \`data.dir\` is set and none is here, they ask the daemon of
  \`/var/lib/stillup\`, which is that of the systemd unit.
- What the running daemon changes for a command is in the audit log, with the actor \`command_line\`.
  What works without the daemon, such as \`backup remove\`, is not.
- \`NO_COLOR\` keeps colours out of the log.
`

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function tableOf(rows: readonly (readonly [left: string, right: string])[]): string {
  return ['| | |', '|---|---|', ...rows.map(row)].join('\n')
}

function notesOf(spec: {
  readonly about: string
  readonly choices?: readonly string[]
  readonly default?: string
  readonly isMany?: true
}): string {
  const notes = [
    ...(spec.choices ? [`one of ${spec.choices.join(', ')}`] : []),
    ...(spec.isMany ? ['may be repeated'] : []),
    ...(spec.default === undefined ? [] : [`default: ${spec.default}`]),
  ]
  return notes.length > 0 ? `${spec.about} (${notes.join('; ')})` : spec.about
}

/** Their examples need a machine without data, or another one: the documents' commands are tried on this. */
const elsewhere = ['user add', 'org create', 'import', 'restore']

function commandSection(level: string, name: string, summary: string, command: Command): string {
  const { about, args, options, examples = [], exits = {}, hasJson } = command
  const given = [
    ...Object.entries(args).map(
      ([key, spec]) => [`\`${argumentShown(key, spec)}\``, notesOf(spec)] as const,
    ),
    ...Object.entries(options).map(
      ([key, spec]) => [`\`${optionShown(key, spec).trim()}\``, notesOf(spec)] as const,
    ),
    ...(hasJson ? [['`--json`', 'print the result as one JSON document'] as const] : []),
  ]
  const codes = Object.entries(exits).map(([code, meaning]) => `${code}: ${meaning}`)
  return [
    `${level} ${name}`,
    `\`${usageOf(name, command).replace('Usage: ', '')}\``,
    [sentence(summary), about].filter(Boolean).join(' '),
    ...(given.length > 0 ? [tableOf(given)] : []),
    ...(examples.length > 0
      ? [
          `\`\`\`sh${elsewhere.includes(name) ? ' remote' : ''}\n${examples.map(([line, meaning]) => `${line}   # ${meaning}`).join('\n')}\n\`\`\``,
        ]
      : []),
    ...(codes.length > 0 ? [`Exit codes: ${codes.join('; ')}.`] : []),
  ].join('\n\n')
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
}

async function entrySection({ name, summary, load }: CatalogEntry): Promise<string> {
  const { command } = await load()
  if (!isGroup(command)) return commandSection('###', name, summary, command)
  const inside = Object.entries(command.commands).map(([word, one]) =>
    commandSection('####', `${name} ${word}`, one.summary, one.command),
  )
  const about = [sentence(summary), command.about].filter(Boolean).join(' ')
  return [`### ${name}`, about, ...inside].join('\n\n')
}

/** The content of docs/command-line.md. */
export async function commandLinePage(): Promise<string> {
  const listed = catalog.filter(({ isAlias }) => !isAlias)
  const sections = await Promise.all(
    Object.entries(groups).map(async ([group, title]) => {
      const own = listed.filter((entry) => entry.group === group)
      const texts = await Promise.all(own.map(entrySection))
      return own.length === 0 ? [] : [`## ${title}`, ...texts]
    }),
  )
  const exits = Object.entries(usualExits).map(([code, about]) => [code, about] as const)
  const aliases = catalog.filter(({ isAlias }) => isAlias).map(({ name }) => `\`${name}\``)
  return `${[
    head.trimEnd(),
    '## Exit codes',
    tableOf(exits),
    ...sections.flat(),
    '## Former names',
    `These still work: ${aliases.join(', ')}, \`--version\`.`,
  ].join('\n\n')}\n`
}

async function main(): Promise<void> {
  writeFileSync(join(import.meta.dirname, '../docs/command-line.md'), await commandLinePage())
}

if (process.argv[1] === import.meta.filename) void main()
