// stillup import: creates what a document holds in an organization; also of other products.

import { resolve } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import { exportedNames, nounOfList, nouns } from '../../base/nouns.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { importKeyVariable } from '../../config/load.ts'
import { ForeignFileRefused } from '../../domain/imports/foreign.ts'
import type { PlanLine } from '../../domain/imports/import-record.ts'
import { countValues } from '../../domain/imports/value-count.ts'
import { limits } from '../../domain/limits/limits.ts'
import { convertApart } from '../../services/orgs/convert-apart.ts'
import { fetchedProducts, foreignFetchCommandMsMax } from '../../services/orgs/foreign-fetch.ts'
import {
  type ConvertedFile,
  type ForeignProduct,
  foreignProducts,
} from '../../services/orgs/foreign-files.ts'
import { defineCommand } from '../model/command.ts'
import { askRunning } from '../model/daemon.ts'
import { CommandFailure } from '../model/failure.ts'
import type { Host } from '../model/host.ts'
import { shown } from '../people/columns.ts'
import { daemonOf } from './daemon.ts'
import { readDocument, writeDocument } from './document-file.ts'
import { planLines } from './plan-lines.ts'

export const command = defineCommand({
  about:
    'Everything in the document is created in addition to what is there, or nothing if a part is ' +
    'refused. What a former import from the same place made is changed where it changed there, and ' +
    'never doubled. It is POST /orgs/{id}/import. The daemon must be running. What another product has ' +
    'and stillup has not is listed; --save writes the document instead, to be edited first.',
  args: {
    file: { about: 'the document, or the address of a service with --from', completes: 'file' },
  },
  options: {
    org: { about: 'the organization, by its id or its name', value: 'ORG' },
    from: {
      about:
        'the product that wrote the file: a backup or list of monitors of Uptime Kuma, the YAML of Gatus, the answers of the API of OneUptime, the list of checks of Healthchecks',
      value: 'PRODUCT',
      choices: foreignProducts,
    },
    keyFile: {
      about: `with the address of a service: the file that holds the key of its API; else ${importKeyVariable} has it, or it is asked for`,
      value: 'FILE',
      completes: 'file',
    },
    save: {
      about: 'write the document to FILE, and import nothing',
      value: 'FILE',
      completes: 'file',
    },
    force: { about: 'with --save: replace a file that exists' },
    dryRun: { about: 'only say what would be done, or what is wrong' },
    remake: { about: 'make again what a former import made and was deleted here since' },
  },
  examples: [
    ['stillup import acme.json --org "Acme" --dry-run', 'what it would do'],
    ['stillup import acme.json --org "Acme"', 'do it'],
    ['stillup import --from kuma backup.json --org "Acme"', 'from Uptime Kuma'],
    ['stillup import --from healthchecks https://healthchecks.io --org "Acme"', 'by its API'],
    ['stillup import --from gatus config.yaml --save acme.json', 'a document to edit'],
  ],
  async run({ host, configPath, args, options, show }) {
    const { org, dryRun, from, keyFile, save, force, remake } = options
    if (org === undefined && save === undefined) {
      throw new CommandFailure(exitCodes.usage, 'import needs --org: which organization gets it')
    }
    const text = /^https?:/i.test(args.file)
      ? await fetchedText(host, configPath, { product: from, url: args.file, keyFile })
      : await readDocument(resolve(host.cwd, args.file), limits.importBytesMax)
    const { document, notes } =
      from === undefined
        ? { document: parsed(args.file, text), notes: [] }
        : await convertedFile(host, { file: args.file, product: from, text })
    for (const { name, text: what, origin } of notes) {
      const whose = name === null ? '' : `"${shown(name)}": `
      const whence = origin === undefined ? '' : ` (${shown(origin)})`
      host.complain(`not taken over: ${whose}${shown(what)}${whence}`)
    }
    if (org === undefined || save !== undefined) {
      const path = save ?? ''
      await writeDocument(resolve(host.cwd, path), `${JSON.stringify(document, null, 2)}\n`, force)
      show({ file: path, notes }, `${path}: written; nothing was imported`)
      return exitCodes.ok
    }
    const ask = daemonOf(host, { configPath }, document)
    const imported = await ask({
      verb: 'import-org',
      org,
      document,
      isTrial: dryRun,
      remakes: remake,
    })
    const counts = exportedNames
      .map((name) => counted(imported[name], nouns[nounOfList(name)].one))
      .join(', ')
    const paused = Array.isArray(imported.paused) ? imported.paused.length : 0
    show(
      { isTrial: dryRun, ...imported, notes },
      `${dryRun ? 'Would be created' : 'Created'}: ${counts}`,
      // The daemon answers in this form.
      ...planLines((imported.plan ?? []) as readonly PlanLine[], dryRun),
      ...(paused > 0 ? [`Paused until their secrets are set: ${counted(paused, 'monitor')}.`] : []),
      ...awaitingLines(imported.awaitingSecrets),
      ...valuelessLines(imported.awaitingValues),
    )
    return exitCodes.ok
  },
})

interface AskedSite {
  readonly product: ForeignProduct | undefined
  readonly url: string
  readonly keyFile: string | undefined
}

/** What the daemon reads there. */
async function fetchedText(
  host: Host,
  configPath: string | undefined,
  { product, url, keyFile }: AskedSite,
): Promise<string> {
  if (!fetchedProducts.some((one) => one === product)) {
    const known = fetchedProducts.join(', ')
    throw new CommandFailure(exitCodes.usage, `an address needs --from with one of: ${known}`)
  }
  const key = await keyOf(host, keyFile)
  const request = { verb: 'fetch-foreign', product, url, key }
  const answer = await askRunning(host, { configPath }, request, foreignFetchCommandMsMax + 60_000)
  return isRecord(answer) ? String(answer.text) : ''
}

const keyBytesMax = 4_096

/** Never an argument, which everybody on the machine can read. */
async function keyOf(host: Host, keyFile: string | undefined): Promise<string> {
  const given = keyFile === undefined ? host.env[importKeyVariable] : undefined
  if (given) return given
  const key =
    keyFile === undefined
      ? await host.ask('The key of its API: ')
      : await readDocument(resolve(host.cwd, keyFile), keyBytesMax)
  if (key.trim() !== '') return key.trim()
  const hint = `Set ${importKeyVariable}, name a file with --key-file, or type it.`
  throw new CommandFailure(exitCodes.usage, 'there is no key for the API', { hint })
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
    'The export left secrets of channels out. Switched off until you enter them (console: Channels):',
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

const counted = (count: unknown, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * A conversion by the command line, which has the machine to itself: its processor time, its time
 * in all, and the memory of its objects.
 */
const conversionCommandCpuMsMax = 60_000
const conversionCommandMsMax = 10 * 60_000
const conversionCommandHeapMbMax = 512
const conversionCommandAnswerBytesMax = 64 * 1024 * 1024

const bounds = {
  cpuMsMax: conversionCommandCpuMsMax,
  msMax: conversionCommandMsMax,
  heapMbMax: conversionCommandHeapMbMax,
  answerBytesMax: conversionCommandAnswerBytesMax,
}

interface NamedFile {
  readonly file: string
  readonly product: ForeignProduct
  readonly text: string
}

/** YAML by the command line. */
const foreignYamlCommandCharsMax = 1024 * 1024

async function convertedFile(
  { clock }: Pick<Host, 'clock'>,
  { file, product, text }: NamedFile,
): Promise<ConvertedFile> {
  if (product === 'gatus' && text.length > foreignYamlCommandCharsMax) {
    const most = `must have at most ${foreignYamlCommandCharsMax} characters of YAML`
    throw new CommandFailure(exitCodes.failed, `${file} ${most}: split it`)
  }
  try {
    // What `convertFile` returned there.
    return JSON.parse(await convertApart({ product, text }, bounds, { clock })) as ConvertedFile
  } catch (error) {
    throw failureOf(file, error)
  }
}

function failureOf(file: string, error: unknown): unknown {
  if (!(error instanceof ForeignFileRefused)) return error
  return new CommandFailure(exitCodes.failed, `${file} ${error.message}`, { cause: error })
}

function parsed(file: string, text: string): unknown {
  let document: unknown
  try {
    document = JSON.parse(text)
    // The answer of the API, as a download has it, is a document inside of `data`.
    if (isRecord(document) && !('format' in document)) document = document.data ?? document
  } catch (error) {
    const words = errorText(error)
    throw new CommandFailure(exitCodes.failed, `${file} is not JSON: ${words}`, { cause: error })
  }
  try {
    // The control socket, which may carry it, has no bound on values and depth.
    countValues(document)
    return document
  } catch (error) {
    throw failureOf(file, error)
  }
}
