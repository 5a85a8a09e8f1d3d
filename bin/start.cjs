// npm start: runs the bundle, which starts in a third of the time and needs less memory, as long as it
// was made from the sources as they are. Else makes it, or runs the sources where it cannot be made.
// CommonJS, because Node would load its loader of ES modules, which the bundle does not need.
const { spawnSync } = require('node:child_process')
const { existsSync, readFileSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { dirname, join } = require('node:path')
const { fingerprint } = require('./fingerprint.cjs')

const root = dirname(__dirname)
const bundle = join(root, 'dist/bundle/main.cjs')

function isCurrent() {
  try {
    return readFileSync(join(root, 'dist/bundle/made-from'), 'utf8') === fingerprint(root)
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

/**
 * Compiled code is kept beside the bundle for the next start, if the user may write there. A Node that
 * is too old cannot keep it; the program itself tells that it is too old.
 */
function runBundle() {
  enableCompileCache?.(join(root, 'dist/bundle/compiled'))
  require(bundle)
}

/** The bundle has a repaired uWebSockets.js of its own; here npm may have run without its scripts. */
async function runSources() {
  const { repairHere } = await import('../scripts/relink-uws.ts')
  repairHere()
  await import('../src/main.ts')
}

if (isCurrent() || (canBuild() && build() && isCurrent())) runBundle()
else void runSources()
