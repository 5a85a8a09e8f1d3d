// npm start: runs the bundle, which starts in a third of the time and needs less memory, as long as it
// was made from the sources as they are. Else makes it, or runs the sources where it cannot be made.
// CommonJS, because Node would load its loader of ES modules, which the bundle does not need.
const { spawnSync } = require('node:child_process')
const { existsSync, readFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')
const { fingerprint } = require('./fingerprint.cjs')

const root = dirname(__dirname)
const bundle = join(root, 'dist/bundle')

function isCurrent() {
  try {
    return readFileSync(join(bundle, 'made-from'), 'utf8') === fingerprint(root)
  } catch {
    return false
  }
}

/** npm ci --omit=dev installs no bundler: then the sources run, as they always can. */
function canBuild() {
  return existsSync(join(root, 'node_modules/esbuild/package.json'))
}

function build() {
  const script = join(root, 'scripts/build/main.ts')
  const built = spawnSync(process.execPath, [script, '--bundle'], { encoding: 'utf8' })
  if (built.status === 0) return true
  const lines = (built.stderr ?? '').trim().split('\n')
  const reason = lines.find((line) => /error/i.test(line)) ?? lines.at(-1)
  process.stderr.write(`stillup: runs from its sources; the bundle was not made: ${reason}\n`)
  return false
}

/** With the code that V8 compiled when the bundle was made; another version of it compiles its own. */
function runBundle() {
  const file = join(bundle, 'main.cjs')
  const cachedData = readFileSync(join(bundle, 'compiled'))
  const program = new Script(wrap(readFileSync(file, 'latin1')), { filename: file, cachedData })
  program.runInThisContext()(exports, require, module, file, bundle)
}

/** The bundle has a repaired uWebSockets.js of its own; here npm may have run without its scripts. */
async function runSources() {
  const { repairHere } = await import('../scripts/relink-uws.ts')
  repairHere()
  await import('../src/main.ts')
}

if (isCurrent() || (canBuild() && build() && isCurrent())) runBundle()
else void runSources()
