// stillup import-subscribers: brings subscribers of status pages who confirmed elsewhere, from a table in CSV.
import { resolve } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import { defineCommand } from '../model/command.ts'
import { CommandFailure } from '../model/failure.ts'
import { daemonOf } from './daemon.ts'
import { readDocument } from './document-file.ts'
import { subscriberLines } from './subscriber-lines.ts'

const tableBytesMax = 4 * 1024 * 1024

export const command = defineCommand({
  about:
    'The first row of the table has the names of its columns: email, confirmedAt, source, and page, which is the ' +
    'id, slug or name of a status page here. Nobody is asked again: you answer for it that they confirmed. All ' +
    'come, or none if a row is refused. It is POST /orgs/{id}/subscribers/import. The daemon must be running.',
  args: { file: { about: 'the table, in CSV', completes: 'file' } },
  options: {
    org: { about: 'the organization, by its id or its name', value: 'ORG' },
    page: { about: 'the status page of rows that name none: its id, slug or name', value: 'PAGE' },
    consent: {
      about: 'where those confirmed whose row has no source, as somebody who wonders is told',
      value: 'TEXT',
    },
    dryRun: { about: 'only say what would be done, or what is wrong' },
  },
  examples: [
    ['stillup import-subscribers readers.csv --org "Acme" --dry-run', 'what it would do'],
    [
      'stillup import-subscribers readers.csv --org "Acme" --page acme --consent "the form of our shop"',
      'rows with an address and a time',
    ],
  ],
  async run({ host, configPath, args, options, show }) {
    const { org, page, consent, dryRun } = options
    const ask = daemonOf(host, { configPath })
    if (org === undefined) {
      throw new CommandFailure(
        exitCodes.usage,
        'import-subscribers needs --org: whose pages they are',
      )
    }
    const csv = await readDocument(resolve(host.cwd, args.file), tableBytesMax)
    const table = { csv, consent, statusPageId: page }
    const done = await ask({ verb: 'import-subscribers', org, table, isTrial: dryRun })
    const lines = subscriberLines(done, dryRun)
    show({ isTrial: dryRun, ...done }, ...(lines.length > 0 ? lines : ['Nobody is in the table.']))
    return exitCodes.ok
  },
})
