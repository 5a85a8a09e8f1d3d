// The declaration of a kind of check: what decides about its monitors, and the probe that looks.
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import type { CheckKind, FieldGroup } from '../../domain/monitors/monitor-fields.ts'
import type { Judgement, MachineAim } from '../../net/egress-policy.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import type { UrlFault } from './place-url.ts'
import type { TargetAnswer } from './probe-recorder.ts'
import { createProbe, type Probe, type ProbeDeps, type ProbeRun, wrongUrl } from './probe-run.ts'

/** Where a check connects. */
export interface UrlDestination {
  /** Null if the URL does not determine it. */
  readonly host: string | null
  /** Null or absent: none, or one that every target policy allows. */
  readonly port?: number | null
}

export interface KindDeps extends ProbeDeps {
  /** Aborted when the daemon stops, to end queries that outlive a check. */
  readonly signal?: AbortSignal
  /** Whether the list of domain registries may be fetched; else the shipped one is used. */
  readonly refreshesRegistries?: boolean
}

/** What a kind makes once for all its checks. */
interface OpenedProbe<Url> {
  /** Looks once: returns the target's answer, to be judged, or throws a RunError. */
  readonly look: (url: Url, target: EndpointTarget, run: ProbeRun) => Promise<TargetAnswer>
  /** Why such a target cannot be checked at the moment, as a sentence without its subject. */
  readonly problem?: (url: Url) => string | null
}

/** What is declared by every kind. */
interface DescribedKind extends CheckKind {
  /** The schemes of its URLs; the first is written for an address that has another one. */
  readonly schemes: readonly string[]
  /** A URL for people who type one. */
  readonly example: string
  /** The forms of `url` in the API reference. */
  readonly urlForm: string
  /** Its findings are shown with each result, good or not; `json` if they are JSON. */
  readonly finds?: 'json' | 'text'
  readonly typed?: TypedAddress
  /** One thread makes all its checks: the servers they share count what an address asks. */
  readonly isInOneThread?: true
}

/** How an address that a person types becomes a monitor of the kind; the console does it. */
interface TypedAddress {
  /** What its URL keeps of an address with another scheme. Default: `all`. */
  readonly keeps?: 'all' | 'port' | 'host'
  /** The schemes that mean the kind when they are typed. Default: all of its own. */
  readonly schemes?: readonly string[]
  /** The ports that mean it when no scheme is typed; with `keeps: 'host'`, it keeps them too. */
  readonly ports?: readonly number[]
  /** A name that is made from it is the last part of its path. Default: the host. */
  readonly isNamedByPath?: true
  /** The schemes of servers that it checks by their port, each with the usual one. */
  readonly servers?: Readonly<Record<string, number>>
}

interface KindDeclaration<Url, Deps> extends Omit<DescribedKind, 'fields'> {
  /** The groups of fields that it has besides those of all checks. */
  readonly fields: readonly Exclude<FieldGroup, 'check' | 'report' | 'told' | 'members'>[]
  /** Ports that are standard for its protocol: every target policy allows them. */
  readonly usualPorts?: ReadonlySet<number>
  /** Reads the URL of a monitor. */
  parse(text: string): Url | UrlFault
  /** Absent: it connects nowhere that its URL determines. */
  destination?(url: Url): UrlDestination
  /** What it looks at of the machine on which it runs, which the operator must have listed. */
  machine?(url: Url): MachineAim
  open(deps: Deps): OpenedProbe<Url>
}

/** A kind that looks at a target. */
export interface ProbedKind<Deps = KindDeps> extends DescribedKind {
  readonly open: (deps: Deps) => OpenedKind
}

export interface OpenedKind {
  readonly probe: Probe
  readonly destination: (url: string) => UrlDestination | UrlFault
  /** The port that its URL names or means, whether it is usual or not. */
  readonly portOf: (url: string) => number | undefined
  /** Whether monitors of the organization may look at what the URL names of this machine. */
  readonly judge: (url: string, orgId: string | undefined) => Judgement
}

/** Declares a kind, type-checked against what its URL is read as. */
export function defineKind<Url extends object, Deps extends KindDeps = KindDeps>(
  declared: KindDeclaration<Url, Deps>,
): ProbedKind<Deps> {
  const { fields, usualPorts, parse, destination, machine, open, ...facts } = declared
  return {
    ...facts,
    fields: ['check', ...fields],
    open(deps) {
      const { look, problem } = open(deps)
      const judge = (url: Url, orgId: string | undefined): Judgement =>
        machine ? deps.guard.judgeMachine(machine(url), orgId) : { allowed: true }
      return {
        probe: createProbe(
          deps,
          async (target, run) => {
            const url = parse(target.url)
            if (isFault(url)) throw wrongUrl(url.problem)
            const judgement = judge(url, target.orgId)
            if (!judgement.allowed) {
              // Others may have changed who is allowed what: that says nothing about the target.
              const refused = deps.guard.refusal('the URL leads to', judgement)
              throw new RunError({ ...refused, result: 'unknown' })
            }
            const { host = null, port = null } = destination?.(url) ?? {}
            if (host !== null && port !== null) run.own = { host, port }
            return look(url, target, run)
          },
          facts,
        ),
        destination(text) {
          const url = parse(text)
          if (isFault(url)) return url
          const wrong = problem?.(url) ?? null
          if (wrong !== null) return { problem: wrong }
          const { host, port = null } = destination?.(url) ?? { host: null }
          return { host, port: port !== null && usualPorts?.has(port) ? null : port }
        },
        portOf(text) {
          const url = parse(text)
          return isFault(url) ? undefined : (destination?.(url).port ?? undefined)
        },
        judge(text, orgId) {
          const url = parse(text)
          return isFault(url) ? { allowed: true } : judge(url, orgId)
        },
      }
    },
  }
}

function isFault(url: object): url is UrlFault {
  return 'problem' in url && url.problem !== undefined
}
