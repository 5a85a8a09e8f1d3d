// Node as a process of its own, as people start it: tap would load its own modules into it.
import { join } from 'node:path'

/** Where Node keeps code that it has compiled, as .taprc has it: a start then costs half. */
const compileCache = join(import.meta.dirname, '../../node_modules/.cache/compiled')

/**
 * What to spawn for Node with these arguments, in this environment and no other: tap adds to the
 * environment of every child, so that it has to be emptied in the child.
 */
export function bareNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  node = process.execPath,
): [command: string, args: string[]] {
  const all = { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, ...env }
  const pairs = Object.entries(all).flatMap(([name, value]) => {
    return value === undefined ? [] : [`${name}=${value}`]
  })
  return ['/usr/bin/env', ['-i', ...pairs, node, ...args]]
}
