// stillup export: writes an organization as one document, or all of them into a directory.
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import { defineCommand } from '../model/command.ts'
import { CommandFailure } from '../model/failure.ts'
import { type Ask, daemonOf } from './daemon.ts'
import { writeDocument } from './document-file.ts'

export const command = defineCommand({
  about:
    'The document has monitors, alert channels, status pages and maintenance windows, and lists the ' +
    'secrets that it omits. It also lists what it has and may hold secrets: bodies of requests, URLs ' +
    'with a query, and addresses of webhooks. GET /orgs/{id}/export answers the same document. The ' +
    'daemon must be running.',
  args: {
    org: { about: 'the id or the name of an organization; with --all the directory' },
    file: {
      about: 'where to write it; without it, standard output',
      isOptional: true,
      completes: 'file',
    },
  },
  options: {
    all: { about: 'every organization, each as <id>.json in the directory ORG' },
    force: { about: 'replace files that exist' },
  },
  examples: [
    ['stillup export "Acme" acme.json', 'one organization'],
    ['stillup export --all /backup/organizations', 'all of them'],
  ],
  hasJson: false,
  async run({ host, configPath, args, options }) {
    const { org, file } = args
    const { all, force } = options
    const ask = daemonOf(host, { configPath })
    if (!all) {
      const text = await exported(ask, org)
      if (file === undefined) host.print(text)
      else {
        await writeDocument(resolve(host.cwd, file), `${text}\n`, force)
        host.print(`${file}: written`)
        const { secretsOmitted } = JSON.parse(text) as { secretsOmitted: readonly string[] }
        for (const line of secretLines(secretsOmitted)) host.print(line)
      }
      return exitCodes.ok
    }
    if (file !== undefined) {
      throw new CommandFailure(exitCodes.usage, 'with --all, only the directory is named')
    }
    const dir = resolve(host.cwd, org)
    await mkdir(dir, { recursive: true, mode: 0o700 })
    let count = 0
    for await (const id of orgIds(ask)) {
      await writeDocument(join(dir, `${id}.json`), `${await exported(ask, id)}\n`, force)
      count += 1
    }
    host.print(`${org}: ${count} ${count === 1 ? 'organization' : 'organizations'}`)
    return exitCodes.ok
  },
})

/** Says that the document has no secrets, and what follows for an import. */
function secretLines({ length }: readonly string[]): string[] {
  if (length === 0) return []
  const those = length === 1 ? '1 secret is' : `${length} secrets are`
  return [
    `${those} not in it, see secretsOmitted. An import switches channels off, and pauses monitors, ` +
      'until theirs are entered again.',
  ]
}

async function exported(ask: Ask, org: string): Promise<string> {
  return JSON.stringify(await ask({ verb: 'export-org', org }), null, 2)
}

async function* orgIds(ask: Ask): AsyncGenerator<string> {
  let after: unknown
  do {
    const { items, nextAfter } = await ask({ verb: 'orgs', ...(after ? { after } : {}) })
    for (const { id } of items as readonly { readonly id: string }[]) yield id
    after = nextAfter
  } while (after !== undefined)
}
