// npm run build: the bundle and the binary of this machine; `--help` tells the rest.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
// biome-ignore lint/correctness/useImportExtensions: its types are in a file beside it.
import { fingerprint } from '../../bin/fingerprint.cjs'
import { makeBinary } from './binary.ts'
import type { Bundle } from './bundle.ts'
import { writeCompiled } from './compiled.ts'
import { modulesOf, packagesIn } from './packages.ts'
import { type Arch, archs, dist, ownArch, root } from './places.ts'
import { makeRelease, writeSums } from './release.ts'

const usage = `Usage: npm run build -- [options]

Makes dist/bundle and, of it, the binary dist/stillup.

  --bundle           the bundle alone
  --release          for x64 and arm64: the archives of a release, and SHA256SUMS
  --arch ARCH        for this architecture (${archs.join(', ')}); default: that of this machine
  -h, --help         show this help

The paths of what was made go to standard output, and what is being done to standard error.`

const exitUsage = 64

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        bundle: { type: 'boolean', default: false },
        release: { type: 'boolean', default: false },
        arch: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return { ...values, archs: askedArchs(values) }
  } catch (error) {
    console.error(`build: ${error instanceof Error ? error.message : error}\n\n${usage}`)
    process.exit(exitUsage)
  }
}

const options = readOptions()
const bundleFolder = join(dist, 'bundle')

function tell(what: string): void {
  console.error(`build: ${what}`)
}

/** `npm start` runs it as long as the sources have this fingerprint. */
async function writeBundle({ files }: Bundle, madeFrom: string): Promise<void> {
  const next = `${bundleFolder}.${process.pid}`
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(next, path)), { recursive: true })
    writeFileSync(join(next, path), bytes)
  }
  await writeCompiled(next)
  writeFileSync(join(next, 'made-from'), madeFrom)
  rmSync(bundleFolder, { recursive: true, force: true })
  renameSync(next, bundleFolder)
}

async function build(arch: Arch): Promise<void> {
  tell(`the bundle for ${arch}`)
  const modules = modulesOf(arch)
  const madeFrom = fingerprint(root)
  // The bundler takes longer to load than help and refusals, which do not need it, take in all.
  const { makeBundle } = await import('./bundle.ts')
  const bundle = await makeBundle(modules, arch)
  if (arch === ownArch()) await writeBundle(bundle, madeFrom)
  if (options.bundle) return
  const own = join(dist, 'stillup')
  const output = arch === ownArch() ? own : `${own}-${arch}`
  tell(`the binary for ${arch}`)
  const node = join(modules, `node-linux-${arch}/bin/node`)
  const compiled = arch === ownArch() ? readFileSync(join(bundleFolder, 'compiled')) : undefined
  makeBinary({ bundle, node, output, compiled })
  console.log(output)
  if (!options.release) return
  tell(`the archive for ${arch}, which takes a minute`)
  const packages = packagesIn(bundle.inputs, arch)
  console.log(await makeRelease({ arch, binary: output, packages }))
}

function askedArchs({ arch, release }: { arch?: string | undefined; release: boolean }) {
  if (arch === undefined) return release ? archs : [ownArch()]
  const asked = archs.find((one) => one === arch)
  if (!asked) throw new Error(`--arch is one of ${archs.join(', ')}`)
  return [asked]
}

async function main(): Promise<void> {
  if (options.help) return console.log(usage)
  for (const arch of options.archs) await build(arch)
  if (options.release) console.log(writeSums())
}

await main()
