// stillup imports: lists what was imported into an organization, and takes an import back.
import { exitCodes } from '../../base/exit.ts'
import { nounOfList, nouns } from '../../base/nouns.ts'
import { secondText } from '../../base/time-text.ts'
import type { ImportRecord, UndoLine } from '../../domain/imports/import-record.ts'
import { undoActions } from '../../domain/imports/import-record.ts'
import { defineCommand } from '../model/command.ts'
import { columnLines, counted, shown } from '../people/columns.ts'
import { daemonOf } from './daemon.ts'

/** Items that are named for each thing that is done; the others are counted. */
const namedMax = 20

const words = {
  delete: 'deleted',
  restore: 'as before the import',
  changedSince: 'changed since, and kept',
  inUse: 'needed by something else, and kept',
  gone: 'deleted before',
} as const

export const command = defineCommand({
  about:
    'The newest imports of a year, with how many items each made and changed. For a day, --undo takes one ' +
    'back: what it made is deleted, and what it changed is as before, unless it was changed since. It is ' +
    'POST /orgs/{id}/imports/{id}/undo. The daemon must be running.',
  args: { org: { about: 'the organization, by its id or its name' } },
  options: {
    undo: { about: 'take this import back', value: 'ID' },
    dryRun: { about: 'with --undo: only say what would be done' },
  },
  examples: [
    ['stillup imports "Acme"', 'what was imported'],
    [
      'stillup imports "Acme" --undo imp_01arz3ndektsv4rrffq69g5fav --dry-run',
      'what an undo would do',
    ],
  ],
  async run({ host, configPath, args, options, show }) {
    const { org } = args
    const ask = daemonOf(host, { configPath })
    if (options.undo === undefined) {
      // The daemon answers in this form.
      const { items } = (await ask({ verb: 'imports', org })) as unknown as {
        readonly items: readonly ImportRecord[]
      }
      const rows = items.map((one) => ({ ...one }))
      const lines = columnLines(rows, {
        ID: ({ id }) => id,
        AT: ({ atMs }) => secondText(Number(atMs)),
        FROM: ({ source }) => (source as ImportRecord['source'])?.product ?? '-',
        MADE: ({ counts }) => (counts as ImportRecord['counts']).create,
        CHANGED: ({ counts }) => (counts as ImportRecord['counts']).change,
        STATE: ({ state }) => state,
      })
      show({ items }, ...lines)
      return exitCodes.ok
    }
    const isTrial = options.dryRun
    const asked = { verb: 'undo-import', org, importId: options.undo, isTrial }
    const { plan } = (await ask(asked)) as unknown as { readonly plan: readonly UndoLine[] }
    show({ isTrial, plan }, ...undoLines(plan, isTrial))
    return exitCodes.ok
  },
})

const lineOf = ({ list, name }: UndoLine) => `  ${nouns[nounOfList(list)].one}: ${shown(name)}`

function undoLines(plan: readonly UndoLine[], isTrial: boolean): string[] {
  const groups = undoActions.flatMap((action) => {
    const some = plan.filter((line) => line.action === action)
    if (some.length === 0) return []
    const named = some.slice(0, namedMax).map(lineOf)
    const more = some.length - named.length
    const head = `${counted(some.length, 'object')} ${words[action]}:`
    return [head, ...named, ...(more > 0 ? [`  … and ${more} more`] : [])]
  })
  return [isTrial ? 'An undo would do:' : 'Undone:', ...groups]
}
