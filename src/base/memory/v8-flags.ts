// V8 flags with which the daemon needs less memory, set by the program itself.
import { setFlagsFromString } from 'node:v8'

/**
 * `--heap-growing-percent` halves the resident memory for a few percent of processor time.
 *
 * The others leave WebAssembly unoptimised, and so spare 16 MB that optimising the HTTP parser would
 * leave behind. V8 derives the last two from `--liftoff-only` on the command line, but not here.
 */
const flags = [
  '--heap-growing-percent=50',
  '--liftoff-only',
  '--no-wasm-tier-up',
  '--no-wasm-dynamic-tiering',
]

/**
 * Call it once everything is loaded. With such flags, V8 refuses the compiled code that Node has of
 * its own modules and of the program, and compiles all of it anew.
 */
export function saveMemory(): void {
  for (const flag of flags) setFlagsFromString(flag)
}
