// The spelling of names on the command line: --max-age of maxAge, MONITOR-ID of monitorId.
import type { ArgumentSpec, OptionSpec } from './command.ts'

/** `maxAge` → `max-age`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `maxAge` → `--max-age`. */
export function flagOf(name: string): string {
  return `--${kebab(name)}`
}

/** An argument in a line of usage: `DIR`, `[DIR]`, `FILE...`. */
export function argumentShown(name: string, { isOptional, isMany }: ArgumentSpec): string {
  const word = `${kebab(name).toUpperCase()}${isMany ? '...' : ''}`
  return isOptional ? `[${word}]` : word
}

/** An option in a list: `-c, --config FILE`. */
export function optionShown(name: string, { short, value }: OptionSpec): string {
  const start = short === undefined ? '    ' : `-${short}, `
  return `${start}${flagOf(name)}${value === undefined ? '' : ` ${value}`}`
}
