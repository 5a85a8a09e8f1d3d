// Loads the settings from file, environment and secret files, and reports every problem at once.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { nearest } from './nearest.ts'
import { type ChosenSettings, type Setting, type Settings, table, variableOf } from './settings.ts'

export interface Surroundings {
  /** The file given by `--config`. */
  readonly configPath?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Relative paths start here. */
  readonly cwd: string
  /** Whether the log goes to a terminal. */
  readonly isTerminal: boolean
}

export interface Problem {
  /** The setting, or empty for the whole file. */
  readonly path: string
  /** Where it was set: a file or a variable. */
  readonly source: string
  readonly found: string
  readonly allowed: string
}

export type LoadResult =
  | { readonly settings: Settings; readonly source: string | null; readonly warnings: string[] }
  | { readonly problems: readonly Problem[] }

/** The raw values by `section.name`, before validation. */
type GivenSettings = Map<string, { raw: unknown; source: string }>

const settings = Object.entries(table).flatMap(([section, names]) =>
  Object.entries(names).map(([name, setting]) => ({
    section,
    name,
    path: `${section}.${name}`,
    variable: variableOf(section, name),
    setting: setting as Setting<unknown>,
  })),
)
const paths = settings.map(({ path }) => path)
const systemFile = '/etc/stillup/stillup.toml'

/** Formats a problem as one line. */
export function problemLine({ path, source, found, allowed }: Problem): string {
  return `${path} (${source}): found ${found}; allowed: ${allowed}`
}

/** Returns mistakes of the operator as problems and never throws for them. */
export function loadSettings(at: Surroundings): LoadResult {
  const problems: Problem[] = []
  const given: GivenSettings = new Map()
  const source = readFile(at, given, problems)
  readVariables(at, given, problems)
  const chosen = judge(given, problems)
  if (chosen.mail.smtpUrl !== null && chosen.mail.from === null && !given.has('mail.from')) {
    const allowed = 'a sender, because mail.smtpUrl is set'
    problems.push({ path: 'mail.from', source: 'not set', found: 'nothing', allowed })
  }
  for (const name of ['url', 'secret'] as const) {
    if (chosen.kyc.provider !== 'http' || chosen.kyc[name] !== null || given.has(`kyc.${name}`))
      continue
    const allowed = 'a value, because kyc.provider is "http"'
    problems.push({ path: `kyc.${name}`, source: 'not set', found: 'nothing', allowed })
  }
  if (problems.length > 0) return { problems }
  return { ...complete(chosen, at), source }
}

function readFile(at: Surroundings, given: GivenSettings, problems: Problem[]): string | null {
  const named = at.configPath ?? (at.env.STILLUP_CONFIG || undefined)
  const file =
    named === undefined
      ? [join(at.cwd, 'stillup.toml'), systemFile].find((candidate) => existsSync(candidate))
      : resolve(at.cwd, named)
  if (file === undefined) return null
  try {
    const content = parseToml(readFileSync(file, 'utf8'))
    for (const [section, names] of Object.entries(content)) {
      readSection(section, names, { file, given, problems })
    }
  } catch (error) {
    problems.push({ path: 'the file', source: file, ...fileProblem(error) })
  }
  return file
}

function fileProblem(error: unknown): { found: string; allowed: string } {
  const { code, line, message } = error as { code?: string; line?: number; message: string }
  const firstLine = message.split('\n')[0] ?? ''
  if (line !== undefined) return { found: `${firstLine} in line ${line}`, allowed: 'TOML 1.0' }
  const found = code === 'ENOENT' ? 'no such file' : firstLine
  return { found, allowed: 'a TOML file that the daemon can read' }
}

function readSection(
  section: string,
  names: unknown,
  { file, given, problems }: { file: string; given: GivenSettings; problems: Problem[] },
): void {
  if (typeof names !== 'object' || names === null || Array.isArray(names)) {
    const near = nearest(section, [...Object.keys(table), ...paths])
    problems.push(unknownSetting(section, file, near))
    return
  }
  for (const [name, raw] of Object.entries(names)) {
    const path = `${section}.${name}`
    if (paths.includes(path)) given.set(path, { raw, source: file })
    else problems.push(unknownSetting(path, file, nearest(path, paths)))
  }
}

function unknownSetting(path: string, source: string, near: string | undefined): Problem {
  const allowed = near ? `${near} (did you mean that?)` : 'the settings in config/stillup.toml'
  return { path, source, found: 'a setting that does not exist', allowed }
}

function readVariables(at: Surroundings, given: GivenSettings, problems: Problem[]): void {
  const names = new Set(['STILLUP_CONFIG'])
  for (const { path, variable, setting } of settings) {
    names.add(variable)
    // An empty variable counts as not set, because compose files pass unset ones as empty.
    const text = at.env[variable] || undefined
    if (text !== undefined) {
      given.set(path, { raw: setting.kind.fromText(text), source: variable })
    }
    if (!setting.isSecret) continue
    names.add(`${variable}_FILE`)
    const file = at.env[`${variable}_FILE`] || undefined
    if (file === undefined) continue
    const problem = (found: string, allowed: string) =>
      problems.push({ path, source: `${variable}_FILE`, found, allowed })
    if (text !== undefined) problem(`${variable} as well`, 'one of the two')
    try {
      const raw = setting.kind.fromText(readFileSync(resolve(at.cwd, file), 'utf8').trim())
      given.set(path, { raw, source: `${variable}_FILE` })
    } catch (error) {
      problem(`${file}: ${fileProblem(error).found}`, 'a file that the daemon can read')
    }
  }
  for (const [variable, text] of Object.entries(at.env)) {
    if (!variable.startsWith('STILLUP_') || names.has(variable)) continue
    if (isFromKubernetes(variable, text ?? '')) continue
    problems.push(unknownSetting(variable, 'environment', nearest(variable, [...names])))
  }
}

/** Kubernetes gives every container variables named after neighbouring services. */
function isFromKubernetes(variable: string, text: string): boolean {
  return (
    /_SERVICE_(HOST|PORT)/.test(variable) ||
    /^(tcp|udp|sctp):\/\//.test(text) ||
    /_PORT_\d+_(TCP|UDP|SCTP)/.test(variable)
  )
}

function judge(given: GivenSettings, problems: Problem[]): ChosenSettings {
  const chosen: Record<string, Record<string, unknown>> = {}
  for (const { section, name, path, setting } of settings) {
    const set = given.get(path)
    let value: unknown = setting.fallback
    if (set !== undefined) {
      value = setting.kind.parse(set.raw)
      if (value === undefined) {
        const { source, raw } = set
        const found = shown(raw, setting.isSecret === true)
        const whole = { place: '', found, allowed: setting.kind.allowed }
        for (const { place, ...told } of setting.kind.explain?.(raw) ?? [whole]) {
          problems.push({ path: path + place, source, ...told })
        }
        value = setting.fallback
      }
    }
    chosen[section] = { ...chosen[section], [name]: value }
  }
  return typed(chosen)
}

// The object is built from the table that defines its type; TypeScript cannot follow the loop.
function typed(chosen: object): ChosenSettings {
  return chosen as ChosenSettings
}

function shown(raw: unknown, isSecret: boolean): string {
  if (isSecret && typeof raw === 'string') return `a hidden value of ${raw.length} characters`
  if (isSecret && typeof raw === 'object') return 'a hidden value'
  const text = typeof raw === 'bigint' ? String(raw) : JSON.stringify(raw)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

function complete(
  chosen: ChosenSettings,
  at: Surroundings,
): { settings: Settings; warnings: string[] } {
  const warnings: string[] = []
  // systemd passes a list if a unit has several directories; ours has one.
  const stateDir = at.env.STATE_DIRECTORY?.split(':')[0] || undefined
  const dir = resolve(at.cwd, chosen.data.dir ?? stateDir ?? 'data')
  const credential =
    at.env.CREDENTIALS_DIRECTORY && join(at.env.CREDENTIALS_DIRECTORY, 'master-key')
  let masterKeyFile = chosen.data.masterKeyFile && resolve(at.cwd, chosen.data.masterKeyFile)
  if (!masterKeyFile && credential && existsSync(credential)) masterKeyFile = credential
  if (!masterKeyFile) {
    masterKeyFile = join(dir, 'master.key')
    warnings.push(
      'the master key is stored next to the data that it protects; set data.masterKeyFile to separate them',
    )
  }
  const { level, format } = chosen.log
  return {
    settings: {
      ...chosen,
      data: { ...chosen.data, dir, masterKeyFile },
      log: { level, format: format ?? (at.isTerminal ? 'pretty' : 'json') },
    },
    warnings,
  }
}
