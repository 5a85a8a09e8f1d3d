// The binary: a copy of Node that contains the bundle (Node's "single executable application").
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Bundle } from './bundle.ts'
import { v8Flags } from './compiled.ts'
import { strippedElf } from './elf.ts'
import { root } from './places.ts'

/** The mark in Node that says whether it contains a program (documented by Node). */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

export interface BinaryOptions {
  readonly bundle: Bundle
  /** The Node of that architecture. */
  readonly node: string
  readonly output: string
  /** The code of `writeCompiled`, which fits only the processor that compiled it. */
  readonly compiled: Buffer | undefined
}

export function makeBinary({ bundle, node, output, compiled }: BinaryOptions): void {
  const work = mkdtempSync(join(tmpdir(), 'stillup-build-'))
  try {
    const assets: Record<string, string> = {}
    const files = new Map(bundle.files)
    if (compiled) files.set('compiled', compiled)
    for (const [path, bytes] of files) {
      const file = join(work, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, bytes)
      assets[path] = file
    }
    const blob = join(work, 'program.blob')
    const config = {
      main: join(import.meta.dirname, 'in-binary.cjs'),
      output: blob,
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      useCodeCache: false,
      execArgv: ['--no-warnings', ...v8Flags()],
      // An operator's NODE_OPTIONS are meant for other programs.
      execArgvExtension: 'none',
      assets,
    }
    // Known only once the blob is in the binary.
    assets.places = join(work, 'places')
    const parts = ['main.cjs', 'compiled'].flatMap((path) => files.get(path) ?? [])
    const unknown = placesOf(parts.map((part) => ({ at: 0, part })))
    writeFileSync(assets.places, unknown)
    const configFile = join(work, 'sea.json')
    writeFileSync(configFile, JSON.stringify(config))
    execFileSync(process.execPath, ['--experimental-sea-config', configFile], { stdio: 'pipe' })
    mkdirSync(dirname(output), { recursive: true })
    const copy = join(work, 'stillup')
    writeFileSync(copy, strippedElf(readFileSync(node)), { mode: 0o755 })
    const postject = join(root, 'node_modules/postject/dist/cli.js')
    const inject = [postject, copy, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse]
    execFileSync(process.execPath, inject, { stdio: 'pipe' })
    const bytes = readFileSync(copy)
    const known = placesOf(parts.map((part) => ({ at: placeOf(part, bytes), part })))
    bytes.write(known, placeOf(Buffer.from(unknown), bytes), 'latin1')
    // A running daemon keeps the file that it was started from.
    rmSync(output, { force: true })
    writeFileSync(output, bytes)
    chmodSync(output, 0o755)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Where parts of the program lie in the binary, and how long they are; in as many letters as for 0. */
function placesOf(parts: readonly { readonly at: number; readonly part: Buffer }[]): string {
  return parts.map(({ at, part }) => `${String(at).padStart(12, '0')}+${part.length}`).join(',')
}

/** Throws unless the part is in the binary once. */
function placeOf(part: Buffer, binary: Buffer): number {
  const at = binary.indexOf(part)
  if (at < 0 || binary.includes(part, at + 1)) throw new Error('the binary has no such part')
  return at
}
