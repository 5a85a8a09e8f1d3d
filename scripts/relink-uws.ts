// Lets uWebSockets.js load on glibc 2.36 and 2.37 (Debian 12): renames three of its imports.
//
// The prebuilt binary was linked against glibc 2.38, of which it needs only the C23 spelling of
// strtol, strtoul and sscanf (`__isoc23_strtol@GLIBC_2.38` and so on). They differ from the plain
// functions only in reading "0b101" as binary, which the library never asks for. So the imports are
// pointed at the plain names and the oldest glibc version of the platform, in place: no byte moves.
//
// Runs after `npm ci`, before `npm test`, and before `npm start` runs the sources. It acts only on
// files it knows by their SHA-256, and only where the C library is too old. Delete it when the
// prebuilt binaries load.
import { createHash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** SHA-256 of uWebSockets.js 20.57.0 for Node 24 (ABI 137), as published and as repaired. */
export const known: Readonly<Record<string, { original: string; repaired: string }>> = {
  'uws_linux_x64_137.node': {
    original: '98128405dba2fb608448e921a979530f70c946a2cc9889c15f2fa70c2d00ab05',
    repaired: '2630bb59236deeadf501d6abaf79c1a655b4a0b78579fba408eea84d1a30f6ca',
  },
  'uws_linux_arm64_137.node': {
    original: '88618b30ddf6b2b62310db89f40a701616676352aac5e0f6184dd8ef876199ce',
    repaired: '50691cb2ed74d2e1711806a07a3f3c6419db5fd63d776c171912f9c097fd270a',
  },
}

const tooNew = 'GLIBC_2.38'
/** The first glibc of x64 and of arm64. A file for x64 may name both: the older one is the base. */
const baseVersions = ['GLIBC_2.2.5', 'GLIBC_2.17']
const renamedPrefix = '__isoc23_'

// ELF-64 (System V ABI, chapters 4 and 5; symbol versions: LSB core, section 10.7).
const sectionTypes = { dynamicSymbols: 11, versionNeeds: 0x6ffffffe, symbolVersions: 0x6fffffff }
const symbolBytes = 24

interface Section {
  readonly type: number
  readonly offset: number
  readonly size: number
  readonly link: number
  readonly info: number
}

interface VersionNeed {
  /** Where the entry (Elf64_Vernaux) lies. */
  readonly at: number
  readonly library: string
  readonly version: string
  /** The number by which symbols refer to it. */
  readonly index: number
}

function readSections(bytes: Buffer): Section[] {
  const isElf64 = bytes.length > 64 && bytes.readUInt32BE(0) === 0x7f454c46 && bytes[4] === 2
  if (!isElf64 || bytes[5] !== 1) throw new Error('not a 64-bit little-endian ELF file')
  const tableAt = Number(bytes.readBigUInt64LE(0x28))
  const entryBytes = bytes.readUInt16LE(0x3a)
  return Array.from({ length: bytes.readUInt16LE(0x3c) }, (_, index) => {
    const at = tableAt + index * entryBytes
    return {
      type: bytes.readUInt32LE(at + 4),
      offset: Number(bytes.readBigUInt64LE(at + 24)),
      size: Number(bytes.readBigUInt64LE(at + 32)),
      link: bytes.readUInt32LE(at + 40),
      info: bytes.readUInt32LE(at + 44),
    }
  })
}

function openElf(bytes: Buffer) {
  const sections = readSections(bytes)
  const section = (type: number): Section => {
    const found = sections.find((candidate) => candidate.type === type)
    if (!found) throw new Error(`the file has no section of type ${type.toString(16)}`)
    return found
  }
  const symbols = section(sectionTypes.dynamicSymbols)
  const strings = sections[symbols.link]
  if (!strings) throw new Error('the dynamic symbols have no names')
  const text = (offset: number): string => {
    const start = strings.offset + offset
    return bytes.toString('latin1', start, bytes.indexOf(0, start))
  }
  return { section, symbols, text }
}

function readVersionNeeds(bytes: Buffer): VersionNeed[] {
  const { section, text } = openElf(bytes)
  const table = section(sectionTypes.versionNeeds)
  const needs: VersionNeed[] = []
  let libraryAt = table.offset
  for (let library = 0; library < table.info; library += 1) {
    let at = libraryAt + bytes.readUInt32LE(libraryAt + 8)
    for (let count = bytes.readUInt16LE(libraryAt + 2); count > 0; count -= 1) {
      needs.push({
        at,
        library: text(bytes.readUInt32LE(libraryAt + 4)),
        version: text(bytes.readUInt32LE(at + 8)),
        index: bytes.readUInt16LE(at + 6),
      })
      at += bytes.readUInt32LE(at + 12)
    }
    libraryAt += bytes.readUInt32LE(libraryAt + 12)
  }
  return needs
}

/** The versions of the C library that the file asks for, such as `GLIBC_2.36`. */
export function glibcVersionsNeeded(bytes: Buffer): string[] {
  const needs = readVersionNeeds(bytes).filter(({ library }) => library === 'libc.so.6')
  return [...new Set(needs.map(({ version }) => version))]
}

/**
 * A copy of the file whose `__isoc23_*@GLIBC_2.38` imports are the plain functions of the oldest
 * glibc. Throws where the file asks glibc 2.38 for anything else.
 */
export function relinked(original: Buffer): Buffer {
  const bytes = Buffer.from(original)
  const needs = readVersionNeeds(bytes).filter(({ library }) => library === 'libc.so.6')
  const bad = needs.find(({ version }) => version === tooNew)
  if (!bad) return bytes
  const base = baseVersions
    .map((version) => needs.find((need) => need.version === version))
    .find((need) => need !== undefined)
  if (!base) throw new Error(`the file does not name ${baseVersions.join(' or ')}`)
  const { section, symbols, text } = openElf(bytes)
  const versions = section(sectionTypes.symbolVersions)
  for (let index = 0; index * symbolBytes < symbols.size; index += 1) {
    const versionAt = versions.offset + 2 * index
    if ((bytes.readUInt16LE(versionAt) & 0x7fff) !== bad.index) continue
    const nameAt = symbols.offset + index * symbolBytes
    const name = text(bytes.readUInt32LE(nameAt))
    if (!name.startsWith(renamedPrefix)) throw new Error(`${name}@${tooNew} cannot be replaced`)
    // The plain name is the tail of the same string: only the offset moves.
    bytes.writeUInt32LE(bytes.readUInt32LE(nameAt) + renamedPrefix.length, nameAt)
    bytes.writeUInt16LE(base.index, versionAt)
  }
  // Nothing refers to the entry any more, but the loader checks it: it repeats the base version.
  bytes.copy(bytes, bad.at, base.at, base.at + 4)
  bytes.copy(bytes, bad.at + 8, base.at + 8, base.at + 12)
  return bytes
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

function replaceFile(file: string, bytes: Buffer): void {
  const temporary = `${file}.${process.pid}.tmp`
  const descriptor = openSync(temporary, 'wx', statSync(file).mode)
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written)
  }
  fsyncSync(descriptor)
  closeSync(descriptor)
  // A running daemon keeps the file it has mapped; a new one sees the old or the new, never half.
  renameSync(temporary, file)
}

export type Repair = 'repaired' | 'already repaired' | 'unknown file'

/** Repairs one file of known content in place. A file of unknown content is left alone. */
export function repair(file: string, hashes: { original: string; repaired: string }): Repair {
  const bytes = readFileSync(file)
  const found = sha256(bytes)
  if (found === hashes.repaired) return 'already repaired'
  if (found !== hashes.original) return 'unknown file'
  const result = relinked(bytes)
  if (sha256(result) !== hashes.repaired) throw new Error(`the repair of ${file} went wrong`)
  replaceFile(file, result)
  return 'repaired'
}

/** Whether a C library of this version lacks what the prebuilt binary asks for. */
export function isTooOld(glibc: string): boolean {
  const [major = 0, minor = 0] = glibc.split('.').map(Number)
  return major < 2 || (major === 2 && minor < 38)
}

/** The version of the running glibc; undefined on other systems and C libraries. */
export function runningGlibc(): string | undefined {
  // Without this the report resolves every open connection; the type does not know it yet.
  Object.assign(process.report, { excludeNetwork: true })
  // Node types the report as a plain object; its header is documented.
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } }
  return report.header?.glibcVersionRuntime
}

/** Repairs the installed file if this machine needs that, and tells what it did. */
export function repairHere(): void {
  const glibc = process.platform === 'linux' ? runningGlibc() : undefined
  if (glibc === undefined || !isTooOld(glibc)) return
  const name = `uws_linux_${process.arch}_${process.versions.modules}.node`
  const hashes = known[name]
  const require = createRequire(import.meta.url)
  const file = join(dirname(require.resolve('uWebSockets.js')), name)
  const outcome = hashes ? repair(file, hashes) : 'unknown file'
  if (outcome === 'repaired') console.log(`${name}: repaired for glibc ${glibc}`)
  if (outcome === 'unknown file') {
    console.error(
      `${file} is not a file that scripts/relink-uws.ts knows; it was left as it is.\n` +
        `If it does not load: glibc here is ${glibc}, the file may ask for 2.38 or later.`,
    )
  }
}

if (import.meta.main) repairHere()
