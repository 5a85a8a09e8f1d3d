// The packages that are inside a binary, with their licences; and the packages of another architecture,
// which `npm ci` does not install here.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import lock from '../../package-lock.json' with { type: 'json' }
import { type Arch, ownArch, root } from './places.ts'

export interface Package {
  /** Its folder below node_modules, as in `lmdb` or `a/node_modules/b`. */
  readonly path: string
  readonly name: string
  readonly version: string
  readonly license: string
  /** The checksum of what the registry has. */
  readonly integrity: string
  readonly licenseText: string
}

interface Locked {
  readonly name?: string
  readonly version: string
  readonly integrity: string
  readonly license: string
}

/** Packages that are not JavaScript: Node itself, and addons. */
export function nativePackages(arch: Arch): string[] {
  const both = [`node-linux-${arch}`, `@lmdb/lmdb-linux-${arch}`]
  // Version 3.0.4 has none for arm64 with the C library of GNU.
  return arch === 'x64' ? [...both, '@msgpackr-extract/msgpackr-extract-linux-x64'] : both
}

/** Packages under the MIT licence that name their author but have no text of it. */
const underMit: Readonly<Record<string, string>> = {
  '@cfworker/json-schema': 'Jeremy Danyow',
  'asn1-ber': 'Mark Abrahams',
  'net-snmp': 'Mark Abrahams',
  'pg-types': 'Brian M. Carlson',
  pgpass: 'Hannes Hörl',
  varint: 'Chris Dickinson',
  'weak-lru-cache': 'Kris Zyp',
}

/** Packages without a licence file of their own: where the same text is. */
const licencesElsewhere: readonly [path: RegExp, ...files: string[]][] = [
  [/^@lmdb\//, 'lmdb/LICENSE'],
  [/^@msgpackr-extract\//, 'msgpackr-extract/LICENSE'],
  // Apache-2.0, as its source says on top; NOTICE names its authors.
  [/^uWebSockets\.js$/, '@opentelemetry/api/LICENSE'],
  // Apache-2.0, as its package.json says, and one file with a licence on top.
  [
    /^@bufbuild\/protobuf$/,
    '@opentelemetry/api/LICENSE',
    '@bufbuild/protobuf/dist/cjs/wire/varint.js',
  ],
]

/** A node_modules folder that has the native packages of the architecture. */
export function modulesOf(arch: Arch): string {
  const own = join(root, 'node_modules')
  if (arch === ownArch()) return own
  const foreign = join(own, '.cache/stillup-build', arch)
  for (const path of nativePackages(arch)) {
    if (!existsSync(join(foreign, path, 'package.json'))) fetchPackage(path, foreign)
  }
  return foreign
}

function lockedAt(path: string): Locked {
  const packages: Readonly<Record<string, Partial<Locked>>> = lock.packages
  const { name, version, integrity, license } = packages[`node_modules/${path}`] ?? {}
  if (version === undefined || integrity === undefined || license === undefined) {
    throw new Error(`package-lock.json does not tell version, checksum and licence of ${path}`)
  }
  return { version, integrity, license, ...(name === undefined ? {} : { name }) }
}

/** Gets a package from the registry, and takes it only if it is the one of the lockfile. */
function fetchPackage(path: string, modules: string): void {
  const { version, integrity } = lockedAt(path)
  const work = join(modules, `.${path.replaceAll('/', '-')}-${process.pid}`)
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  try {
    const pack = ['pack', `${path}@${version}`, '--silent', '--pack-destination', work]
    execFileSync('npm', pack, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    const archive = join(work, readdirSync(work)[0] ?? '')
    const [method = '', expected = ''] = integrity.split('-', 2)
    const found = createHash(method).update(readFileSync(archive)).digest('base64')
    if (found !== expected) {
      throw new Error(`${path}@${version} is not what package-lock.json expects: ${found}`)
    }
    execFileSync('tar', ['-xzf', archive, '-C', work, '--no-same-owner'])
    mkdirSync(dirname(join(modules, path)), { recursive: true })
    rmSync(join(modules, path), { recursive: true, force: true })
    renameSync(join(work, 'package'), join(modules, path))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** What is in a bundle of these inputs, and in its binary: sorted, each once. */
export function packagesIn(inputs: readonly string[], arch: Arch): Package[] {
  const paths = inputs.flatMap((input) => {
    const [, path] = /node_modules\/((?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? []
    return path === undefined ? [] : [path]
  })
  const all = [...new Set([...paths, ...nativePackages(arch)])].sort()
  return all.map((path) => packageAt(path, arch))
}

function packageAt(path: string, arch: Arch): Package {
  const { name = path.replace(/^.*node_modules\//, ''), ...locked } = lockedAt(path)
  const modules = nativePackages(arch).includes(path) ? modulesOf(arch) : join(root, 'node_modules')
  return { path, name, ...locked, licenseText: licenceOf(modules, path) }
}

/** The terms alone, from our own licence. */
function mitText(): string {
  const text = readFileSync(join(root, 'LICENSE'), 'utf8')
  return text.slice(text.indexOf('Permission is hereby granted')).trim()
}

/** The text of a file; of a script only the comment on top. */
function licenceIn(file: string): string {
  const text = readFileSync(file, 'utf8').trim()
  return file.endsWith('.js') ? (text.match(/^\/\/.*$/gm)?.join('\n') ?? '') : text
}

/** Throws where a package has none: what may not be passed on must not be in a release. */
function licenceOf(modules: string, path: string): string {
  const folder = join(modules, path)
  const own = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)\b/i.test(name))
  const [, ...elsewhere] = licencesElsewhere.find(([pattern]) => pattern.test(path)) ?? [/^$/]
  const files = own.map((name) => join(folder, name))
  if (files.length === 0) files.push(...elsewhere.map((file) => join(root, 'node_modules', file)))
  const author = underMit[path]
  if (files.length === 0 && author) return `Copyright (c) ${author}\n\n${mitText()}`
  const texts = files.sort().map(licenceIn)
  if (texts.join('') === '') throw new Error(`${path} has no licence text`)
  return texts.join('\n\n')
}
