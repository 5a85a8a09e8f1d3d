// Copies of backups in a bucket: the data first and the manifest last, so that a copy with a manifest
// is whole.

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorText } from '../../base/log/error-text.ts'
import {
  type BackupManifest,
  isBackupName,
  nameAtMs,
  parseManifest,
} from '../../domain/backups/backup.ts'
import { type RetentionRule, supersededBackups } from '../../domain/backups/retention.ts'
import { limits } from '../../domain/limits/limits.ts'
import { manifestName, packedName } from '../../store/backup/folder.ts'
import type { BytesDone } from '../../store/data-file/byte-count.ts'
import type { BackupRemote } from './remote.ts'

interface CopyOptions {
  readonly signal?: AbortSignal
  readonly progressed?: (done: BytesDone) => void
}

export function createCopies(remote: BackupRemote, rule: RetentionRule) {
  const manifestOf = (name: string) => `${name}/${manifestName}`
  const dataOf = (name: string) => `${name}/${packedName}`

  async function textOf(name: string, signal?: AbortSignal): Promise<string> {
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of await remote.get(name, signal)) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > limits.manifestBytesMax) throw new Error(`${name} is no manifest: it is too long`)
    }
    return Buffer.concat(chunks).toString()
  }

  /** Rejects if there is none, or if it is not understood. */
  async function manifest(name: string, signal?: AbortSignal): Promise<BackupManifest> {
    const found = parseManifest(await textOf(manifestOf(name), signal))
    if (found?.name !== name) throw new Error(`${name} in ${remote.title} has no manifest`)
    return found
  }

  /** The names of the copies with a manifest, oldest first. */
  async function names(signal?: AbortSignal): Promise<string[]> {
    const suffix = `/${manifestName}`
    const objects = await remote.list('', signal)
    return objects
      .filter(({ name }) => name.endsWith(suffix))
      .map(({ name }) => name.slice(0, -suffix.length))
      .filter(isBackupName)
      .sort()
  }

  /**
   * Removes old copies of this service only: another service may have the same bucket by mistake. Copies
   * that cannot be read stay: they may be sealed with a former master key, or be of a newer version.
   */
  async function removeOld(instance: string, signal?: AbortSignal): Promise<void> {
    const own: { readonly name: string; readonly takenAtMs: number }[] = []
    for (const name of await names(signal)) {
      const found = await manifest(name, signal).catch(() => undefined)
      signal?.throwIfAborted()
      if (found?.instance === instance) own.push({ name, takenAtMs: nameAtMs(name) })
    }
    for (const { name } of supersededBackups(own, rule)) {
      // The manifest goes first: a backup without one does not count.
      await remote.remove(manifestOf(name), signal)
      await remote.remove(dataOf(name), signal)
    }
  }

  return {
    title: remote.title,
    names,
    manifest,
    /** The compressed data. */
    data: (name: string, signal?: AbortSignal) => remote.get(dataOf(name), signal),

    /** Copies a backup, and removes the copies that are not kept any more. */
    async add(
      { name, path }: { readonly name: string; readonly path: string },
      instance: string,
      { signal, progressed = () => {} }: CopyOptions = {},
    ): Promise<void> {
      const text = await readFile(join(path, manifestName))
      const { bytes } = parseManifest(text.toString()) ?? { bytes: 0 }
      try {
        const content = counted(createReadStream(join(path, packedName)), bytes, progressed)
        await remote.put(dataOf(name), content, bytes, signal)
        await remote.put(manifestOf(name), chunksOf(text), text.length, signal)
        await removeOld(instance, signal)
      } catch (cause) {
        const why = errorText(cause)
        throw new Error(`the backup was made, but not copied to ${remote.title}: ${why}`, { cause })
      }
    },
  }
}

/** Tells how much was taken before the next piece is. */
async function* counted(
  content: AsyncIterable<Uint8Array>,
  totalBytes: number,
  progressed: (done: BytesDone) => void,
): AsyncGenerator<Uint8Array, void> {
  let doneBytes = 0
  for await (const chunk of content) {
    progressed({ doneBytes, totalBytes })
    yield chunk
    doneBytes += chunk.length
  }
  progressed({ doneBytes, totalBytes })
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
