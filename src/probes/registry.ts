// The kinds of checks. To add one, add its file, its import, and a line here.
import { Fault } from '../base/fault.ts'
import type { CheckKind } from '../domain/monitors/monitor-fields.ts'
import { amqp } from './brokers/amqp.ts'
import { kafka } from './brokers/kafka.ts'
import { mqtt } from './brokers/mqtt.ts'
import { browser } from './browser/browser.ts'
import { mongodb } from './databases/mongodb.ts'
import { mysql } from './databases/mysql.ts'
import { postgres } from './databases/postgres.ts'
import { redis } from './databases/redis.ts'
import { sqlserver } from './databases/sqlserver.ts'
import { dns } from './dns/dns.ts'
import { domain } from './domain/domain.ts'
import { ftp } from './files/ftp.ts'
import { game } from './games/game.ts'
import { group } from './group.ts'
import { endpoint, health, keyword } from './http/http.ts'
import { command } from './machine/command.ts'
import { container } from './machine/container.ts'
import { file } from './machine/file.ts'
import { host } from './machine/host.ts'
import { systemd } from './machine/systemd.ts'
import { imap } from './mail/imap.ts'
import { pop3 } from './mail/pop3.ts'
import { manual } from './manual.ts'
import { ldap } from './network/ldap.ts'
import { ntp } from './network/ntp.ts'
import { radius } from './network/radius.ts'
import { snmp } from './network/snmp.ts'
import { ssh } from './network/ssh.ts'
import { udp } from './network/udp.ts'
import { ping } from './ping/ping.ts'
import { push } from './push.ts'
import { grpc } from './rpc/grpc.ts'
import { createExaminationTurns } from './run/examination-turns.ts'
import type { KindDeps, ProbedKind } from './run/kind.ts'
import type { Probe } from './run/probe-run.ts'
import { smtp } from './smtp/smtp.ts'
import { statusPage } from './status-page/status-page.ts'
import { steps } from './steps/steps.ts'
import { createTargetRules, type TargetRules } from './targets.ts'
import { tcp } from './tcp.ts'
import { ssl } from './tls/ssl.ts'
import { websocket } from './websocket/websocket.ts'

/** The kinds are in the order of the API reference. */
export const checkKinds: readonly (ProbedKind | CheckKind)[] = [
  endpoint,
  health,
  keyword,
  ssl,
  ping,
  push,
  tcp,
  dns,
  websocket,
  smtp,
  domain,
  steps,
  statusPage,
  manual,
  group,
  postgres,
  redis,
  mqtt,
  ssh,
  udp,
  ntp,
  grpc,
  amqp,
  container,
  systemd,
  host,
  command,
  file,
  mysql,
  sqlserver,
  imap,
  pop3,
  ftp,
  kafka,
  snmp,
  ldap,
  radius,
  mongodb,
  browser,
  game,
]

export const checkTypes = checkKinds.map(({ type }) => type)

/** The kinds that look at a target. */
export const probedKinds = checkKinds.filter((kind) => 'open' in kind)

/** The types of such kinds, in a sentence. */
export function kindsInWords(isMeant: (kind: CheckKind & Partial<ProbedKind>) => boolean): string {
  const types = checkKinds.filter(isMeant).map(({ type }) => type)
  return types.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

const byType = new Map(checkKinds.map((kind) => [kind.type, kind]))

/** Throws conflict for a type that this version does not know. */
export function kindOf({ checkType }: { readonly checkType: string }): CheckKind {
  const kind = byType.get(checkType)
  if (!kind) throw new Fault('conflict', `There is no checkType ${checkType}.`)
  return kind
}

const finding = probedKinds.filter(({ finds }) => finds !== undefined)
const typesThatFind = new Set(finding.map(({ type }) => type))

/** Whether the results of such checks show what was found besides redirects. */
export function findsText(checkType: string): boolean {
  return typesThatFind.has(checkType)
}

/** Whether one thread makes all such checks. */
export function isInOneThread(checkType: string): boolean {
  return probedKinds.some((kind) => kind.type === checkType && kind.isInOneThread === true)
}

export interface Probes extends TargetRules {
  /** Checks a target with the probe of its kind. */
  readonly probe: Probe
}

/** Opens all kinds with what they share: the policy, the resolver, the clock, authorities. */
export function createProbes(options: Omit<KindDeps, 'turns'>): Probes {
  const deps = { ...options, turns: createExaminationTurns(options.clock) }
  const opened = new Map(probedKinds.map((kind) => [kind.type, kind.open(deps)]))
  return {
    ...createTargetRules(deps.guard, opened),
    probe(target, context) {
      const found = opened.get(target.checkType)
      if (found) return found.probe(target, context)
      return Promise.reject(new Error(`there is nothing to look at for ${target.checkType}`))
    },
  }
}
