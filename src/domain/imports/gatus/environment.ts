// Variables of the environment in a configuration: Gatus puts their values in before it reads the YAML.
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import { ForeignFileRefused } from '../foreign.ts'

/** A file with variables, in characters; and a configuration with the values in it. */
export const foreignEnvironmentCharsMax = 64 * 1024
const expandedCharsMax = 1024 * 1024

/** Where the value of a variable is missing, until the document was made. No YAML needs them otherwise. */
const [unsetBegin, unsetEnd] = ['\u{e000}', '\u{e001}']

/** The names in a text that stand for values which are missing. */
export const unsetNames = /\u{e000}(\w{1,100})\u{e001}/gu

/**
 * NAME=value in lines, with quotes and comments, as systemd (EnvironmentFile) and Compose (env_file) read them.
 * Throws ForeignFileRefused.
 */
export function readEnvironment(text: string): Variables {
  if (text.length > foreignEnvironmentCharsMax) {
    const most = `has more than ${foreignEnvironmentCharsMax} characters of variables beside it`
    throw new ForeignFileRefused(most)
  }
  const values = new Map<string, string>()
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const stated = line.trim()
    if (stated === '' || /^[#;]/.test(stated)) continue
    const equals = stated.indexOf('=')
    const name = stated
      .slice(0, Math.max(equals, 0))
      .replace(/^export\s/, '')
      .trim()
    if (!variableName.test(name)) {
      const what = clip(name, limits.nameCharsMax)
      const where = `has variables beside it without a name before the = in line ${index + 1}`
      throw new ForeignFileRefused(name === '' ? where : `${where}: ${what}`)
    }
    values.set(name, valueIn(stated.slice(equals + 1).trim()))
  }
  return values
}

const variableName = /^[A-Za-z_]\w{0,99}$/

/** What is in quotes is as it is; else a comment begins with a space. */
function valueIn(text: string): string {
  const quote = text[0]
  const end = quote === '"' || quote === "'" ? text.lastIndexOf(quote) : 0
  const rest = text.slice(end + 1).trim()
  if (end < 1 || !(rest === '' || rest.startsWith('#'))) {
    const comment = text.search(/\s#/)
    return comment === -1 ? text : text.slice(0, comment).trimEnd()
  }
  const inside = text.slice(1, end)
  if (quote === "'") return inside
  return inside.replace(/\\([\\"$`nrt])/g, (_, sign: string) => escapes[sign] ?? sign)
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

export type Variables = ReadonlyMap<string, string>

/**
 * The text with the values of the variables, as os.ExpandEnv of Go puts them in; `$$` is one dollar
 * (config/config.go of Gatus). Values are not looked through again. Throws ForeignFileRefused if it becomes
 * too long.
 */
export function expanded(text: string, environment: Variables): string {
  // Without an end after it, a name must not be looked for to the end of the text each time.
  const lastEnd = text.lastIndexOf('}')
  let filled = ''
  let at = 0
  for (;;) {
    const dollar = text.indexOf('$', at)
    if (dollar === -1 || dollar === text.length - 1) return within(filled + text.slice(at))
    filled = within(filled + text.slice(at, dollar))
    const { name, length } = nameAt(text, dollar + 1, lastEnd)
    if (name === undefined) filled += '$'
    else if (name !== '') filled += given(name)
    at = dollar + 1 + length
  }

  function given(name: string): string {
    const value = environment.get(name)
    if (value !== undefined) return value
    return variableName.test(name) ? `${unsetBegin}${name}${unsetEnd}` : ''
  }
}

function within(text: string): string {
  if (text.length <= expandedCharsMax) return text
  const most = `has more than ${expandedCharsMax} characters with the values of its variables`
  throw new ForeignFileRefused(most)
}

interface NameInText {
  /** Empty: the signs are passed over; undefined: the dollar stays. */
  readonly name: string | undefined
  /** What is passed over after the dollar. */
  readonly length: number
}

const plainName = /\w+/y
const specialName = /[*#@!?0-9-]/

/** getShellName of https://github.com/golang/go/blob/master/src/os/env.go */
function nameAt(text: string, at: number, lastEnd: number): NameInText {
  const first = text[at] ?? ''
  if (first === '$') return { name: undefined, length: 1 }
  if (first === '{') {
    if (at > lastEnd) return { name: '', length: 1 }
    const end = text.indexOf('}', at)
    return { name: text.slice(at + 1, end), length: end + 1 - at }
  }
  if (specialName.test(first)) return { name: first, length: 1 }
  plainName.lastIndex = at
  const [name] = plainName.exec(text) ?? []
  return { name, length: name?.length ?? 0 }
}
