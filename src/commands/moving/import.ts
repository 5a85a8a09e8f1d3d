// stillup import: creates what a document holds in an organization; also of other products.

import { resolve } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import { exportedNames, nounOfList, nouns } from '../../base/nouns.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { importKeyVariable } from '../../config/load.ts'
import type { PlanLine } from '../../domain/imports/import-record.ts'
import { foreignProducts } from '../../services/orgs/foreign-files.ts'
import { defineCommand } from '../model/command.ts'
import { CommandFailure } from '../model/failure.ts'
import type { Host } from '../model/host.ts'
import { counted, shown } from '../people/columns.ts'
import { daemonOf } from './daemon.ts'
import { writeDocument } from './document-file.ts'
import { leftOutOrigins, noteLines } from './note-lines.ts'
import { countedPast, countedPastLines, pastLines, sendPast } from './past.ts'
import { planLines } from './plan-lines.ts'
import { openSource } from './sources.ts'
import { subscriberLines } from './subscriber-lines.ts'

export const command = defineCommand({
  about:
    'Everything in the document is created in addition to what is there, or nothing if a part is ' +
    'refused. What a former import from the same place made is changed where it changed there, and ' +
    'never doubled. It is POST /orgs/{id}/import. The daemon must be running. What another product has ' +
    'and stillup has not is listed; --save writes the document instead, to be edited first.',
  args: {
    file: {
      about:
        'the document; of Uptime Kuma its kuma.db, or an archive or folder with it; with --from also the address of a service',
      completes: 'file',
    },
  },
  options: {
    org: { about: 'the organization, by its id or its name', value: 'ORG' },
    from: {
      about:
        'the product that wrote the file: a database, backup or list of monitors of Uptime Kuma, the YAML of Gatus, the answers of the API of OneUptime, the list of checks of Healthchecks, the answers of the APIs of UptimeRobot, Better Stack, Pingdom, Checkly and Statuspage, a folder with the files of Prometheus and its blackbox exporter, a table in CSV',
      value: 'PRODUCT',
      choices: foreignProducts,
    },
    keyFile: {
      about: `with the address of a service: the file that holds the key of its API; else ${importKeyVariable} has it, or it is asked for`,
      value: 'FILE',
      completes: 'file',
    },
    pingKeyFile: {
      about:
        'with the address of Healthchecks: the file that holds the ping key of the project, so that senders may go on naming its checks by slugs',
      value: 'FILE',
      completes: 'file',
    },
    env: {
      about:
        'of Gatus: the file with the variables of its environment, NAME=value in lines, as its service gets them',
      value: 'FILE',
      completes: 'file',
    },
    source: {
      about:
        'of Gatus and Prometheus: what to call the installation, so that two of them stay apart; "gatus" without it, or the external labels of Prometheus',
      value: 'NAME',
    },
    save: {
      about: 'write the document to FILE, and import nothing',
      value: 'FILE',
      completes: 'file',
    },
    force: { about: 'with --save: replace a file that exists' },
    dryRun: { about: 'only say what would be done, or what is wrong' },
    shadow: {
      about:
        'the monitors that it makes tell nobody before "stillup shadow --go-live": see how they compare first',
    },
    remake: { about: 'make again what a former import made and was deleted here since' },
  },
  examples: [
    ['stillup import acme.json --org "Acme" --dry-run', 'what it would do'],
    ['stillup import acme.json --org "Acme"', 'do it'],
    ['stillup import kuma.db --org "Acme"', 'from Uptime Kuma'],
    ['stillup import --from healthchecks https://healthchecks.io --org "Acme"', 'by its API'],
    ['stillup import --from gatus config.yaml --save acme.json', 'a document to edit'],
    ['stillup import --from gatus config/ --env gatus.env --org "Acme"', 'a folder of Gatus'],
  ],
  async run({ host, configPath, args, options, show }) {
    const {
      org,
      dryRun,
      from,
      keyFile,
      pingKeyFile,
      env,
      source: installation,
      save,
      force,
      remake,
      shadow,
    } = options
    if (org === undefined && save === undefined) {
      throw new CommandFailure(exitCodes.usage, 'import needs --org: which organization gets it')
    }
    const { signal } = endedBySignal(host)
    const named = {
      file: args.file,
      product: from,
      keyFile,
      pingKeyFile,
      env,
      installation,
      signal,
    }
    const source = await openSource(host, configPath, named)
    try {
      const { document, notes } = source
      const tellNotes = (left: ReadonlySet<string> = new Set()) => {
        const some = notes.filter(({ origin = '' }) => !left.has(origin))
        for (const line of noteLines(some, document)) host.complain(line)
      }
      if (org === undefined || save !== undefined) {
        const path = save ?? ''
        await writeDocument(
          resolve(host.cwd, path),
          `${JSON.stringify(document, null, 2)}\n`,
          force,
        )
        show({ file: path, notes }, `${path}: written; nothing was imported`)
        tellNotes()
        return exitCodes.ok
      }
      const ask = daemonOf(host, { configPath }, document)
      const imported = await ask({
        verb: 'import-org',
        org,
        document,
        isTrial: dryRun,
        remakes: remake,
        isShadow: shadow,
        // One item that another product allows must not hinder the others.
        leavesOut: from !== undefined || (isRecord(document) && document.source !== undefined),
      })
      // The daemon answers in this form.
      const plan = (imported.plan ?? []) as readonly PlanLine[]
      const left = leftOutOrigins(plan)
      const parts = source.history()
      const trialPast = dryRun ? await countedPast(parts, (origin) => left.has(origin)) : undefined
      const past = trialPast
        ? undefined
        : await sendPast(host, ask, { org, importId: imported.importId, parts })
      const counts = exportedNames
        .filter((name) => Number(imported[name]) > 0)
        .map((name) => counted(imported[name], nouns[nounOfList(name)].one))
      const paused = Array.isArray(imported.paused) ? imported.paused.length : 0
      show(
        {
          isTrial: dryRun,
          ...imported,
          notes,
          ...(past && { past }),
          ...(trialPast && { trialPast }),
        },
        `${dryRun ? 'Would be created' : 'Created'}: ${counts.join(', ') || 'nothing new'}`,
        ...planLines(plan, dryRun),
        ...(paused > 0
          ? [`Paused until their secrets are set: ${counted(paused, 'monitor')}.`]
          : []),
        ...awaitingLines(imported.awaitingSecrets),
        ...valuelessLines(imported.awaitingValues),
        ...subscriberLines(imported.subscribers, dryRun),
        ...pastLines(past),
        ...(trialPast ? countedPastLines(trialPast) : []),
        ...nextLines({ org, isTrial: dryRun, isShadow: shadow, importId: imported.importId, plan }),
      )
      tellNotes(left)
      return exitCodes.ok
    } finally {
      await source.close()
    }
  },
})

/** Ends the process at a signal, and before it what runs apart: nothing of it stays. */
function endedBySignal(host: Pick<Host, 'onSignal' | 'complain' | 'exit'>): AbortController {
  const ending = new AbortController()
  host.onSignal((name) => {
    ending.abort(new Error(name))
    host.complain('stillup: stopped. The same command goes on from here: nothing is doubled.')
    host.exit(exitCodes.failed)
  })
  return ending
}

/** What can be done next: apply a trial, or take the import back. */
function nextLines(done: {
  readonly org: string
  readonly isTrial: boolean
  readonly isShadow: boolean
  readonly importId: unknown
  readonly plan: readonly PlanLine[]
}): string[] {
  const { org, isTrial, isShadow, importId, plan } = done
  if (isTrial) return ['Nothing was changed. Without --dry-run, it is done.']
  if (!plan.some(({ action }) => action === 'create' || action === 'change')) return []
  const back = `To take it back, within a day: stillup imports "${shown(org)}" --undo ${importId}`
  const hasSilent = plan.some(({ list, action }) => list === 'monitors' && action === 'create')
  if (!(isShadow && hasSilent)) return [back]
  const beside = `Its new monitors tell nobody yet. How they compare: stillup shadow "${shown(org)}" ${importId}`
  return [beside, back]
}

/** Each channel that the import switches off, with the secrets that are to be entered. */
function awaitingLines(awaiting: unknown): string[] {
  // The daemon answers in this form.
  const channels = (awaiting ?? []) as readonly { name: string; secrets: readonly string[] }[]
  if (channels.length === 0) return []
  const lines = channels.map(({ name, secrets }) => {
    const fields = secrets.map((pointer) => pointer.replace(/^\/config\//, '')).join(', ')
    return `  ${shown(name)}: ${shown(fields)}`
  })
  return [
    'The document lacks secrets of channels. Switched off until you enter them (console: Channels):',
    ...lines,
  ]
}

/** The secrets of the organization, of which no document has the value. */
function valuelessLines(awaiting: unknown): string[] {
  // The daemon answers in this form.
  const secrets = (awaiting ?? []) as readonly { readonly name: string }[]
  if (secrets.length === 0) return []
  const names = secrets.map(({ name }) => shown(name)).join(', ')
  return [`Without a value until you enter it (console: People, Secrets): ${names}.`]
}
