// What another product's API says, which the daemon asks for an import.
import { resolve } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { importKeyVariable } from '../../config/load.ts'
import { fetchedProducts, foreignFetchCommandMsMax } from '../../services/orgs/foreign-fetch.ts'
import type { ForeignProduct } from '../../services/orgs/foreign-files.ts'
import { askRunning } from '../model/daemon.ts'
import { CommandFailure } from '../model/failure.ts'
import type { Host } from '../model/host.ts'
import { readDocument } from './document-file.ts'

export interface AskedSite {
  readonly product: ForeignProduct | undefined
  readonly url: string
  readonly keyFile: string | undefined
  readonly pingKeyFile: string | undefined
}

/** What the daemon reads there. Throws CommandFailure. */
export async function fetchedText(
  host: Host,
  configPath: string | undefined,
  { product, url, keyFile, pingKeyFile }: AskedSite,
): Promise<string> {
  if (!fetchedProducts.some((one) => one === product)) {
    const known = fetchedProducts.join(', ')
    throw new CommandFailure(exitCodes.usage, `an address needs --from with one of: ${known}`)
  }
  const key = await secretOf(host, keyFile, 'The key of its API: ')
  const pingKey =
    pingKeyFile && (await readDocument(resolve(host.cwd, pingKeyFile), keyBytesMax)).trim()
  const request = { verb: 'fetch-foreign', product, url, key, ...(pingKey && { pingKey }) }
  try {
    const answer = await askRunning(
      host,
      { configPath },
      request,
      foreignFetchCommandMsMax + 60_000,
    )
    return isRecord(answer) ? String(answer.text) : ''
  } catch (error) {
    throw unread(error, url)
  }
}

/** A refusal names the field `url`, which nobody has filled in here. */
function unread(error: unknown, url: string): unknown {
  if (!(error instanceof CommandFailure) || !error.message.startsWith('url ')) return error
  const hint = 'The daemon reads it, so it must be reached from there.'
  return new CommandFailure(error.exitCode, `${url}${error.message.slice('url'.length)}`, {
    cause: error,
    hint,
  })
}

const keyBytesMax = 4_096

/** Never an argument, which everybody on the machine can read. */
export async function secretOf(
  host: Pick<Host, 'env' | 'cwd' | 'ask'>,
  keyFile: string | undefined,
  question: string,
): Promise<string> {
  const given = keyFile === undefined ? host.env[importKeyVariable] : undefined
  if (given) return given
  const key =
    keyFile === undefined
      ? await host.ask(question, { isSecret: true })
      : await readDocument(resolve(host.cwd, keyFile), keyBytesMax)
  if (key.trim() !== '') return key.trim()
  const hint = `Set ${importKeyVariable}, name a file with --key-file, or type it.`
  const what = question.replace(/^The (.+): $/, '$1')
  throw new CommandFailure(exitCodes.usage, `there is no ${what}`, { hint })
}
