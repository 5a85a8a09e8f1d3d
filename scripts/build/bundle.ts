// The bundle: the program in one file for each thread, with the files that belong to it. Node runs it
// as it is, and the binary contains it.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { buildConsole } from '../console/build.ts'
import { buildGuide } from '../guide/build.ts'
import { libraryPlugin } from './libraries.ts'
import { nativePlugin, readAddons, sumsOf } from './natives.ts'
import { type Arch, root } from './places.ts'
import { textFiles, textPlugin } from './texts.ts'

const source = join(root, 'src')

/** Files that run by themselves: the process and its threads. */
const entries = [
  'main',
  'probes/pool/thread',
  'store/data-file/check-thread',
  'store/backup/make-thread',
  'commands/watchdog/thread',
  'services/orgs/convert-thread',
  'services/orgs/history/parquet-thread',
] as const

/** Files that `src/base/assets.ts` reads, besides texts. */
const assetPatterns = [
  '**/*.{css,js,woff2}',
  'console/built/manifest.json',
  'pages/guide/built/*.{html,json,png}',
]

/** The console is in it as it is built; its colours are those of everything. */
const isSourceOfConsole = (path: string) =>
  path.startsWith('console/') &&
  !path.startsWith('console/built/') &&
  path !== 'console/look/tokens.css'

/**
 * In a bundle there is no `import.meta`. The folder of `src/base/assets.ts` is told by the place of
 * the bundle; the libraries that ask for a URL only make a `require` of it.
 */
function bannerOf(entry: string): string {
  const base = JSON.stringify(relative(dirname(`/${entry}`), '/base'))
  return [
    'const bundleUrl = require("node:url").pathToFileURL(process.execPath).href;',
    `const bundleBase = require("node:path").join(__dirname, ${base});`,
    'const bundleFile = "assets.cjs";',
  ].join('\n')
}

export interface Bundle {
  /** Every file by its path in the bundle. */
  readonly files: ReadonlyMap<string, Buffer>
  /** What esbuild read: names the packages that are inside. */
  readonly inputs: readonly string[]
}

/** `modules` is a node_modules that has the addons of the architecture. */
export async function makeBundle(modules: string, arch: Arch): Promise<Bundle> {
  const onDemand = new Set<string>()
  const programs = await Promise.all(entries.map((entry) => bundleOf(entry, onDemand)))
  const libraries = await Promise.all([...onDemand].sort().map(libraryOf))
  const results = [...programs, ...libraries]
  const addons = readAddons(modules, arch)
  const console = await buildConsole()
  const guide = await buildGuide()
  const assets = globSync(assetPatterns, { cwd: source })
    .filter((path) => !isSourceOfConsole(path))
    .sort()
  const sums = Buffer.from(`${JSON.stringify(sumsOf(addons), null, 2)}\n`)
  return {
    files: new Map([
      ...results.map(({ path, code }) => [path, code] as const),
      ...assets.map((path) => [path, readFileSync(join(source, path))] as const),
      ...textFiles(),
      ...[...addons].map(([name, bytes]) => [`native/${name}`, bytes] as const),
      ['native/sha256.json', sums],
    ]),
    inputs: [
      ...new Set(
        [...results, console, guide].flatMap(({ metafile }) => Object.keys(metafile.inputs)),
      ),
    ].sort(),
  }
}

/**
 * V8 keeps a text of ASCII in half the memory. esbuild escapes other letters, but not letters in tagged
 * templates; there an escape means the same, unless the tag asks for the text as it is written.
 */
function asAscii(code: string): string {
  const isOther = /[\u0080-\uffff]/g
  return code.replace(isOther, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

interface BuiltFile {
  readonly path: string
  readonly code: Buffer
  readonly metafile: Metafile
}

/** A file that runs by itself. Adds the libraries that it loads on demand. */
function bundleOf(entry: string, onDemand: Set<string>): Promise<BuiltFile> {
  return built(`${entry}.cjs`, {
    entryPoints: [relative(root, join(source, `${entry}.ts`))],
    banner: { js: bannerOf(entry) },
    plugins: [nativePlugin, textPlugin, libraryPlugin((name) => onDemand.add(name))],
  })
}

/** A library that `src/base/assets.ts` loads on demand. */
function libraryOf(name: string): Promise<BuiltFile> {
  const contents = `module.exports = require(${JSON.stringify(name)})`
  const plugins = [libraryPlugin(() => {})]
  return built(`libraries/${name}.cjs`, { stdin: { contents, resolveDir: root }, plugins })
}

async function built(path: string, options: BuildOptions): Promise<BuiltFile> {
  const { outputFiles, metafile } = await build({
    ...options,
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    // V8 keeps the text in memory. Names stay and lines are short, so that a stack trace can be read.
    minifyWhitespace: true,
    lineLimit: 120,
    legalComments: 'none',
    define: {
      'import.meta.url': 'bundleUrl',
      'import.meta.dirname': 'bundleBase',
      'import.meta.filename': 'bundleFile',
    },
    logLevel: 'warning',
    // Such code names variables, which have other names in a bundle.
    logOverride: { 'direct-eval': 'error' },
  })
  const [output] = outputFiles
  if (!output) throw new Error(`esbuild made nothing of ${path}`)
  return { path, code: Buffer.from(asAscii(output.text)), metafile }
}
