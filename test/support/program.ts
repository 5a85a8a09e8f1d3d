// The program as people start it with npm start: the bundle, which starts in a quarter of the time that
// the sources take. It is made here where the sources are newer.
import { join } from 'node:path'

/** What Node runs, with the words of a command line after it. */
export const program = join(import.meta.dirname, '../../bin/start.cjs')
