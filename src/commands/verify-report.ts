// stillup verify-report FILE: whether a report is the one that a service signed. Works without the
// service, and without settings.

import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { exitCodes } from '../base/exit.ts'
import { errorText } from '../base/log/error-text.ts'
import { isReportKey, isReportSigned, reportKeyId } from '../seal/report-signature.ts'
import { defineCommand } from './model/command.ts'
import { CommandFailure } from './model/failure.ts'
import type { Host } from './model/host.ts'

export interface VerifyReportOptions {
  /** The file as it was downloaded: with or without the envelope of the API. */
  readonly file: string
  /** The public key that it must be signed with, as base64. */
  readonly key: string | undefined
  /** The service whose published keys count. */
  readonly url: string | undefined
  /** Prints the result as JSON. */
  readonly isJson?: boolean
}

export const command = defineCommand({
  about: 'Works on any machine, without the service and without settings.',
  args: { file: { about: 'the file of a report, as downloaded', completes: 'file' } },
  options: {
    key: { about: 'the public key that must have signed', value: 'BASE64' },
    url: { about: 'the service whose published keys count', value: 'URL' },
  },
  exits: { 0: 'verified', 1: 'not verified' },
  examples: [
    ['stillup verify-report report.json --url https://up.example', 'asks the service for its keys'],
    ['stillup verify-report report.json --key BASE64', 'works offline'],
  ],
  async run({ host, args, options, isJson }) {
    const { url } = options
    if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
      throw new CommandFailure(exitCodes.usage, '--url must be an http or https address')
    }
    return verifyReport(host, { ...args, ...options, isJson })
  },
})

/** Why the report cannot be trusted, or read, in a sentence. */
class NotVerified extends Error {}

interface ReportFile {
  readonly statement: string
  readonly signature: string
  readonly publicKey: string
  /** The statement for reading, which nobody signed. */
  readonly report: unknown
}

interface TrustedKey {
  readonly publicKey: string
  /** Where it comes from, for a sentence; null: from the file itself. */
  readonly source: string | null
}

/** Returns the exit code: 0 if the signature fits, else 1. */
export async function verifyReport(host: Host, options: VerifyReportOptions): Promise<number> {
  try {
    const signed = readReport(await textOf(resolve(host.cwd, options.file)))
    const { publicKey, source } = await trustedKey(signed, options)
    verify({ ...signed, publicKey })
    if (options.isJson) {
      const statement = parsed(signed.statement)
      const keyId = reportKeyId(publicKey)
      host.print(JSON.stringify({ isVerified: true, keyId, keySource: source, statement }))
      return exitCodes.ok
    }
    host.print('The signature fits: nothing was changed since the report was signed.')
    for (const line of summaryOf(signed.statement)) host.print(line)
    host.print(`Key: ${reportKeyId(publicKey)}, from ${source ?? 'the file itself'}`)
    if (source === null) {
      host.complain(
        'note: The key comes from the file itself. This proves that the report is whole, but not ' +
          'who signed it. To prove that too, pass --url with the address of the service, or --key ' +
          'with a public key that you trust.',
      )
    }
    return exitCodes.ok
  } catch (error) {
    if (!(error instanceof NotVerified)) throw error
    if (options.isJson) host.print(JSON.stringify({ isVerified: false, reason: error.message }))
    else host.complain(`${options.file}: ${error.message}`)
    return exitCodes.failed
  }
}

async function textOf(path: string): Promise<string> {
  let bytes: Buffer
  try {
    bytes = await bytesOf(createReadStream(path))
  } catch (error) {
    if (error instanceof NotVerified) throw error
    throw new NotVerified(`cannot be read (${codeOf(error)})`, { cause: error })
  }
  return bytes.toString('utf8')
}

const reportFileBytesMax = 2 * 1024 * 1024
const verifyFetchMs = 10_000

/** Reads no further than a report may be long. */
async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    length += chunk.length
    if (length > reportFileBytesMax) throw new NotVerified('is too large for a report')
    all.push(chunk)
  }
  return Buffer.concat(all)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/** The fields of an object; none of anything else. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotVerified('is not JSON')
  }
}

function readReport(text: string): ReportFile {
  const whole = fieldsOf(parsed(text))
  const { statement, signature, publicKey, report } =
    'statement' in whole ? whole : fieldsOf(whole.data)
  if (
    typeof statement !== 'string' ||
    typeof signature !== 'string' ||
    typeof publicKey !== 'string'
  ) {
    throw new NotVerified('is not a signed report: statement, signature or publicKey is missing')
  }
  return { statement, signature, publicKey, report }
}

async function trustedKey(
  { publicKey }: ReportFile,
  { key, url }: VerifyReportOptions,
): Promise<TrustedKey> {
  if (key !== undefined) {
    if (!isReportKey(key)) throw new NotVerified('--key must be 32 bytes as base64')
    return { publicKey: key, source: 'the command line' }
  }
  if (!isReportKey(publicKey)) throw new NotVerified('contains no public key of 32 bytes')
  if (url === undefined) return { publicKey, source: null }
  const place = new URL('/.well-known/stillup.json', url).href
  if (!(await publishedKeys(place)).includes(publicKey)) {
    throw new NotVerified(`is not signed with a key that ${place} publishes`)
  }
  return { publicKey, source: place }
}

async function publishedKeys(place: string): Promise<unknown[]> {
  let text: string
  try {
    const response = await fetch(place, { signal: AbortSignal.timeout(verifyFetchMs) })
    if (!response.ok) throw new Error(`status ${response.status}`)
    text = (await bytesOf(response.body ?? Readable.from([]))).toString()
  } catch (error) {
    const why = errorText(error)
    throw new NotVerified(`cannot be compared with ${place} (${why})`, { cause: error })
  }
  const { reportKeys } = fieldsOf(parsed(text))
  return Array.isArray(reportKeys) ? reportKeys.map((one) => fieldsOf(one).publicKey) : []
}

function verify(signed: ReportFile): void {
  if (!isReportSigned(signed)) {
    throw new NotVerified('was changed after it was signed, or is signed with another key')
  }
  const { report, statement } = signed
  // People read this part, so it must say what was signed.
  if (report !== undefined && !isDeepStrictEqual(report, parsed(statement))) {
    throw new NotVerified('has a part for reading (`report`) that differs from what was signed')
  }
}

/** What was signed, in a few lines. */
function summaryOf(statement: string): string[] {
  const fields = fieldsOf(parsed(statement))
  const { organization, monitor, period, seconds, uptimeRatio, service } = fields
  const { month, isComplete } = fieldsOf(period)
  const { down } = fieldsOf(seconds)
  const uptime =
    typeof uptimeRatio === 'number' ? `${Number((uptimeRatio * 100).toFixed(4))}%` : 'not known'
  const running = isComplete === true ? '' : ' (the month was still running)'
  return [
    `Monitor: ${fieldsOf(monitor).name}, of ${fieldsOf(organization).name}`,
    `Period: ${month}${running}`,
    `Uptime: ${uptime}; down: ${down} s`,
    `Service: ${service}`,
  ]
}
