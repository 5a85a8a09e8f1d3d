// stillup shadow: how monitors of an import compare with the product that they come from, and the end of their silence.
import { exitCodes } from '../../base/exit.ts'
import { secondText } from '../../base/time-text.ts'
import {
  beganMs,
  firstOf,
  type ShadowLikely,
  type ShadowLine,
  type ShadowLineKind,
  shadowLineKinds,
} from '../../domain/imports/shadow-report.ts'
import type { ShadowReport } from '../../services/orgs/imports/shadow-runs.ts'
import { defineCommand } from '../model/command.ts'
import { CommandFailure } from '../model/failure.ts'
import { columnLines, counted, shown } from '../people/columns.ts'
import { daemonOf } from './daemon.ts'

const kindWords: Readonly<Record<ShadowLineKind, string>> = {
  both: 'both told',
  onlyTheirs: 'only the other product told',
  onlyOurs: 'only stillup would have told',
  notCompared: 'not compared',
}

const likelyWords: Readonly<Record<ShadowLikely, string>> = {
  threshold: 'our checks failed, but not as often in a row as the monitor asks for',
  between_checks: 'it was over before our next check',
  seen_good: 'our checks were good',
  paused: 'ours was paused',
  no_report: 'no report came here yet: its senders report to the old system',
  maintenance: 'ours was under maintenance',
  own_network: 'our own network failed',
  not_running: 'stillup did not run',
  not_heard: 'nobody told us what the other product said then',
  held: 'a monitor above was down, so its alert was held',
  slow: 'it was slow, of which the other product may not tell',
  timeout: 'ours waits less long for an answer',
  condition: 'ours asks more of the answer',
  certificate: 'ours examines the certificate',
  short: 'it was short: the other product may have tried again',
}

export const command = defineCommand({
  about:
    'Monitors of an import with --shadow are checked as always, and nobody hears of them. This shows which alerts the ' +
    'other product sent and which stillup would have sent. --go-live ends the silence: what is down then is told at ' +
    'once. It is GET /orgs/{id}/imports/{id}/shadow, POST …/shadow/address and POST …/go-live. The daemon must be running.',
  args: {
    org: { about: 'the organization, by its id or its name' },
    import: {
      about: 'the import, by its id; without it, those whose monitors are silent',
      isOptional: true,
    },
  },
  options: {
    kind: { about: 'only lines of this kind', value: 'KIND', choices: shadowLineKinds },
    newAddress: { about: 'replace the address at which the other product tells its alerts' },
    goLive: { about: 'let all its monitors tell from now on' },
  },
  examples: [
    ['stillup shadow "Acme"', 'which imports are silent'],
    ['stillup shadow "Acme" imp_01arz3ndektsv4rrffq69g5fav', 'how one compares'],
    ['stillup shadow "Acme" imp_01arz3ndektsv4rrffq69g5fav --go-live', 'end its silence'],
  ],
  async run({ host, configPath, args: { org, import: importId }, options, show }) {
    const { kind, goLive, newAddress } = options
    const ask = daemonOf(host, { configPath })
    if (importId === undefined) {
      const needy = (goLive && '--go-live') || (newAddress && '--new-address')
      if (needy) throw new CommandFailure(exitCodes.usage, `${needy} needs the import`)
      // The daemon answers in these forms.
      const { items } = (await ask({ verb: 'shadow-runs', org })) as unknown as {
        readonly items: readonly { readonly importId: string; readonly monitors: number }[]
      }
      const rows = items.map((one) => ({ ...one }))
      const lines = columnLines(rows, {
        IMPORT: (one) => one.importId,
        'SILENT MONITORS': (one) => one.monitors,
      })
      show({ items }, ...(items.length === 0 ? ['No monitor is silent.'] : lines))
      return exitCodes.ok
    }
    if (newAddress) {
      const done = await ask({ verb: 'replace-shadow-address', org, importId })
      show(done, `The other product can tell its alerts at ${shown(done.reportUrl)}`)
      return exitCodes.ok
    }
    if (goLive) {
      const done = await ask({ verb: 'go-live', org, importId })
      const told = Number(done.toldNow) > 0 ? `; ${counted(done.toldNow, 'outage')} told now` : ''
      show(done, `${counted(done.live, 'monitor')} live${told}.`)
      return exitCodes.ok
    }
    const report = (await ask({ verb: 'shadow', org, importId, kind })) as unknown as ShadowReport
    show(report, ...reportLines(report))
    return exitCodes.ok
  },
})

function reportLines(report: ShadowReport): string[] {
  const { sinceMs, monitors, live, counts, lines, more, reportUrl, toldAtMs } = report
  return [
    `Since ${secondText(sinceMs)}: ${counted(monitors, 'silent monitor')}, ${live} live.`,
    ...shadowLineKinds.map((kind) => `  ${kindWords[kind]}: ${counts[kind]}`),
    ...(toldAtMs === null && reportUrl !== null
      ? [`The other product can tell its alerts at ${reportUrl}`]
      : []),
    ...lines.flatMap((line) => linesOf(line, sinceMs)),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ]
}

function linesOf(line: ShadowLine, sinceMs: number): string[] {
  const { name, kind, theirs, ours, likely } = line
  const first = firstOf(line, sinceMs)
  const by = first?.by === 'theirs' ? 'the other product' : 'stillup'
  const ahead = first ? `, ${by} first by ${Math.round(first.differenceMs / 1_000)} s` : ''
  const said = theirs?.text || ours?.cause
  return [
    `${secondText(beganMs(line))} ${shown(name)}: ${kindWords[kind]}${ahead}`,
    ...(said ? [`    ${shown(said)}`] : []),
    ...(likely ? [`    ${likelyWords[likely]}`] : []),
  ]
}
