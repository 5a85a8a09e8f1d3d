// stillup export: writes an organization as one document, or all of them into a directory; also for other products.
import { mkdir } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import type { ForeignExport } from '../../domain/exports/outgoing.ts'
import { type ForeignFormat, foreignFormats } from '../../services/orgs/exports/foreign-exports.ts'
import type { PortableDocument } from '../../services/portable.ts'
import { defineCommand } from '../model/command.ts'
import { CommandFailure } from '../model/failure.ts'
import { shown } from '../people/columns.ts'
import { type Ask, daemonOf } from './daemon.ts'
import { writeDocument } from './document-file.ts'
import { writeHistory } from './history-folder.ts'

export const command = defineCommand({
  about:
    'The document has monitors, alert channels, status pages and maintenance windows, and lists the ' +
    'secrets that it omits. It also lists what it has and may hold secrets: bodies of requests, URLs ' +
    'with a query, and addresses of webhooks. GET /orgs/{id}/export answers the same document. With --as, ' +
    'another product can read it, and what that has no words for is listed. The daemon must be running.',
  args: {
    org: { about: 'the id or the name of an organization; with --all the directory' },
    file: {
      about:
        'where to write it; without it, standard output. A directory, if the format has several files',
      isOptional: true,
      completes: 'file',
    },
  },
  options: {
    all: { about: 'every organization, each as <id>.json in the directory ORG' },
    as: {
      about:
        'the product that shall read it: gatus (its YAML), kuma (the backup of Uptime Kuma 1.23), csv (a table), prometheus (targets, and modules of blackbox_exporter); with --history: jsonl (the default), csv or parquet',
      value: 'FORMAT',
    },
    history: {
      about: 'the whole history, as a file for each table in the directory FILE',
    },
    from: { about: 'with --history: only what began at this time or later', value: 'TIME' },
    to: { about: 'with --history: only what began before this time', value: 'TIME' },
    force: { about: 'replace files that exist' },
  },
  examples: [
    ['stillup export "Acme" acme.json', 'one organization'],
    ['stillup export --all /backup/organizations', 'all of them'],
    ['stillup export "Acme" gatus.yaml --as gatus', 'for another product'],
    ['stillup export "Acme" history --history --as csv', 'what happened, for other programs'],
  ],
  hasJson: false,
  async run({ host, configPath, args, options }) {
    const { org, file } = args
    const { all, as, force, history, from, to } = options
    if (history) {
      if (all) throw new CommandFailure(exitCodes.usage, 'the history is that of one organization')
      await writeHistory(host, { configPath, org, folder: file, as, from, to, force })
      return exitCodes.ok
    }
    if (from !== undefined || to !== undefined) {
      throw new CommandFailure(exitCodes.usage, '--from and --to belong to --history')
    }
    const format = formatOf(as)
    const ask = daemonOf(host, { configPath })
    const make = (id: string) => (format ? madeFor(ask, id, format) : made(ask, id))
    if (all && file !== undefined) {
      throw new CommandFailure(exitCodes.usage, 'with --all, only the directory is named')
    }
    if (all) {
      const dir = resolve(host.cwd, org)
      await mkdir(dir, { recursive: true, mode: 0o700 })
      let count = 0
      for await (const id of orgIds(ask)) {
        const { files } = await make(id)
        const [first] = files
        const path = join(dir, files.length > 1 ? id : `${id}${extname(first?.name ?? '')}`)
        await writeFiles(path, files, force)
        count += 1
      }
      host.print(`${org}: ${count} ${count === 1 ? 'organization' : 'organizations'}`)
      return exitCodes.ok
    }
    const { files, lines } = await make(org)
    if (file !== undefined) {
      await writeFiles(resolve(host.cwd, file), files, force)
      host.print(`${file}: written`)
      for (const line of lines) host.print(line)
      return exitCodes.ok
    }
    const [only, ...others] = files
    if (others.length > 0) {
      const hint = `It has the files ${files.map(({ name }) => name).join(', ')}.`
      throw new CommandFailure(exitCodes.usage, `name the directory for --as ${format}`, { hint })
    }
    host.print(only?.text.replace(/\n$/, '') ?? '')
    return exitCodes.ok
  },
})

function formatOf(as: string | undefined): ForeignFormat | undefined {
  const known = foreignFormats.find((format) => format === as)
  if (as === undefined || known !== undefined) return known
  const hint = `Possible are ${foreignFormats.join(', ')}.`
  throw new CommandFailure(exitCodes.usage, `--as does not know ${shown(as)}`, { hint })
}

interface ExportedFiles {
  readonly files: readonly { readonly name: string; readonly text: string }[]
  /** What is said of it, once it is written. */
  readonly lines: readonly string[]
}

async function made(ask: Ask, org: string): Promise<ExportedFiles> {
  const document = await ask({ verb: 'export-org', org })
  // The daemon answers what the API does.
  const { secretsOmitted, windowsOmitted } = document as Pick<
    Required<PortableDocument>,
    'secretsOmitted' | 'windowsOmitted'
  >
  const text = `${JSON.stringify(document, null, 2)}\n`
  const lines = [...secretLines(secretsOmitted ?? []), ...windowLines(windowsOmitted ?? [])]
  return { files: [{ name: 'stillup.json', text }], lines }
}

async function madeFor(ask: Ask, org: string, format: ForeignFormat): Promise<ExportedFiles> {
  const answer = await ask({ verb: 'export-as', org, format })
  // The daemon answers with what its service made.
  const { files, notes } = answer as unknown as ForeignExport
  const lines = notes.map(({ name, text }) =>
    name === null ? `  ${shown(text)}` : `  "${shown(name)}": ${shown(text)}`,
  )
  const head = `What is otherwise in it, or not in it (${notes.length}):`
  return { files, lines: notes.length === 0 ? [] : [head, ...lines] }
}

/** One file at the path, or several in a directory there. */
async function writeFiles(
  path: string,
  files: ExportedFiles['files'],
  isForced: boolean,
): Promise<void> {
  const [only, ...others] = files
  if (only && others.length === 0) return writeDocument(path, only.text, isForced)
  await mkdir(path, { recursive: true, mode: 0o700 })
  for (const { name, text } of files) await writeDocument(join(path, name), text, isForced)
}

/** Says that the document has no secrets, and what follows for an import. */
function secretLines({ length }: readonly string[]): string[] {
  if (length === 0) return []
  const those = length === 1 ? '1 secret is' : `${length} secrets are`
  return [
    `${those} not in it, see secretsOmitted. An import switches channels off, and pauses monitors, ` +
      'until theirs are entered again.',
  ]
}

function windowLines({ length }: readonly object[]): string[] {
  if (length === 0) return []
  const those = length === 1 ? '1 maintenance window is' : `${length} maintenance windows are`
  return [`${those} not in it, see windowsOmitted: over, or only for monitors that were deleted.`]
}

async function* orgIds(ask: Ask): AsyncGenerator<string> {
  let after: unknown
  do {
    const { items, nextAfter } = await ask({ verb: 'orgs', ...(after ? { after } : {}) })
    for (const { id } of items as readonly { readonly id: string }[]) yield id
    after = nextAfter
  } while (after !== undefined)
}
