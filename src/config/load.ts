// Loads the settings from file, environment and secret files, and reports every problem at once.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { nearest } from '../domain/nearest.ts'
import { areRelated, isAtOrBelow } from '../domain/pages/custom-hostname.ts'
import { isLoopbackUrl } from '../domain/sign-in/oidc.ts'
import {
  type ChosenSettings,
  defaultBaseUrl,
  type Setting,
  type Settings,
  table,
  variableOf,
} from './settings.ts'

export interface Surroundings {
  /** The file given by `--config`. */
  readonly configPath?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Relative paths start here. */
  readonly cwd: string
  /** Whether the log goes to a terminal. */
  readonly isTerminal: boolean
  /**
   * Whether these are for a command about the data, not for the daemon itself. Only its unit tells the
   * service of its directory: where none is set and none is here, such a command means the service's.
   */
  readonly isForCommand?: boolean
  /** Where the service that install.sh sets up has its data and its key. */
  readonly service?: { readonly dir: string; readonly keyFile: string }
}

const installedService = { dir: '/var/lib/stillup', keyFile: '/etc/stillup/master.key' }

export interface Problem {
  /** The setting, or empty for the whole file. */
  readonly path: string
  /** Where it was set: a file or a variable. */
  readonly source: string
  readonly found: string
  readonly allowed: string
}

export type LoadResult = LoadedSettings | { readonly problems: readonly Problem[] }

/** The settings of the file and the environment, without a problem that they have by themselves. */
export interface LoadedSettings {
  readonly settings: Settings
  readonly source: string | null
  readonly warnings: readonly string[]
  readonly given: GivenSettings
  /** What they need besides, and the console may set: a start without it fails. */
  readonly missing: readonly Problem[]
}

/** What the daemon starts with. */
export type StartSettings = Pick<LoadedSettings, 'settings' | 'given'>

/** The settings that the console keeps: raw values, as in the file, by `section.name`. */
export type ConsoleValues = Readonly<Record<string, unknown>>

/** What the file and the environment set, as it was read; the console's values lie below it. */
export interface GivenSettings {
  /** Where a setting is set: a file or a variable; undefined if it is in neither. */
  sourceOf(path: string): string | undefined
  withConsole(values: ConsoleValues): UsableSettings
}

/** What can be used of settings that may be wrong. */
export interface UsableSettings {
  /** Where a setting is wrong, this has its default. */
  readonly settings: Settings
  readonly source: string | null
  readonly problems: readonly Problem[]
  readonly warnings: readonly string[]
  /** The secret settings that are written in the file itself. */
  readonly secretsInFile: readonly string[]
}

/** The raw values by `section.name`, before validation. */
type RawSettings = Map<string, { raw: unknown; source: string }>

/** The source of a setting that another one needs, and that nothing sets. */
const notSet = 'not set'

/** The source of what administrators set in the console. */
export const consoleSource = 'the console'

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
  const read = readSettings(at)
  const { settings, source, warnings, problems } = settled(read)
  const missing = problems.filter(mayBeInConsole)
  if (missing.length < problems.length) return { problems }
  const given: GivenSettings = {
    sourceOf: (path) => read.given.get(path)?.source,
    withConsole: (values) => settled(read, values),
  }
  return { settings, source, warnings, given, missing }
}

/** Which of them are known is known once the data is open. */
function mayBeInConsole({ path, source }: Problem): boolean {
  return source === notSet && settings.some((one) => one.path === path && one.setting.isOffered)
}

/** The same for a caller that goes on with what is right. */
export function usableSettings(at: Surroundings): UsableSettings {
  return layeredSettings(at)()
}

/** The same, over what the console sets once that is known; the file is read once. */
export function layeredSettings(at: Surroundings): (values?: ConsoleValues) => UsableSettings {
  const read = readSettings(at)
  return (values) => settled(read, values)
}

function readSettings(at: Surroundings) {
  const problems: Problem[] = []
  const given: RawSettings = new Map()
  const source = readFile(at, given, problems)
  readVariables(at, given, problems)
  return { at, given, source, problems }
}

/** The file and the environment come before the console; what the console does not offer is not taken. */
function settled(
  read: ReturnType<typeof readSettings>,
  values: ConsoleValues = {},
): UsableSettings {
  const { at, source } = read
  const problems = [...read.problems]
  const given: RawSettings = new Map(
    settings
      .filter(({ path, setting }) => setting.isOffered && Object.hasOwn(values, path))
      .map(({ path }) => [path, { raw: values[path], source: consoleSource }]),
  )
  for (const [path, one] of read.given) given.set(path, one)
  const chosen = judge(given, problems)
  if (chosen.mail.smtpUrl !== null && chosen.mail.from === null && !given.has('mail.from')) {
    const allowed = 'a sender, because mail.smtpUrl is set'
    problems.push({ path: 'mail.from', source: notSet, found: 'nothing', allowed })
  }
  for (const name of ['url', 'secret'] as const) {
    if (chosen.kyc.provider !== 'http' || chosen.kyc[name] !== null || given.has(`kyc.${name}`))
      continue
    const allowed = 'a value, because kyc.provider is "http"'
    problems.push({ path: `kyc.${name}`, source: notSet, found: 'nothing', allowed })
  }
  problems.push(
    ...statusDomainProblems(chosen, given),
    ...tlsProblems(chosen, given),
    ...bucketProblems(chosen, given),
    ...clusterProblems(chosen, given),
  )
  const secretsInFile = settings
    .filter(({ path, setting }) => setting.isSecret && given.get(path)?.source === source)
    .map(({ path }) => path)
  return { ...complete(chosen, at), source, problems, secretsInFile }
}

/** Every host below the status domain is a status page's, so that of the service is not there. */
function statusDomainProblems({ http }: ChosenSettings, given: RawSettings): Problem[] {
  const { listen, statusDomain } = http
  const baseUrl = http.baseUrl ?? defaultBaseUrl(listen)
  const baseHost = new URL(baseUrl).hostname.replace(/\.$/, '')
  if (statusDomain === null || !isAtOrBelow(baseHost, statusDomain)) return []
  const source = given.get('http.statusDomain')?.source ?? notSet
  const allowed = `a domain that the host of http.baseUrl (${baseHost}) is neither equal to nor below: hosts below it are for status pages alone`
  return [{ path: 'http.statusDomain', source, found: JSON.stringify(statusDomain), allowed }]
}

/** Settings of TLS that need each other. */
function tlsProblems({ http, acme }: ChosenSettings, given: RawSettings): Problem[] {
  const { tlsListen, tlsCertFile, tlsKeyFile, baseUrl } = http
  const problems: Problem[] = []
  const missing = (path: string, allowed: string) =>
    problems.push({ path, source: notSet, found: 'nothing', allowed })
  if (tlsCertFile !== null && !given.has('http.tlsKeyFile')) {
    missing('http.tlsKeyFile', 'the key of http.tlsCertFile')
  }
  if (tlsKeyFile !== null && !given.has('http.tlsCertFile')) {
    missing('http.tlsCertFile', 'the certificate of http.tlsKeyFile')
  }
  if (tlsListen === null) {
    if (tlsCertFile !== null && !given.has('http.tlsListen')) {
      missing('http.tlsListen', 'an address, because http.tlsCertFile is set')
    }
    return problems
  }
  if (baseUrl === null) {
    if (!given.has('http.baseUrl')) {
      missing('http.baseUrl', 'an https address, because http.tlsListen is set')
    }
  } else if (!baseUrl.startsWith('https:')) {
    const source = given.get('http.baseUrl')?.source ?? notSet
    const allowed = 'an https address, because http.tlsListen is set'
    problems.push({ path: 'http.baseUrl', source, found: JSON.stringify(baseUrl), allowed })
  }
  if (tlsCertFile === null && !acme.isEnabled && !given.has('http.tlsCertFile')) {
    missing('http.tlsCertFile', 'a certificate, because acme.isEnabled is false')
  }
  return problems
}

/** A bucket needs its service, its name and both halves of the access key. */
function bucketProblems({ backup }: ChosenSettings, given: RawSettings): Problem[] {
  const names = ['bucketUrl', 'bucketName', 'bucketAccessKey', 'bucketSecretKey'] as const
  const present = names.find((name) => backup[name] !== null)
  if (present === undefined) return []
  return names
    .filter((name) => backup[name] === null && !given.has(`backup.${name}`))
    .map((name) => ({
      path: `backup.${name}`,
      source: notSet,
      found: 'nothing',
      allowed: `a value, because backup.${present} is set`,
    }))
}

/** A member has a key, and no other kind of standby. */
function clusterProblems({ cluster }: ChosenSettings, given: RawSettings): Problem[] {
  if (cluster.servers.length === 0) return []
  const problems: Problem[] = []
  if (cluster.nkeyFile === null && !given.has('cluster.nkeyFile')) {
    const allowed = 'the file with the key of this member, because cluster.servers is set'
    problems.push({ path: 'cluster.nkeyFile', source: notSet, found: 'nothing', allowed })
  }
  if (cluster.standby) {
    const source = given.get('cluster.standby')?.source ?? notSet
    const allowed = 'false, because cluster.servers is set: the members are its standbys'
    problems.push({ path: 'cluster.standby', source, found: 'true', allowed })
  }
  return problems
}

function readFile(at: Surroundings, given: RawSettings, problems: Problem[]): string | null {
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

const refusals: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'a file that this user may not read',
  // Docker makes a directory where the file to mount is missing.
  EISDIR: 'a directory',
}

function fileProblem(error: unknown): { found: string; allowed: string } {
  const { code, line, message } = error as { code?: string; line?: number; message: string }
  const firstLine = message.split('\n')[0] ?? ''
  if (line !== undefined) return { found: `${firstLine} in line ${line}`, allowed: 'TOML 1.0' }
  const found = (code && refusals[code]) ?? firstLine
  return { found, allowed: 'a TOML file that the daemon can read' }
}

function readSection(
  section: string,
  names: unknown,
  { file, given, problems }: { file: string; given: RawSettings; problems: Problem[] },
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

/** The key of another product's API, for `stillup import`. */
export const importKeyVariable = 'STILLUP_IMPORT_KEY'
/** Variables of the program that are no settings. */
const programVariables = ['STILLUP_CONFIG', 'STILLUP_NATIVE_DIR', importKeyVariable]
/** The token of `stillup probe`; with `_FILE`, a file that holds it. */
export const probeTokenVariable = 'STILLUP_PROBE_TOKEN'

function readVariables(at: Surroundings, given: RawSettings, problems: Problem[]): void {
  const names = new Set([...programVariables, probeTokenVariable, `${probeTokenVariable}_FILE`])
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

function judge(given: RawSettings, problems: Problem[]): ChosenSettings {
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

function dataDir({ data }: ChosenSettings, at: Surroundings, serviceDir: string): string {
  // systemd passes a list if a unit has several directories; ours has one.
  const stateDir = at.env.STATE_DIRECTORY?.split(':')[0] || undefined
  const set = data.dir ?? stateDir
  const here = resolve(at.cwd, set ?? 'data')
  const isService = at.isForCommand && set === undefined && !existsSync(here)
  return isService && existsSync(serviceDir) ? serviceDir : here
}

function complete(
  chosen: ChosenSettings,
  at: Surroundings,
): { settings: Settings; warnings: string[] } {
  const warnings: string[] = []
  const { service = installedService } = at
  const dir = dataDir(chosen, at, service.dir)
  const credential =
    at.env.CREDENTIALS_DIRECTORY && join(at.env.CREDENTIALS_DIRECTORY, 'master-key')
  let masterKeyFile = chosen.data.masterKeyFile && resolve(at.cwd, chosen.data.masterKeyFile)
  if (!masterKeyFile && credential && existsSync(credential)) masterKeyFile = credential
  // For commands beside the service: the file that its credential is made from.
  if (!masterKeyFile && dir === service.dir && existsSync(service.keyFile)) {
    masterKeyFile = service.keyFile
  }
  if (!masterKeyFile) {
    masterKeyFile = join(dir, 'master.key')
    warnings.push(
      'the master key is stored next to the data that it protects; set data.masterKeyFile to separate them',
    )
  }
  const { baseUrl, statusDomain, trustedProxies } = chosen.http
  if (trustedProxies.some((one) => /\/0+$/.test(one))) {
    warnings.push(
      'http.trustedProxies trusts every address, so callers choose the address that limits count; name only the proxies in front of the service',
    )
  }
  if (baseUrl && statusDomain && areRelated(new URL(baseUrl).hostname, statusDomain)) {
    warnings.push(
      'http.statusDomain belongs to the same registered domain as http.baseUrl; use another one, so that nothing at a status page can set cookies for the service',
    )
  }
  const { bucketUrl, bucketIsSealed } = chosen.backup
  if (bucketUrl?.startsWith('http:') && !bucketIsSealed && !isLoopbackUrl(new URL(bucketUrl))) {
    warnings.push(
      'backups go to backup.bucketUrl without any encryption; use https, or set backup.bucketIsSealed',
    )
  }
  const { level, format } = chosen.log
  const resolved = (file: string | null) => file && resolve(at.cwd, file)
  const { http, acme, backup } = chosen
  return {
    settings: {
      ...chosen,
      http: {
        ...http,
        tlsCertFile: resolved(http.tlsCertFile),
        tlsKeyFile: resolved(http.tlsKeyFile),
      },
      acme: { ...acme, caFile: resolved(acme.caFile) },
      checks: { ...chosen.checks, caFile: resolved(chosen.checks.caFile) },
      data: { ...chosen.data, dir, masterKeyFile },
      backup: {
        ...backup,
        dir: resolved(backup.dir) ?? join(dir, 'backups'),
        bucketCaFile: resolved(backup.bucketCaFile),
      },
      pages: { ...chosen.pages, exportDir: resolved(chosen.pages.exportDir) },
      log: { level, format: format ?? (at.isTerminal ? 'pretty' : 'json') },
    },
    warnings,
  }
}
