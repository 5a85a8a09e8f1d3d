// The values that steps put into their templates: variables, captures, secrets, and what is made for each check.
import { randomInt, randomUUID } from 'node:crypto'
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

/** A class because it learns what steps capture. */
export class StepValues {
  readonly #target: Pick<EndpointTarget, 'variables' | 'secrets'>
  readonly #captured = new Map<string, string>()
  readonly #made: Readonly<Record<MadeName, string>>

  /** `nowMs`: the wall clock at the beginning of the check. */
  constructor(target: Pick<EndpointTarget, 'variables' | 'secrets'>, nowMs: number) {
    this.#target = target
    this.#made = {
      uuid: randomUUID(),
      timestamp: String(Math.floor(nowMs / 1_000)),
      isoTimestamp: new Date(nowMs).toISOString(),
      randomInt: String(randomInt(randomIntMax + 1)),
    }
  }

  capture(name: string, value: string): void {
    this.#captured.set(name, value)
  }

  /** The first name of a template that has no value, because the step that captures it did not; undefined: none. */
  lackingIn(templates: readonly string[]): string | undefined {
    const { variables = {} } = this.#target
    const named = templates.flatMap((text) => placeholdersIn(text))
    return named.find(({ kind, name }) => {
      return kind === 'variable' && !this.#captured.has(name) && !Object.hasOwn(variables, name)
    })?.name
  }

  /** The text with its values. Throws a RunError for a secret that the organization does not have. */
  in(template: string, write?: (value: string) => string): string {
    return rendered(template, (one) => this.#valueOf(one), write)
  }

  /** Throws a RunError if one of the templates names a secret that may not go to the host. */
  permit(templates: readonly string[], hostname: string): void {
    for (const { kind, name } of templates.flatMap((text) => placeholdersIn(text))) {
      if (kind !== 'secret') continue
      if (mayBeSentTo(this.#secret(name), hostname)) continue
      throw new RunError(failure('blocked', `the secret ${name} may not be sent to ${hostname}`))
    }
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
    throw new RunError(unknownFailure('blocked', `the organization has no secret ${name}`))
  }
}
