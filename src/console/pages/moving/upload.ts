// Sends a large file to the service in pieces, so that what a cut connection, or a proxy with a small bound, leaves
// is sent again, and not all of it.
import { type Data, fetchData } from '../../api/client.ts'
import type { ApiProblem } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import { orgId } from '../../stores/session.ts'

export type Upload = Data<'uploads.get'>

interface UploadWatch {
  readonly signal: AbortSignal
  onProgress(sentBytes: number): void
}

/** A piece, and the smallest one that a proxy with a bound is tried with. */
const pieceBytesMax = 4 * 1024 * 1024
const pieceBytesMin = 256 * 1024

/** How often a piece is sent again, with a longer pause each time. */
const triesMax = 6
const pauseMs = 500

/** Throws ApiProblem, or what aborted the signal. */
export async function uploaded(file: File, watch: UploadWatch): Promise<Upload> {
  const path = { orgId: orgId() }
  let upload: Upload | undefined
  let pieceBytes = pieceBytesMax
  let tries = 0
  while (upload === undefined || upload.receivedBytes < file.size) {
    const from: number = upload?.receivedBytes ?? 0
    const call = { bytes: file.slice(from, from + pieceBytes), signal: watch.signal }
    try {
      upload = upload
        ? await fetchData('uploads.add', {
            ...call,
            path: { ...path, uploadId: upload.uploadId },
            query: { from },
          })
        : await fetchData('uploads.begin', { ...call, path, query: { bytes: file.size } })
      tries = 0
      watch.onProgress(upload.receivedBytes)
    } catch (error) {
      watch.signal.throwIfAborted()
      const problem = asProblem(error)
      tries += 1
      // A proxy has a bound of its own.
      if (problem.status === 413 && pieceBytes > pieceBytesMin) pieceBytes /= 2
      else if (tries >= triesMax || !mayPass(problem)) throw problem
      else await paused(problem.retryAfterSeconds ?? (pauseMs * 2 ** tries) / 1_000)
      upload = upload && (await asItIs(upload))
    }
  }
  return upload
}

/** It may work later: the network, or too many requests. */
const mayPass = ({ status }: ApiProblem) => status === 0 || status === 429 || status === 502

const paused = (seconds: number) =>
  new Promise<void>((resolve) => void setTimeout(resolve, seconds * 1_000))

/** What has arrived: the answer to a piece may be all that was lost. */
async function asItIs(upload: Upload): Promise<Upload> {
  const { uploadId } = upload
  try {
    return await fetchData('uploads.get', { path: { orgId: orgId(), uploadId } })
  } catch (error) {
    const problem = asProblem(error)
    if (mayPass(problem)) return upload
    throw problem
  }
}

/** It would end by itself within an hour. */
export async function forget({ uploadId }: Upload): Promise<void> {
  await fetchData('uploads.remove', { path: { orgId: orgId(), uploadId } }).catch(() => undefined)
}
