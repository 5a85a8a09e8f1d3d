#!/usr/bin/env node
// stillup as a command: runs src/main.ts with the Node of node_modules, whatever Node the shell
// found. Plain JavaScript, because an older Node cannot read the TypeScript that would say so.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const nodeMin = [24, 9]
const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Any other flag of V8 would make it refuse the compiled code that Node brings along. */
const flags = ['--max-semi-space-size=8']

function isNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1])
}

/** The Node that `npm ci` installed; undefined if it is not there. */
function installedNode() {
  try {
    const { resolve } = createRequire(import.meta.url)
    const name = `node-${process.platform}-${process.arch}`
    const path = join(dirname(resolve(`${name}/package.json`)), 'bin/node')
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

function run(node) {
  const args = [...flags, join(root, 'src/main.ts'), ...process.argv.slice(2)]
  const child = spawn(node, args, { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both processes; a supervisor knows only this one.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => fail(`cannot run ${node}: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 70)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function fail(reason) {
  process.stderr.write(`stillup: ${reason}\n`)
  process.exit(78)
}

const node = installedNode() ?? (isNewEnough() ? process.execPath : undefined)
if (node) run(node)
else {
  fail(
    `Node ${nodeMin.join('.')} or later is needed; this is ${process.versions.node}. ` +
      `Run npm ci in ${root}: it installs one.`,
  )
}
