// The settings of the service in the console: where each comes from, changing it, and trying it.
import { randomBytes } from 'node:crypto'
import {
  Fault,
  type FieldProblem,
  invalidField,
  rateLimited,
  refuseInvalid,
} from '../../base/fault.ts'
import { newId } from '../../base/ids.ts'
import type { Limiter } from '../../base/limiter.ts'
import type { Live } from '../../config/live.ts'
import { type ConsoleValues, consoleSource, type Problem } from '../../config/load.ts'
import { type OfferedSetting, offeredSettings, type Settings } from '../../config/settings.ts'
import { credentialId } from '../../domain/access.ts'
import { secretMask } from '../../domain/secret-mask.ts'
import { domainOf, mailboxOf } from '../../mail/address.ts'
import { testLetter } from '../../mail/letters/test-letter.ts'
import type { MailTrial } from '../../mail/single-letter.ts'
import type { BucketTrial } from '../backups/bucket-trial.ts'
import type { Caller } from '../context.ts'
import type { Core } from '../core.ts'
import { mustBeAt } from '../revision.ts'
import type { AddressTrials } from './address-trials.ts'
import type { SettingsLayers } from './settings-layers.ts'

/** Where the value of a setting comes from, the strongest first. */
export const settingSources = ['environment', 'file', 'console', 'default'] as const

/** Characters of all values of the console together, as JSON. */
const consoleValuesCharsMax = 64 * 1024

/** By section and name; null takes the value of the console away. */
export type SettingChanges = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

export interface MailToTry {
  readonly smtpUrl?: string | undefined
  readonly from?: string | undefined
}

export interface AddressesToTry {
  readonly baseUrl?: string | undefined
  readonly statusDomain?: string | undefined
}

/** The settings of the bucket that can be tried. */
export const bucketSettings = [
  'bucketUrl',
  'bucketName',
  'bucketRegion',
  'bucketAccessKey',
  'bucketSecretKey',
  'bucketPrefix',
  'bucketAddressing',
  'bucketServerEncryption',
] as const

/** Null: as if it were not set. */
export type BucketToTry = Readonly<Partial<Record<(typeof bucketSettings)[number], unknown>>>

export interface SystemSettingsDeps {
  readonly layers: SettingsLayers
  readonly live: Pick<Live, 'waiting'>
  readonly tryMail: MailTrial
  readonly tryAddress: AddressTrials['try']
  readonly tryBucket: BucketTrial
  /** Counts what one administrator tries. */
  readonly trials: Limiter
}

/** Every method is for the system administrator, which the route enforces. */
export function createSystemSettings(core: Core, deps: SystemSettingsDeps) {
  const { store, clock, audit } = core
  const { layers, live } = deps

  function shown(setting: OfferedSetting, settings: Settings, stored: ConsoleValues) {
    const { section, name, path, setting: declared } = setting
    const { kind, fallback, fallbackDoc, doc, example, isSecret = false, isLive = false } = declared
    const setIn = layers.given().sourceOf(path) ?? null
    const isStored = Object.hasOwn(stored, path)
    const value = settledValue(settings, path)
    return {
      path,
      section,
      name,
      doc,
      allowed: kind.allowed,
      form: formOf(setting),
      value: masked(setting, value),
      default: fallback,
      defaultDoc: fallbackDoc ?? null,
      example: example ?? null,
      source: setIn === null ? (isStored ? 'console' : 'default') : sourceKind(setIn),
      setIn,
      isStored,
      isSecret,
      isLive,
    } as const
  }

  function get() {
    const stored = layers.values()
    const settings = layers.settings()
    const sections = new Map<string, ReturnType<typeof shown>[]>()
    for (const setting of offeredSettings) {
      const { section } = setting
      sections.set(section, [...(sections.get(section) ?? []), shown(setting, settings, stored)])
    }
    return {
      sections: [...sections].map(([name, settings]) => ({ name, settings })),
      waiting: live.waiting(),
      revision: layers.revision(),
    }
  }

  /** The values of the console after the changes. Throws validation_failed, naming every wrong field. */
  function changed(stored: ConsoleValues, changes: SettingChanges): ConsoleValues {
    const refused: FieldProblem[] = []
    const next: Record<string, unknown> = { ...stored }
    for (const { path, raw } of flat(changes)) {
      const setting = offeredSettings.find((one) => one.path === path)
      const setIn = layers.given().sourceOf(path)
      if (!setting)
        refused.push(problemAt(path, 'additionalProperties', 'is no setting of the console'))
      else if (setIn !== undefined && !(raw === null && Object.hasOwn(stored, path))) {
        refused.push(problemAt(path, 'readOnly', `is set in ${setIn}: edit it there`))
      } else if (raw === null) delete next[path]
      else {
        const whole = unmasked(setting, raw, stored[path])
        if (whole === undefined) refused.push(problemAt(path, 'secret', retypeSecret))
        else next[path] = whole
      }
    }
    refuseInvalid(refused)
    if (JSON.stringify(next).length > consoleValuesCharsMax) {
      const rule = `must leave at most ${consoleValuesCharsMax} characters of values in all`
      throw invalidField('', 'maxLength', rule)
    }
    refuseInvalid(newProblems(stored, next))
    return next
  }

  /** What was wrong before the change stays for a change of its own. */
  function newProblems(stored: ConsoleValues, next: ConsoleValues): FieldProblem[] {
    const lineOf = ({ path, allowed, found }: Problem) => `${path} ${allowed} ${found}`
    const known = new Set(layers.given().withConsole(stored).problems.map(lineOf))
    const found = layers.given().withConsole(next).problems
    return found
      .filter((problem) => !known.has(lineOf(problem)))
      .map(({ path, allowed }) => problemAt(path, 'format', `must be ${allowed}`))
  }

  return {
    get,

    /** A merge patch. Throws validation_failed, precondition_failed. */
    change(caller: Caller, changes: SettingChanges, expectedRevision?: number) {
      return store
        .write((tx) => {
          mustBeAt(expectedRevision, { revision: layers.revision() }, 'The settings')
          const stored = layers.values()
          const next = changed(stored, changes)
          const fields = offeredSettings
            .map(({ path }) => path)
            .filter((path) => JSON.stringify(stored[path]) !== JSON.stringify(next[path]))
          if (fields.length === 0) return
          layers.put(tx, next, clock.nowMs())
          audit.noteIn(tx, 'system', caller, { action: 'settings.changed', objectId: null, fields })
        })
        .then(get)
    },

    /**
     * Tries whether addresses that are not stored yet lead here. What is left out has its present value.
     * Throws validation_failed, rate_limited.
     */
    async checkAddresses(caller: Caller, given: AddressesToTry, signal: AbortSignal) {
      const { http } = layers.settings()
      const valueFor = (name: keyof AddressesToTry) =>
        given[name] === undefined ? http[name] : judged(`http.${name}`, given[name], undefined)
      const baseUrl = valueFor('baseUrl') ?? core.baseUrl
      const statusDomain = valueFor('statusDomain')
      mustBeRare(caller)
      await noteTrial(caller, ['http.baseUrl', 'http.statusDomain'])
      const [base, pages] = await Promise.all([
        deps.tryAddress(baseUrl, signal),
        statusDomain === null
          ? null
          : deps.tryAddress(originBelow(statusDomain, new URL(baseUrl)), signal),
      ])
      return { baseUrl: base, statusDomain: pages }
    },

    /**
     * Writes, reads and deletes a small object in a bucket that is not stored yet. What is left out has
     * its present value. Throws validation_failed, rate_limited.
     */
    async tryBucket(caller: Caller, given: BucketToTry, signal: AbortSignal) {
      const { backup, dns } = layers.settings()
      const tried = withBucket(backup, given)
      for (const name of [
        'bucketUrl',
        'bucketName',
        'bucketAccessKey',
        'bucketSecretKey',
      ] as const) {
        if (tried[name] === null) throw invalidField(`/${name}`, 'required', 'must be set')
      }
      mustBeRare(caller)
      await noteTrial(
        caller,
        bucketSettings.map((name) => `backup.${name}`),
      )
      const startedMs = clock.monoMs()
      const steps = await deps.tryBucket({ backup: tried, dns }, signal)
      return {
        isUsable: steps.every(({ error }) => error === null),
        steps,
        durationMs: Math.round(clock.monoMs() - startedMs),
      }
    },

    /**
     * Sends a letter to the administrator through a mail server that is not stored yet. What is left out
     * has its present value. Throws validation_failed, conflict, rate_limited.
     */
    async sendTestLetter(caller: Caller, given: MailToTry, signal: AbortSignal) {
      const { smtpUrl, from } = mailToTry(given)
      const { principal } = caller
      const user = principal.kind === 'session' ? store.users.get(principal.userId) : undefined
      if (!user) {
        const detail = 'A test letter goes to the address of an administrator: sign in as one.'
        throw new Fault('conflict', detail)
      }
      mustBeRare(caller)
      await noteTrial(caller, ['mail.smtpUrl', 'mail.from'])
      const nowMs = clock.nowMs()
      const startedMs = clock.monoMs()
      const sender = mailboxOf(from)
      const { outcome, reply } = await deps.tryMail(
        smtpUrl,
        {
          to: user.email,
          from: sender,
          messageId: `<${newId('letter', nowMs)}@${domainOf(sender.address)}>`,
          writtenAtMs: nowMs,
          letter: testLetter({
            service: core.baseUrl,
            server: new URL(smtpUrl).host,
            language: caller.language,
          }),
        },
        signal,
      )
      return {
        isDelivered: outcome.ok,
        to: user.email,
        reply,
        error: outcome.ok ? null : outcome.reason,
        durationMs: Math.round(clock.monoMs() - startedMs),
      }
    },
  }

  function mustBeRare(caller: Caller): void {
    const subject = credentialId(caller.principal) ?? 'command line'
    const verdict = deps.trials.take(subject, clock.nowMs())
    if (verdict.isAllowed) return
    throw rateLimited(verdict.retryMs, (seconds) => `Try again in ${seconds} seconds.`)
  }

  function noteTrial(caller: Caller, fields: readonly string[]): Promise<void> {
    return store.write((tx) =>
      audit.noteIn(tx, 'system', caller, { action: 'settings.tried', objectId: null, fields }),
    )
  }

  function withBucket(backup: Settings['backup'], given: BucketToTry): Settings['backup'] {
    const values: Record<string, unknown> = { ...backup }
    for (const name of bucketSettings) {
      const raw = given[name]
      if (raw === undefined) continue
      const path = `backup.${name}`
      const usual = offeredSettings.find((one) => one.path === path)?.setting.fallback ?? null
      values[name] = raw === null ? usual : judgedValue(path, raw, backup[name] ?? undefined)
    }
    return asBackup(values)
  }

  /** A text that was given to be tried, judged as one that is stored. */
  function judged(path: string, raw: unknown, before: unknown): string {
    return String(judgedValue(path, raw, before))
  }

  function judgedValue(path: string, raw: unknown, before: unknown): unknown {
    const [, name = ''] = path.split('.')
    const setting = offeredSettings.find((one) => one.path === path)
    const whole = setting && unmasked(setting, raw, before)
    if (whole === undefined) throw invalidField(`/${name}`, 'secret', retypeSecret)
    const value = setting?.setting.kind.parse(whole)
    if (value !== undefined) return value
    throw invalidField(`/${name}`, 'format', `must be ${setting?.setting.kind.allowed}`)
  }

  function mailToTry(given: MailToTry): { readonly smtpUrl: string; readonly from: string } {
    const { mail } = layers.settings()
    const parsed = { smtpUrl: mail.smtpUrl, from: mail.from }
    for (const name of ['smtpUrl', 'from'] as const) {
      const raw = given[name]
      if (raw !== undefined) parsed[name] = judged(`mail.${name}`, raw, mail[name] ?? undefined)
    }
    const { smtpUrl, from } = parsed
    if (smtpUrl === null)
      throw invalidField('/smtpUrl', 'required', 'must be set: there is none yet')
    if (from === null) throw invalidField('/from', 'required', 'must be set: there is none yet')
    return { smtpUrl, from }
  }
}

// The values were parsed by the kinds of the table that the type is made from.
function asBackup(values: object): Settings['backup'] {
  return values as Settings['backup']
}

const retypeSecret =
  'must be written in full: the mask stands for the stored value only while nothing else of it changes'

/** Any host below the domain: pages have hosts there that nobody knows yet. */
function originBelow(statusDomain: string, { protocol, port }: URL): string {
  const label = `check-${randomBytes(4).toString('hex')}`
  return `${protocol}//${label}.${statusDomain}${port === '' ? '' : `:${port}`}`
}

function flat(changes: SettingChanges) {
  return Object.entries(changes).flatMap(([section, names]) =>
    Object.entries(names ?? {}).map(([name, raw]) => ({ path: `${section}.${name}`, raw })),
  )
}

function problemAt(path: string, keyword: string, message: string): FieldProblem {
  return { pointer: `/${path.replaceAll('.', '/')}`, keyword, message }
}

function sourceKind(setIn: string): (typeof settingSources)[number] {
  if (setIn === consoleSource) return 'console'
  return setIn.startsWith('STILLUP_') ? 'environment' : 'file'
}

// The path comes from the table that the type of the settings is made from.
function settledValue(settings: Settings, path: string): unknown {
  const [section = '', name = ''] = path.split('.')
  const names: unknown = Reflect.get(settings, section)
  return typeof names === 'object' && names !== null ? Reflect.get(names, name) : undefined
}

function masked({ setting: { kind, isSecret } }: OfferedSetting, value: unknown): unknown {
  if (!isSecret || value === null || value === undefined) return value ?? null
  return kind.masked ? kind.masked(value) : secretMask
}

/** The value with its secret where it came back as it was shown; undefined if the secret is missing. */
function unmasked(setting: OfferedSetting, raw: unknown, before: unknown): unknown {
  const { kind, isSecret } = setting.setting
  if (!isSecret) return raw
  const parsed = before === undefined ? undefined : kind.parse(before)
  if (parsed !== undefined && kind.unmasked) return kind.unmasked(raw, parsed)
  if (parsed !== undefined && JSON.stringify(raw) === JSON.stringify(masked(setting, parsed))) {
    return before
  }
  return JSON.stringify(raw).includes(secretMask) ? undefined : raw
}

function formOf({ setting: { kind } }: OfferedSetting) {
  const { form } = kind
  return {
    type: form.type,
    choices: form.type === 'choice' ? form.choices : [],
    minimum: form.type === 'number' ? form.min : null,
    maximum: form.type === 'number' ? form.max : null,
  }
}
