// The binary: a copy of Node that contains the bundle (Node's "single executable application").
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import packageFile from '../../package.json' with { type: 'json' }
import type { Bundle } from './bundle.ts'
import { strippedElf } from './elf.ts'
import { type Arch, ownArch, root } from './places.ts'

/** The mark in Node that says whether it contains a program (documented by Node). */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** What `npm start` tells Node: memory that V8 may use. The binary says it to itself. */
function v8Flags(): string[] {
  return packageFile.scripts.start.split(' ').filter((word) => word.startsWith('--'))
}

export interface BinaryOptions {
  readonly arch: Arch
  readonly bundle: Bundle
  /** The Node of that architecture. */
  readonly node: string
  readonly output: string
}

export function makeBinary({ arch, bundle, node, output }: BinaryOptions): void {
  const work = mkdtempSync(join(tmpdir(), 'stillup-build-'))
  try {
    const assets: Record<string, string> = {}
    for (const [path, bytes] of bundle.files) {
      const file = join(work, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, bytes)
      if (path !== 'main.cjs') assets[path] = file
    }
    const blob = join(work, 'program.blob')
    const config = {
      main: join(work, 'main.cjs'),
      output: blob,
      disableExperimentalSEAWarning: true,
      useSnapshot: false,
      // Compiled code fits only the processor that compiled it.
      useCodeCache: arch === ownArch(),
      execArgv: ['--no-warnings', ...v8Flags()],
      // An operator's NODE_OPTIONS are meant for other programs.
      execArgvExtension: 'none',
      assets,
    }
    const configFile = join(work, 'sea.json')
    writeFileSync(configFile, JSON.stringify(config))
    // With the same flags, because V8 takes compiled code only from a process that has them.
    const flags = [...v8Flags(), '--experimental-sea-config', configFile]
    execFileSync(process.execPath, flags, { stdio: 'pipe' })
    mkdirSync(dirname(output), { recursive: true })
    const copy = join(work, 'stillup')
    writeFileSync(copy, strippedElf(readFileSync(node)), { mode: 0o755 })
    const postject = join(root, 'node_modules/postject/dist/cli.js')
    const inject = [postject, copy, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse]
    execFileSync(process.execPath, inject, { stdio: 'pipe' })
    const bytes = readFileSync(copy)
    // A running daemon keeps the file that it was started from.
    rmSync(output, { force: true })
    writeFileSync(output, bytes)
    chmodSync(output, 0o755)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
