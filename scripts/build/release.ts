// The archive of a release: the binary with everything that installs it. The same sources give the
// same bytes, except for the compiled code in the binary of the own architecture.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { writeGuide } from '../guide/build.ts'
import { billOfMaterials, thirdPartyLicences } from './bill-of-materials.ts'
import type { Package } from './packages.ts'
import { type Arch, dist, root, version } from './places.ts'

/** From where in the repository to where in the archive. */
const contents: readonly [from: string, to: string][] = [
  ['config/stillup.toml', 'stillup.toml'],
  ['scripts/install.sh', 'install.sh'],
  ['LICENSE', 'LICENSE'],
  ['NOTICE', 'NOTICE'],
]

export interface ReleaseInput {
  readonly arch: Arch
  readonly binary: string
  readonly packages: readonly Package[]
}

/** The time of all files: that of the commit, or SOURCE_DATE_EPOCH, or the beginning of time. */
function timeOfSources(): string {
  if (process.env.SOURCE_DATE_EPOCH) return process.env.SOURCE_DATE_EPOCH
  try {
    const log = ['log', '-1', '--format=%ct']
    return execFileSync('git', log, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return '0'
  }
}

/** Makes `dist/stillup-<version>-linux-<arch>.tar.xz`; returns its path. */
export async function makeRelease({ arch, binary, packages }: ReleaseInput): Promise<string> {
  const name = `stillup-${version}-linux-${arch}`
  const work = mkdtempSync(join(tmpdir(), 'stillup-release-'))
  try {
    const folder = join(work, name)
    mkdirSync(folder)
    const put = (from: string, to: string) => {
      mkdirSync(dirname(join(folder, to)), { recursive: true })
      cpSync(from, join(folder, to))
    }
    put(binary, 'stillup')
    for (const [from, to] of contents) put(join(root, from), to)
    for (const file of globSync('systemd/*.{service,conf}', { cwd: root })) {
      put(join(root, file), file)
    }
    await writeGuide(join(folder, 'guide'))
    const bill = JSON.stringify(billOfMaterials(packages, arch), null, 2)
    writeFileSync(join(folder, 'sbom.cdx.json'), `${bill}\n`)
    writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(packages))
    // Whatever the mask and the modes of the working tree.
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const isProgram = entry.isDirectory() || ['stillup', 'install.sh'].includes(entry.name)
      chmodSync(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644)
    }
    chmodSync(folder, 0o755)
    const archive = join(dist, `${name}.tar.xz`)
    const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar']
    const tar = ['-C', work, ...same, `--mtime=@${timeOfSources()}`, '-cf', `${work}/tar`, name]
    execFileSync('tar', tar)
    // Blocks of one size, so that the number of processors does not change the bytes.
    execFileSync('xz', ['-6', '-T2', '--block-size=24MiB', join(work, 'tar')])
    cpSync(join(work, 'tar.xz'), archive)
    return archive
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** `SHA256SUMS` of all archives in dist, in the form of `sha256sum -c`. */
export function writeSums(): string {
  const archives = globSync(`stillup-${version}-linux-*.tar.xz`, { cwd: dist }).sort()
  const lines = archives.map((name) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(dist, name)))
      .digest('hex')
    return `${sum}  ${name}\n`
  })
  const file = join(dist, 'SHA256SUMS')
  writeFileSync(file, lines.join(''))
  return file
}
