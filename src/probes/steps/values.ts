// The values that steps put into their templates: variables, captures, secrets, and what is made for each check.
import { randomInt, randomUUID } from 'node:crypto'
import { limits } from '../../domain/limits/limits.ts'
import { readConnectTo } from '../../domain/monitors/connect-to.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { mayBeSentTo } from '../../domain/secrets/org-secret.ts'
import {
  type MadeName,
  type Placeholder,
  placeholdersIn,
  rendered,
} from '../../domain/steps/template.ts'
import { failure, unknownFailure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'

const randomIntMax = 1_000
/** Characters of all values of one step, as they are written. */
const stepCharsMax = 128 * 1024

/** What the values of a step may still take. */
export interface Room {
  charsLeft: number
}

export function roomOfStep(): Room {
  return { charsLeft: stepCharsMax }
}

/** `host`: as the URL or the name servers have it. */
export function leavesPrivate(host: string) {
  return failure('blocked', `what a private address answered may not be sent to ${host}`)
}

type WriteValue = (value: string) => string

const plain: WriteValue = (value) => value

/** A class because it learns what steps capture. */
export class StepValues {
  readonly #target: Pick<EndpointTarget, 'url' | 'connectTo' | 'variables' | 'secrets'>
  readonly #captured = new Map<string, string>()
  /** The host that alone may get a captured value, by the name of the value. */
  readonly #onlyFor = new Map<string, string>()
  readonly #made: Readonly<Record<MadeName, string>>

  /** `nowMs`: the wall clock at the beginning of the check. */
  constructor(
    target: Pick<EndpointTarget, 'url' | 'connectTo' | 'variables' | 'secrets'>,
    nowMs: number,
  ) {
    this.#target = target
    this.#made = {
      uuid: randomUUID(),
      timestamp: String(Math.floor(nowMs / 1_000)),
      isoTimestamp: new Date(nowMs).toISOString(),
      randomInt: String(randomInt(randomIntMax + 1)),
    }
  }

  /** `onlyFor`: the host that alone may get it, as nobody may be shown what is there; undefined: any. */
  capture(name: string, value: string, onlyFor?: string): void {
    this.#captured.set(name, value)
    if (onlyFor === undefined) this.#onlyFor.delete(name)
    else this.#onlyFor.set(name, onlyFor)
  }

  /** Whether one of the templates names a value that one host alone may get. */
  staysPrivate(templates: readonly string[]): boolean {
    return templates.flatMap(placeholdersIn).some(({ kind, name }) => {
      return kind === 'variable' && this.#onlyFor.has(name)
    })
  }

  /** The first name of a template that has no value, because the step that captures it did not; undefined: none. */
  lackingIn(templates: readonly string[]): string | undefined {
    const { variables = {} } = this.#target
    const named = templates.flatMap((text) => placeholdersIn(text))
    return named.find(({ kind, name }) => {
      return kind === 'variable' && !this.#captured.has(name) && !Object.hasOwn(variables, name)
    })?.name
  }

  /**
   * The text with its values. Throws a RunError for a secret that the organization does not have, and when the
   * room is used up.
   */
  in(template: string, room: Room, write: WriteValue = plain): string {
    return rendered(
      template,
      (one) => this.#valueOf(one),
      (value) => {
        const text = write(value)
        room.charsLeft -= text.length
        if (room.charsLeft >= 0) return text
        const message = `the values make the step longer than ${stepCharsMax} characters`
        throw new RunError(failure('blocked', message))
      },
    )
  }

  /** The same for messages: with the mask for variables and secrets. */
  shown(template: string, write: WriteValue = plain): string {
    return rendered(
      template,
      (one) => (this.#isShown(one) ? this.#valueOf(one).slice(0, limits.quotedCharsMax) : null),
      write,
    )
  }

  /** Whether messages may have the text with its values: it has no variable and no secret. */
  mayShow(template: string): boolean {
    return placeholdersIn(template).every((one) => this.#isShown(one))
  }

  #isShown({ kind, name }: Placeholder): boolean {
    return kind === 'made' || (kind === 'variable' && this.#captured.has(name))
  }

  /**
   * Throws a RunError if one of the templates names a secret that may not go to the host, or what an answer
   * repeated of one, or a value that stays where it is from.
   */
  permit(templates: readonly string[], hostname: string): void {
    const hosts = this.#hostsAt(hostname)
    for (const { kind, name } of templates.flatMap(placeholdersIn)) {
      const named = kind === 'secret' ? [name] : this.#secretsIn(kind === 'made' ? '' : name)
      for (const host of hosts) {
        const secret = named.find((one) => !mayBeSentTo(this.#secret(one), host))
        if (secret === undefined) continue
        const message = `the secret ${secret} may not be sent to ${host}`
        throw new RunError(failure('blocked', message))
      }
      const onlyFor = kind === 'variable' ? this.#onlyFor.get(name) : undefined
      if (onlyFor !== undefined && onlyFor !== hostname) {
        throw new RunError(leavesPrivate(hostname))
      }
    }
  }

  /** The host of a request, and the one that it leads to in its place. */
  #hostsAt(hostname: string): readonly string[] {
    const { url, connectTo } = this.#target
    const isOwn = hostname === URL.parse(url)?.hostname
    const place = connectTo && isOwn ? readConnectTo(connectTo) : undefined
    if (place === undefined) return [hostname]
    return [hostname, place.host.includes(':') ? `[${place.host}]` : place.host]
  }

  /** The secrets that a captured value repeats. */
  #secretsIn(name: string): readonly string[] {
    const text = this.#captured.get(name)
    if (text === undefined) return []
    const secrets = Object.entries(this.#target.secrets ?? {})
    return secrets.flatMap(([one, { value }]) => (text.includes(value) ? [one] : []))
  }

  #valueOf({ kind, name }: Placeholder): string {
    if (kind === 'secret') return this.#secret(name).value
    if (kind === 'made') return this.#made[name]
    const { variables = {} } = this.#target
    const known = Object.hasOwn(variables, name) ? variables[name] : undefined
    return this.#captured.get(name) ?? known ?? ''
  }

  #secret(name: string) {
    const { secrets = {} } = this.#target
    const found = Object.hasOwn(secrets, name) ? secrets[name] : undefined
    if (found !== undefined) return found
    // The target is not at fault.
    throw new RunError(
      unknownFailure('blocked', `the organization has no value for the secret ${name}`),
    )
  }
}
