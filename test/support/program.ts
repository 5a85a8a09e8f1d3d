// The program as people start it with npm start: the bundle, which starts in a quarter of the time that
// the sources take. Where the sources are newer it is made here, before several starts would each make it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { bareNode } from './bare-node.ts'

/** What Node runs, with the words of a command line after it. */
export const program = join(import.meta.dirname, '../../bin/start.cjs')

spawnSync(...bareNode([program, '--version']))
