// stillup export-page: asks the daemon on this machine to write a status page as static files.
import { resolve } from 'node:path'
import { defineCommand } from './model/command.ts'
import { askRunning } from './model/daemon.ts'

/** How long a command of the command line waits for an export. */
const exportWaitMs = 60_000

export const command = defineCommand({
  about:
    'The running daemon writes the files: it must be allowed to write there. Under our systemd ' +
    'unit it may write only below its own directory; see pages.exportDir.',
  args: {
    slug: { about: 'the slug of the status page' },
    dir: { about: 'the directory; it is made if it is missing', completes: 'directory' },
  },
  options: { force: { about: 'write to a directory that holds something else' } },
  examples: [['stillup export-page acme /srv/www/status', 'writes the page acme']],
  exits: { 1: 'it could not be written, or no daemon runs' },
  async run({ host, configPath, args, options, show }) {
    const dir = resolve(host.cwd, args.dir)
    const request = { verb: 'export-page', slug: args.slug, dir, isForced: options.force }
    const { files, changed } = written(
      await askRunning(host, { configPath }, request, exportWaitMs),
    )
    show({ dir, files, changed }, `${dir}: ${files} files, ${changed} of them new or changed`)
  },
})

/** What the daemon answers. */
function written(answer: unknown) {
  return answer as { readonly files: number; readonly changed: number }
}
