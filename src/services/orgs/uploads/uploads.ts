// Files that people upload for an import, in pieces: they lie in a folder of the data directory for an hour at
// most, and what is read of them is read there.
import { createWriteStream, rmSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Fault, invalidParameter, notFound } from '../../../base/fault.ts'
import { createGate } from '../../../base/gate.ts'
import { asId, type Id, newId, type OrgId } from '../../../base/ids.ts'
import { errorText } from '../../../base/log/error-text.ts'
import { sizeText } from '../../../base/sizes.ts'
import { ForeignFileRefused, type ForeignHistory } from '../../../domain/imports/foreign.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { measureFiles } from '../../../store/space.ts'
import type { OrgScope } from '../../context.ts'
import type { Core } from '../../core.ts'
import type { Identity } from '../../identity.ts'
import type { TakenPast } from '../imports/imports.ts'
import { type KumaFileKind, kumaFileKind, scratchBytesOf } from '../kuma-data/kuma-files.ts'
import type { KumaPlace, OpenKuma } from '../open-kuma.ts'
import { createDiskReservations, type DiskReservation } from './disk-reservations.ts'

export interface UploadsDeps {
  /** Belongs to the uploads alone: what is in it at the start is removed. */
  readonly dir: string
  /** The largest file; 0: none is taken. */
  readonly bytesMax: () => number
  /** The free bytes of the disk. */
  readonly freeBytes: () => Promise<number>
  readonly open: (
    scope: OrgScope,
    place: KumaPlace,
    signal: AbortSignal | undefined,
  ) => Promise<OpenKuma>
  readonly takePast: (
    scope: OrgScope,
    importId: string,
    history: readonly ForeignHistory[],
  ) => Promise<TakenPast>
  readonly identity: Pick<Identity, 'holds'>
}

/** The past that is read of an upload for an import. */
interface UploadedPast {
  readonly state: 'running' | 'done' | 'failed'
  readonly importId: string
  /** Monitors whose past was taken, and what of it was not there. */
  readonly monitors: number
  readonly days: number
  readonly hours: number
  readonly incidents: number
  /** Why it failed. */
  readonly problem: string | null
}

interface Upload {
  readonly id: Id<'upload'>
  readonly orgId: OrgId
  readonly folder: string
  readonly totalBytes: number
  readonly space: DiskReservation
  receivedBytes: number
  kind: KumaFileKind | null
  /** What the document was made of, and the space for what was unpacked. */
  opened: OpenKuma | undefined
  scratch: DiskReservation | undefined
  past: UploadedPast | undefined
  /** A piece is written, or something is read. */
  isBusy: boolean
  /** Settles when what is done with it has ended: its folder goes only then, or a late write would stay. */
  working: Promise<unknown>
  timer: unknown
  readonly ending: AbortController
}

/** How long an upload waits for its next piece, and a whole one for what is done with it. */
const quietMs = 10 * 60_000
const keptMs = 60 * 60_000

/** Pasts that are read at the same time; the others wait. */
const pastsTogether = 2

/** Throws not_found for what is not there any more. */
export function createUploads(core: Pick<Core, 'clock' | 'log'>, deps: UploadsDeps) {
  const { clock, log } = core
  const { dir, identity } = deps
  const gate = createGate({ total: pastsTogether, perKey: pastsTogether })
  const reservations = createDiskReservations(deps)
  /** One of an organization. */
  const uploads = new Map<OrgId, Upload>()
  rmSync(dir, { recursive: true, force: true })

  function found({ orgId }: OrgScope, text: string): Upload {
    const upload = uploads.get(orgId)
    if (!upload || upload.id !== asId('upload', text)) throw notFound('upload')
    return upload
  }

  function shown({ id, kind, receivedBytes, totalBytes, past }: Upload) {
    return { uploadId: id, kind, receivedBytes, totalBytes, past: past ?? null }
  }

  function touched(upload: Upload): void {
    clock.clearTimeout(upload.timer)
    const isWhole = upload.receivedBytes === upload.totalBytes
    const drop = () => void dropped(upload)
    upload.timer = clock.setTimeout(drop, isWhole ? keptMs : quietMs)
  }

  async function dropped(upload: Upload): Promise<void> {
    if (uploads.get(upload.orgId) !== upload) return
    uploads.delete(upload.orgId)
    clock.clearTimeout(upload.timer)
    upload.ending.abort(new Fault('conflict', 'The upload was ended.'))
    await Promise.allSettled([upload.working])
    await closeOpened(upload)
    await rm(upload.folder, { recursive: true, force: true })
    upload.space.release()
  }

  async function closeOpened(upload: Upload): Promise<void> {
    const { opened, scratch } = upload
    upload.opened = undefined
    upload.scratch = undefined
    await opened?.close()
    scratch?.release()
  }

  /** What it unpacks to lies in its folder, too. */
  async function open(scope: OrgScope, upload: Upload, signal: AbortSignal): Promise<OpenKuma> {
    const { kind, folder, receivedBytes } = upload
    const space = await reservations.reserveUpTo(scratchBytesOf(kind, receivedBytes))
    try {
      const place = { path: pathOf(upload), scratchIn: folder, scratchBytes: space.bytes }
      upload.opened = await deps.open(scope, place, signal)
    } catch (error) {
      space.release()
      throw error
    }
    upload.scratch = space
    space.keep(Math.max(0, (await measureFiles(folder)) - receivedBytes))
    return upload.opened
  }

  /** One thing at a time is done with an upload. Throws conflict. */
  async function busy<Value>(upload: Upload, work: () => Promise<Value>): Promise<Value> {
    if (upload.isBusy || upload.past?.state === 'running') {
      throw new Fault('conflict', 'Something else is done with this file at the moment.')
    }
    upload.isBusy = true
    clock.clearTimeout(upload.timer)
    try {
      const working = work()
      upload.working = working
      return await working
    } finally {
      upload.isBusy = false
      if (uploads.get(upload.orgId) === upload) touched(upload)
    }
  }

  async function written(upload: Upload, piece: Buffer, fromByte: number): Promise<void> {
    const { totalBytes, receivedBytes } = upload
    const toByte = fromByte + piece.length
    // A piece whose answer was lost comes again.
    if (fromByte < receivedBytes && toByte <= receivedBytes) return
    if (fromByte !== receivedBytes) {
      throw invalidParameter('from', 'const', `must be ${receivedBytes}, what is there already`)
    }
    if (toByte > totalBytes) {
      throw new Fault('body_too_large', `The file was to have ${sizeText(totalBytes)}.`)
    }
    const path = pathOf(upload)
    const flags = fromByte === 0 ? 'w' : 'r+'
    await pipeline([piece], createWriteStream(path, { flags, start: fromByte, mode: 0o600 }))
    if (uploads.get(upload.orgId) !== upload) throw notFound('upload')
    if (fromByte === 0) upload.kind = (await kumaFileKind(path)) ?? null
    upload.receivedBytes = toByte
    upload.space.noteWritten(toByte)
  }

  async function readPast(scope: OrgScope, upload: Upload, { past }: OpenKuma): Promise<void> {
    const { signal } = upload.ending
    for await (const part of past({ signal })) {
      const { past: before } = upload
      signal.throwIfAborted()
      if (!before) return
      if (!identity.holds(scope, 'admin', clock.nowMs())) {
        throw new Fault('forbidden', 'Your right to do this ended.')
      }
      const taken = await deps.takePast(scope, before.importId, part)
      upload.past = {
        ...before,
        monitors: before.monitors + taken.monitors,
        days: before.days + taken.days,
        hours: before.hours + taken.hours,
        incidents: before.incidents + taken.incidents,
      }
    }
  }

  async function inTurn(orgId: OrgId, work: () => Promise<void>): Promise<void> {
    await gate.enter('', clock.nowMs(), orgId)
    try {
      await work()
    } finally {
      gate.leave('', orgId)
    }
  }

  async function takePast(
    scope: OrgScope,
    upload: Upload,
    opened: OpenKuma,
    importId: string,
  ): Promise<void> {
    const none = { monitors: 0, days: 0, hours: 0, incidents: 0, problem: null }
    const past: UploadedPast = { state: 'running', importId, ...none }
    upload.past = past
    clock.clearTimeout(upload.timer)
    try {
      await inTurn(upload.orgId, () => {
        const working = readPast(scope, upload, opened)
        upload.working = working
        return working
      })
      upload.past = { ...upload.past, state: 'done' }
    } catch (error) {
      const isKnown = error instanceof Fault || error instanceof ForeignFileRefused
      if (!isKnown)
        log.error('the past of an upload could not be read', { error: errorText(error) })
      const problem = isKnown ? error.message : 'It failed; the log of the service says why.'
      upload.past = { ...upload.past, state: 'failed', problem }
    }
    if (uploads.get(upload.orgId) === upload) touched(upload)
  }

  return {
    /**
     * Begins one with its first piece; another of the organization ends. Throws invalid_parameter, storage_full,
     * body_too_large, and conflict while something is done with the other.
     */
    async begin(scope: OrgScope, totalBytes: number, piece: Buffer) {
      const { orgId } = scope
      const most = Math.min(deps.bytesMax(), limits.uploadBytesMax)
      if (totalBytes > most) {
        throw invalidParameter('bytes', 'maximum', `must be at most ${most}: ${sizeText(most)}`)
      }
      const other = uploads.get(orgId)
      if (other?.isBusy || other?.past?.state === 'running') {
        throw new Fault('conflict', 'Something else is done with another file at the moment.')
      }
      if (other) await dropped(other)
      const space = await reservations.reserve(totalBytes)
      const id = newId('upload', clock.nowMs())
      const folder = join(dir, id)
      const upload: Upload = {
        id,
        orgId,
        folder,
        totalBytes,
        space,
        receivedBytes: 0,
        kind: null,
        opened: undefined,
        scratch: undefined,
        past: undefined,
        isBusy: false,
        working: Promise.resolve(),
        timer: undefined,
        ending: new AbortController(),
      }
      // Two that begin at the same time: the later one stays.
      for (let one = uploads.get(orgId); one; one = uploads.get(orgId)) await dropped(one)
      uploads.set(orgId, upload)
      await busy(upload, async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await written(upload, piece, 0)
      })
      return shown(upload)
    },

    /** Adds the piece that begins at a byte. Throws invalid_parameter, body_too_large, conflict. */
    async add(scope: OrgScope, id: string, fromByte: number, piece: Buffer) {
      const upload = found(scope, id)
      await busy(upload, () => written(upload, piece, fromByte))
      return shown(upload)
    },

    get: (scope: OrgScope, id: string) => shown(found(scope, id)),

    /** Ends it, and what is done with it. */
    remove: (scope: OrgScope, id: string) => dropped(found(scope, id)),

    /**
     * The JSON of a ConvertedFile. Throws conflict before it is whole, validation_failed for what is no data of
     * Uptime Kuma, and what conversions throw.
     */
    convert(scope: OrgScope, id: string, signal: AbortSignal): Promise<string> {
      const upload = found(scope, id)
      if (upload.receivedBytes < upload.totalBytes) {
        throw new Fault('conflict', 'The file has not arrived as a whole.')
      }
      return busy(upload, async () => {
        await closeOpened(upload)
        const either = AbortSignal.any([signal, upload.ending.signal])
        const { document, notes } = (await open(scope, upload, either)).converted
        return JSON.stringify({ document, notes, history: [] })
      })
    },

    /** Begins to take the past, for an import of its document. Throws conflict. */
    beginPast(scope: OrgScope, id: string, importId: string) {
      const upload = found(scope, id)
      const { opened } = upload
      if (!opened) throw new Fault('conflict', 'The file was not converted yet.')
      if (upload.isBusy || upload.past?.state === 'running') {
        throw new Fault('conflict', 'Something else is done with this file at the moment.')
      }
      void takePast(scope, upload, opened, importId)
      return shown(upload)
    },

    async stop(): Promise<void> {
      await Promise.all([...uploads.values()].map(dropped))
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function pathOf({ folder }: Pick<Upload, 'folder'>): string {
  return join(folder, 'file')
}
