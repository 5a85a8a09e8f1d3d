// The native addons of a bundle: which files they are, and how the libraries get them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { known, relinked } from '../relink-uws.ts'
import { strippedElf } from './elf.ts'
import { nativePackages } from './packages.ts'
import { type Arch, nodeAbi, root } from './places.ts'

const loader = join(root, 'src/base/native/addons.ts')

/** A module whose value is made by the loader, instead of by a search of node_modules. */
const moduleOf = (value: string) =>
  `const { loadAddon } = require(${JSON.stringify(loader)});\nmodule.exports = ${value};\n`

/** Lets uWebSockets.js, lmdb and msgpackr-extract ask `src/base/native/addons.ts` for their addon. */
export const nativePlugin: Plugin = {
  name: 'native addons',
  setup(build) {
    build.onLoad({ filter: /\/uWebSockets\.js\/uws\.js$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8')
      // The library would tell every failure as that of a wrong version of Node.
      const call = /\(\(\) => \{\s*try \{\s*return require\('\.\/uws_'[^;]*;[\s\S]*?\n\}\)\(\);/
      if (!call.test(code)) throw new Error(`${path} does not load its addon as expected`)
      const loaded = `require(${JSON.stringify(loader)}).loadAddon("uws.node");`
      return { loader: 'js', contents: code.replace(call, loaded) }
    })
    build.onResolve({ filter: /^node-gyp-build-optional-packages$/ }, ({ importer }) => ({
      path: /\/msgpackr-extract\//.test(importer) ? 'msgpackr-extract.node' : 'lmdb.node',
      namespace: 'addon',
    }))
    build.onLoad({ filter: /.*/, namespace: 'addon' }, ({ path }) => ({
      loader: 'js',
      resolveDir: root,
      contents: moduleOf(`() => loadAddon(${JSON.stringify(path)})`),
    }))
  },
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** uWebSockets.js as it loads on glibc 2.36, whether node_modules has it repaired already or not. */
function readUws(arch: Arch): Buffer {
  const name = `uws_linux_${arch}_${nodeAbi}.node`
  const hashes = known[name]
  const bytes = relinked(readFileSync(join(root, 'node_modules/uWebSockets.js', name)))
  if (sha256(bytes) !== hashes?.repaired) {
    throw new Error(`${name} is not the file that scripts/relink-uws.ts knows`)
  }
  return bytes
}

/** The addons by name. `modules` is a node_modules that has the packages of the architecture. */
export function readAddons(modules: string, arch: Arch): Map<string, Buffer> {
  // One carries 2.8 MB for debuggers.
  const napi = (folder: string) =>
    strippedElf(readFileSync(join(modules, folder, 'node.napi.glibc.node')))
  const addons = new Map([
    ['uws.node', readUws(arch)],
    ['lmdb.node', napi(`@lmdb/lmdb-linux-${arch}`)],
  ])
  // `packages.ts` says where there is one; without, msgpackr is a little slower.
  const extract = `@msgpackr-extract/msgpackr-extract-linux-${arch}`
  if (nativePackages(arch).includes(extract)) addons.set('msgpackr-extract.node', napi(extract))
  return addons
}

/** What the daemon compares the addons with before it loads them. */
export function sumsOf(addons: ReadonlyMap<string, Buffer>): Record<string, string> {
  return Object.fromEntries([...addons].map(([name, bytes]) => [name, sha256(bytes)]))
}
