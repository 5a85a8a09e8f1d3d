// Looks at the log of a cluster itself: one history, in which nothing is missing and no epoch comes back.

import type { JetStream } from '../../../src/cluster/jetstream.ts'
import { createStreamLog } from '../../../src/cluster/stream-log.ts'
import { readKeyring } from '../../../src/seal/keyring.ts'
import { createLogSeal } from '../../../src/seal/log-seal.ts'
import { decodeRedo, hashOfRedo, type LogPosition } from '../../../src/store/engine/redo.ts'
import { natsCell, patience } from '../nats-servers.ts'

export type LogChain = ReturnType<typeof createLogChain>

export function createLogChain(jetstream: JetStream, masterKeyFile: string) {
  const log = createStreamLog(jetstream, { cell: natsCell, settleMs: 2_000 })
  const seal = createLogSeal(readKeyring(masterKeyFile))
  /** The hash of every record, by its sequence. */
  const hashes = new Map<number, string>()
  const found: string[] = []
  let next = 1
  let hash: string | undefined
  let epoch = 0
  let records = 0
  let atMs = 0

  /** Reads on from where it was. */
  async function readOn(): Promise<void> {
    const until = await log.last(patience())
    for await (const record of log.read({ from: next, until, signal: patience() })) {
      const bytes = seal.open(record.bytes)
      const redo = decodeRedo(bytes)
      const { sequence } = record
      if (hash !== undefined && redo.before !== hash) {
        found.push(`record ${sequence} does not follow the one before it`)
      }
      const isMark = redo.changes.length === 0
      const wanted = next - 1 + log.partsOf(record.bytes.length)
      // Behind what a former leader left unfinished, the next one begins.
      if (sequence !== wanted && !(isMark && sequence > wanted)) {
        found.push(`the log has a hole before ${sequence}, which should end at ${wanted}`)
      }
      if (redo.epoch !== epoch + (isMark ? 1 : 0) && hash !== undefined) {
        found.push(`record ${sequence} is of epoch ${redo.epoch}, behind epoch ${epoch}`)
      }
      if (redo.atMs < atMs) found.push(`time goes back by ${atMs - redo.atMs} ms at ${sequence}`)
      atMs = redo.atMs
      epoch = redo.epoch
      hash = hashOfRedo(bytes)
      hashes.set(sequence, hash)
      next = sequence + 1
      records += 1
    }
  }

  return {
    last: () => log.last(patience()),
    epoch: () => epoch,
    records: () => records,
    /** Whether it has what is there: else the data is that of a former leader, and begins anew. */
    async has({ sequence, hash }: LogPosition): Promise<boolean> {
      await readOn()
      return hashes.get(sequence) === hash
    },
    /** Every sentence is a promise that the log does not keep. */
    async problems(): Promise<string[]> {
      await readOn()
      return found.splice(0)
    },
  }
}
