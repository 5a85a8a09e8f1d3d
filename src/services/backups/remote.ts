// Where copies of backups go besides the disk: what a bucket has to offer.

/** A stored object. */
interface RemoteObject {
  /** The name below the prefix of the settings, with slashes: `20261123T030000Z/manifest.json`. */
  readonly name: string
  readonly bytes: number
}

/**
 * Promises reject with an Error whose message is a sentence for the operator, without secrets. An
 * object is there as a whole or not at all.
 */
export interface BackupRemote {
  /** For the log and for messages: the bucket and the server, without secrets. */
  readonly title: string
  /** Stores exactly so many bytes; replaces an object of the same name. */
  put(
    name: string,
    content: AsyncIterable<Uint8Array>,
    bytes: number,
    signal?: AbortSignal,
  ): Promise<void>
  /** Every object whose name begins so. */
  list(prefix: string, signal?: AbortSignal): Promise<readonly RemoteObject[]>
  get(name: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /** One that is missing is no error. */
  remove(name: string, signal?: AbortSignal): Promise<void>
}
