// The one door to the files that belong to the program: style sheets, scripts, texts, threads, and
// libraries that are loaded when they are first used.
//
// They lie beside the sources; in the bundle under the same paths, and in the binary inside it. So
// no other file asks where it is: `scripts/build/bundle.ts` replaces what is said here.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire, getCompileCacheDir } from 'node:module'
import { extname, join } from 'node:path'
import { getAssetKeys, getRawAsset, isSea } from 'node:sea'
import { compileFunction } from 'node:vm'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** The folder of main.ts, or that of the bundle. */
const root = join(import.meta.dirname, '..')

/** Threads are `.ts` among the sources, and `.cjs` in the bundle. */
const threadEnding = extname(import.meta.filename)

/** Where a file is, unless this is the binary. */
export function assetPath(path: string): string {
  return join(root, path)
}

/** The content of a file; its path begins in the folder of main.ts, as in `pages/email.css`. */
export function readAsset(path: string): Buffer {
  return isSea() ? Buffer.from(getRawAsset(path)) : readFileSync(assetPath(path))
}

/** The same as text. */
export function readTextAsset(path: string): string {
  return readAsset(path).toString('utf8')
}

/** The names of the files and folders in a folder. */
export function assetNames(folder: string): string[] {
  if (!isSea()) return readdirSync(assetPath(folder))
  const below = getAssetKeys().filter((path) => path.startsWith(`${folder}/`))
  return [
    ...new Set(
      below.map((path) =>
        path
          .slice(folder.length + 1)
          .split('/', 1)
          .join(''),
      ),
    ),
  ]
}

/**
 * Starts the thread of a file, whose path is given without its ending. What the command line of Node loads
 * into the program, such as a test runner, is not loaded into each thread again.
 */
export function startWorker(path: string, options: WorkerOptions): Worker {
  const file = `${path}${threadEnding}`
  if (isSea()) return new Worker(readTextAsset(file), { ...options, eval: true })
  return new Worker(assetPath(file), { execArgv: [], ...options })
}

/**
 * Starts this program once more, as a process of its own. It gets no environment variables, because it
 * needs none; only where this process keeps compiled code, so does that one, and starts in half the time.
 */
export function startProgram(args: readonly string[]): ChildProcessWithoutNullStreams {
  const program = isSea() ? [] : [assetPath(`main${threadEnding}`)]
  const compiled = getCompileCacheDir()
  const env = compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }
  return spawn(process.execPath, [...program, ...args], { cwd: '/', env })
}

const requireModule = createRequire(import.meta.url)

/**
 * `requireLibrary('markdown-it')` loads a library when it is first used, where an import would load it
 * at every start. It does so at once, where `import()` would make the caller wait. In the bundle it is
 * a file of its own, so that its text is in memory only then; for this, the name is written out.
 */
export const requireLibrary = createLibraries(
  threadEnding === '.cjs' ? (name) => run(`libraries/${name}.cjs`) : requireModule,
)

/** Remembers them: Node resolves a name anew each time, which takes longer than most calls of a library. */
function createLibraries(load: (name: string) => unknown) {
  const loaded = new Map<string, unknown>()
  return (name: string): unknown => {
    if (!loaded.has(name)) loaded.set(name, load(name))
    return loaded.get(name)
  }
}

function run(path: string): unknown {
  const module: { exports: unknown } = { exports: {} }
  const code = readAsset(path).toString('latin1')
  compileFunction(code, ['module', 'require'], { filename: assetPath(path) })(module, requireModule)
  return module.exports
}
