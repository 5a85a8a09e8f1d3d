// What the daemon answers to the commands of this machine, over its control socket.
import { resolve } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { invalidField, refuseInvalid } from '../../base/fault.ts'
import { newId } from '../../base/ids.ts'
import { isRecord } from '../../base/schema/pick.ts'
import type { ConsoleValues } from '../../config/load.ts'
import type { Principal } from '../../domain/access.ts'
import type { ForeignHistory } from '../../domain/imports/foreign.ts'
import { shadowLineKinds } from '../../domain/imports/shadow-report.ts'
import { defaultLocale } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { historyFormats, historyTables } from '../../domain/orgs/history-tables.ts'
import { documents } from '../../http/api/api.ts'
import { pastProblems } from '../../http/api/orgs/imports.ts'
import type { Services } from '../../services/assembly/services.ts'
import type { LocalCaller } from '../../services/identity.ts'
import { foreignFormats } from '../../services/orgs/exports/foreign-exports.ts'
import { fetchedProducts, foreignFetchCommandMsMax } from '../../services/orgs/foreign-fetch.ts'
import type { PageExports } from '../../services/pages/export/page-exports.ts'
import { type ControlHandler, ControlParts } from '../../store/control.ts'
import type { DaemonStatus } from '../../store/lock.ts'
import { peopleAnswers } from './control-people.ts'

export interface ControlAnswersDeps {
  readonly clock: Clock
  readonly version: string
  readonly services: Services
  readonly pageExports: PageExports
  readonly isReady: () => boolean
  /** What administrators set in the console, with its secrets. */
  readonly consoleSettings: () => ConsoleValues
}

type ControlAnswers = Readonly<Record<string, ControlHandler>>

const local = { kind: 'command_line' } as const satisfies Principal

/** The answers by verb. Each is plain JSON; an error becomes its text. */
export function controlAnswers(deps: ControlAnswersDeps): ControlAnswers {
  const { clock, version, services, pageExports, isReady, consoleSettings } = deps

  /** Who asks: the audit log names the command line. */
  const caller = () => ({
    principal: local,
    requestId: newId('request', clock.nowMs()),
    address: '',
    userAgent: 'the command line',
    language: defaultLocale.language,
  })

  return {
    status: (): DaemonStatus => ({ pid: process.pid, version, ready: isReady() }),
    'self-report': services.selfReport,
    // Only who may read the master key can ask: the socket is for the user of the daemon, and root.
    'console-settings': () => ({ values: consoleSettings() }),
    'reset-password': ({ email }) => services.ownPassword.issue(caller(), String(email)),
    ...peopleAnswers(services, caller, clock),
    ...orgAnswers(services, caller),
    // Its whole time: nobody else waits for this line.
    async backup() {
      const { operatorBackups } = services
      const made = await operatorBackups.make(caller(), limits.backupMsMax)
      return { ...made, failure: operatorBackups.failure() }
    },
    'export-page': ({ slug, dir, isForced }) =>
      pageExports.exportPage(String(slug), resolve(String(dir)), isForced === true),
  }
}

/** Export and import of organizations, as the API does it. */
function orgAnswers(
  {
    identity,
    imports,
    operator,
    portability,
    foreignExports,
    foreignFetch,
    shadowRuns,
    wholeHistories,
    subscriberImports,
  }: Services,
  caller: () => LocalCaller,
): ControlAnswers {
  return {
    orgs({ after }) {
      const request = { limit: limits.pageItemsMax, q: undefined }
      const page = operator.orgs(
        after === undefined ? request : { ...request, after: String(after) },
      )
      return { ...page, items: page.items.map(({ org: { id, name } }) => ({ id, name })) }
    },
    async 'export-org'({ org }) {
      const scope = identity.operatorScope(caller(), String(org))
      return documents.shown(await portability.export(scope))
    },
    'export-as'({ org, format }) {
      const scope = identity.operatorScope(caller(), String(org))
      const known = foreignFormats.find((one) => one === format)
      if (known === undefined) throw invalidField('/format', 'enum', 'is no format of an export')
      return foreignExports.export(scope, known)
    },
    history({ org, table, format, fromMs, toMs }) {
      const scope = identity.operatorScope(caller(), String(org))
      const known = historyTables.find((one) => one === table)
      const form = historyFormats.find((one) => one === format)
      if (known === undefined) throw invalidField('/table', 'enum', 'is no table of the history')
      if (form === undefined) throw invalidField('/format', 'enum', 'is no format of the history')
      const from = fromMs === undefined ? undefined : Number(fromMs)
      const to = toMs === undefined ? undefined : Number(toMs)
      const asked = { table: known, format: form, fromMs: from, toMs: to }
      return new ControlParts(wholeHistories.open(scope, asked))
    },
    /** The text is converted by the command line. */
    async 'fetch-foreign'({ product, url, key, pingKey }) {
      const known = fetchedProducts.find((one) => one === product)
      if (known === undefined) throw invalidField('/product', 'enum', 'has no API that is read')
      const more = pingKey === undefined ? {} : { pingKey: String(pingKey) }
      const site = { product: known, url: String(url), key: String(key), ...more }
      return { text: await foreignFetch(site, { msMax: foreignFetchCommandMsMax }) }
    },
    'import-subscribers'({ org, table, isTrial }) {
      const scope = identity.operatorScope(caller(), String(org))
      const { csv, consent, statusPageId } = isRecord(table) ? table : {}
      const textOf = (value: unknown) => (value === undefined ? undefined : String(value))
      const given = {
        csv: String(csv),
        consent: textOf(consent),
        statusPageId: textOf(statusPageId),
      }
      return isTrial === true
        ? subscriberImports.tryTable(scope, given)
        : subscriberImports.importTable(scope, given)
    },
    imports({ org }) {
      const scope = identity.operatorScope(caller(), String(org))
      return imports.list(scope, { limit: limits.pageItemsMax })
    },
    'undo-import'({ org, importId, isTrial }) {
      const scope = identity.operatorScope(caller(), String(org))
      const id = String(importId)
      return isTrial === true ? imports.tryUndo(scope, id) : imports.undo(scope, id)
    },
    'shadow-runs'({ org }) {
      return { items: shadowRuns.list(identity.operatorScope(caller(), String(org))) }
    },
    shadow({ org, importId, kind }) {
      const scope = identity.operatorScope(caller(), String(org))
      const known = shadowLineKinds.find((one) => one === kind)
      return shadowRuns.report(scope, String(importId), { kind: known, limit: limits.pageItemsMax })
    },
    'replace-shadow-address'({ org, importId }) {
      const scope = identity.operatorScope(caller(), String(org))
      return shadowRuns.replaceAddress(scope, String(importId))
    },
    'go-live'({ org, importId }) {
      const scope = identity.operatorScope(caller(), String(org))
      return shadowRuns.goLive(scope, String(importId))
    },
    'import-past'({ org, importId, history }) {
      const scope = identity.operatorScope(caller(), String(org))
      const problems = pastProblems({ history })
      refuseInvalid(problems)
      // The check has found nothing else.
      return imports.takePast(scope, String(importId), history as readonly ForeignHistory[])
    },
    'import-org'({ org, document, isTrial, isShadow, remakes, leavesOut }) {
      const scope = identity.operatorScope(caller(), String(org))
      if (!isRecord(document)) throw invalidField('', 'type', 'must be an object')
      const [read, shape] = documents.read(document)
      const asked = { remakes: remakes === true, leavesOut: leavesOut === true }
      const options = { shape, isShadow: isShadow === true, ...asked }
      return isTrial === true
        ? portability.tryImport(scope, read, options)
        : portability.import(scope, read, options)
    },
  }
}
