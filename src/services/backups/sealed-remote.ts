// Seals everything that goes to a bucket, and opens what comes back: a bucket is somebody else's disk.
import type { Keyring } from '../../seal/keyring.ts'
import { openedLength, openedStream, sealedLength, sealedStream } from '../../seal/sealed-stream.ts'
import type { BackupRemote } from './remote.ts'

/** Ends the names of sealed objects, so that both kinds can lie beside each other. */
const suffix = '.sealed'

/**
 * Objects that were stored without a seal are still found, because seals may have been switched on
 * later. With `seals` false it is the other way round: new objects are not sealed, and sealed ones still
 * open.
 */
export function sealedRemote(
  remote: BackupRemote,
  { keyring, seals }: { readonly keyring: Keyring; readonly seals: boolean },
): BackupRemote {
  return {
    title: remote.title,

    async put(name, content, bytes, signal) {
      if (!seals) return remote.put(name, content, bytes, signal)
      const sealed = sealedStream(keyring, content)
      return remote.put(name + suffix, sealed, sealedLength(bytes), signal)
    },

    async list(prefix, signal) {
      const found = await remote.list(prefix, signal)
      const opened = found.map(({ name, bytes }) =>
        name.endsWith(suffix)
          ? { name: name.slice(0, -suffix.length), bytes: openedLength(bytes) ?? 0 }
          : { name, bytes },
      )
      // Both forms of one: the setting was changed, and it was stored again.
      return [...new Map(opened.map((object) => [object.name, object])).values()]
    },

    async get(name, signal) {
      const found = await remote.list(name, signal)
      const isSealed = found.some((object) => object.name === name + suffix)
      if (!isSealed) return remote.get(name, signal)
      return openedStream(keyring, await remote.get(name + suffix, signal))
    },

    async remove(name, signal) {
      await remote.remove(name + suffix, signal)
      await remote.remove(name, signal)
    },
  }
}
