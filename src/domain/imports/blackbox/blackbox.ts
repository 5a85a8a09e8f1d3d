// The blackbox exporter: its modules, the jobs of Prometheus that ask it, and files with their targets.
//
// The files: https://github.com/prometheus/blackbox_exporter/blob/master/CONFIGURATION.md and
// https://prometheus.io/docs/prometheus/latest/configuration/configuration/#scrape_config
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import {
  createNotes,
  type ForeignDocument,
  type ForeignFields,
  ForeignFileRefused,
  type ForeignMonitor,
  fieldsOf,
  listOf,
  type Note,
  type NotesOf,
  nameOf,
  tagsOf,
  textOf,
  within,
} from '../foreign.ts'
import { moduleTarget } from './module.ts'
import { type RelabelWork, relabelling, type TargetLabels } from './relabel.ts'

/** A document of a file; the name of the file is empty if it is not known. */
export interface PrometheusFile {
  readonly name: string
  readonly document: unknown
}

/**
 * `files`: the configuration of Prometheus with its `scrape_configs`, that of the exporter with its `modules`, and
 * lists of targets that `file_sd_configs` name, in any order. Throws ForeignFileRefused without the first two.
 */
export function fromBlackbox(files: readonly PrometheusFile[], installation = ''): ForeignDocument {
  const documents = files.map(({ document }) => fieldsOf(document))
  const modules = new Map(documents.flatMap((one) => Object.entries(fieldsOf(one.modules))))
  const configs = documents.filter((one) => one.scrape_configs !== undefined)
  if (configs.length === 0) throw new ForeignFileRefused('has no scrape_configs of Prometheus')
  if (modules.size === 0) throw new ForeignFileRefused('has no modules of the blackbox exporter')
  const lists = files.filter(({ document }) => Array.isArray(document))
  const notes = createNotes()
  const context = { modules, lists, notesOf: notes.of, used: new Set<string>(), work: { chars: 0 } }
  const monitors = configs.flatMap((config) =>
    listOf(config.scrape_configs)
      .map(fieldsOf)
      .filter(asksExporter)
      .flatMap((job) => monitorsOf(job, fieldsOf(config.global), context)),
  )
  if (monitors.length > limits.importMonitorsMax) {
    throw new ForeignFileRefused(
      `must have at most ${limits.importMonitorsMax} targets, and has ${monitors.length}`,
    )
  }
  for (const config of configs) noteWhole(config, notes.of(null))
  const unused = [...modules.keys()].filter((name) => !context.used.has(name))
  if (unused.length > 0)
    notes.of(null)(`modules that no job asks for: ${clip(unused.join(', '), 200)}`)
  const external = configs.flatMap(({ global }) =>
    Object.entries(fieldsOf(fieldsOf(global).external_labels)),
  )
  const labels = external.map(([name, value]) => `${name}=${textOf(value)}`).join(',')
  return {
    source: {
      product: 'blackbox',
      installation: clip(installation || labels || 'prometheus', originCharsMax),
    },
    monitors: apart(monitors),
    notes: notes.all(),
  }
}

const originCharsMax = 200

/** Targets that several modules look at are told apart by these, which stand in their origins. */
function apart(monitors: readonly ForeignMonitor[]): readonly ForeignMonitor[] {
  const byName = Map.groupBy(monitors, ({ name }) => name)
  return monitors.map((monitor) => {
    const { name, origin = '' } = monitor
    if ((byName.get(name) ?? []).length < 2) return monitor
    return { ...monitor, name: nameOf(`${name} (${origin.split('/')[2] ?? ''})`, name) }
  })
}

function asksExporter({ metrics_path }: ForeignFields): boolean {
  return /\/probe\/?$/.test(textOf(metrics_path))
}

/** Who is alerted is said elsewhere, and other jobs scrape what programs tell. */
function noteWhole(config: ForeignFields, note: Note): void {
  const others = listOf(config.scrape_configs)
    .map(fieldsOf)
    .filter((job) => !asksExporter(job))
    .map((job) => textOf(job.job_name))
  if (others.length > 0)
    note(`jobs that ask no exporter for probes: ${clip(others.join(', '), 200)}`)
  if (listOf(config.rule_files).length > 0 || config.alerting !== undefined) {
    note(
      'its alerting rules and Alertmanager: create alert channels, one of the type alertmanager perhaps',
    )
  }
  if (listOf(config.scrape_config_files).length > 0) {
    note('jobs in scrape_config_files: give those files, too')
  }
}

interface ExporterJobs {
  readonly modules: ReadonlyMap<string, unknown>
  readonly lists: readonly PrometheusFile[]
  readonly notesOf: NotesOf
  /** The modules that a job asks for. */
  readonly used: Set<string>
  readonly work: RelabelWork
}

interface FoundTarget {
  readonly address: string
  readonly labels: ForeignFields
}

function monitorsOf(
  job: ForeignFields,
  global: ForeignFields,
  context: ExporterJobs,
): readonly ForeignMonitor[] {
  const jobName = textOf(job.job_name) || 'blackbox'
  const note = context.notesOf(nameOf(jobName, 'Job'), clip(`job/${jobName}`, originCharsMax))
  const rules = relabelling(job.relabel_configs, context.work)
  for (const problem of new Set(rules.problems)) note(`its relabelling has ${problem}`)
  noteJob(job, note)
  const params = Object.entries(fieldsOf(job.params)).map(
    ([name, values]) => [`__param_${name}`, textOf(listOf(values)[0] ?? values)] as const,
  )
  const seconds = secondsOf(job.scrape_interval) ?? secondsOf(global.scrape_interval) ?? 60
  const timeoutSeconds = secondsOf(job.scrape_timeout) ?? secondsOf(global.scrape_timeout) ?? 10
  const targets = targetsOf(job, context, note)
  const labelled = targets.flatMap(({ address, labels }) => {
    const own = Object.entries(labels).map(([name, value]) => [name, textOf(value)] as const)
    const found = rules.of(new Map([['job', jobName], ...params, ...own, ['__address__', address]]))
    return found === undefined ? [] : [found]
  })
  const dropped = targets.length - labelled.length
  if (dropped > 0) note(`${dropped} targets that its relabelling drops`)
  const pace = { seconds, timeoutSeconds, jobName }
  return labelled.flatMap((labels) => monitorOf(labels, pace, context) ?? [])
}

/** Fields of a job that say how Prometheus reads the exporter, and nothing of what it looks at. */
const ofScraping: ReadonlySet<string> = new Set([
  ...['job_name', 'metrics_path', 'params', 'relabel_configs', 'scrape_interval', 'scrape_timeout'],
  ...[
    'static_configs',
    'file_sd_configs',
    'scheme',
    'honor_labels',
    'honor_timestamps',
    'basic_auth',
  ],
  ...['authorization', 'oauth2', 'tls_config', 'proxy_url', 'no_proxy', 'proxy_from_environment'],
  ...['proxy_connect_header', 'follow_redirects', 'enable_http2', 'http_headers', 'sample_limit'],
  ...['label_limit', 'label_name_length_limit', 'label_value_length_limit', 'target_limit'],
  ...['keep_dropped_targets', 'body_size_limit', 'scrape_protocols', 'track_timestamps_staleness'],
  ...['enable_compression', 'metric_relabel_configs', 'scrape_failure_log_file'],
  ...['fallback_scrape_protocol', 'metric_name_validation_scheme', 'metric_name_escaping_scheme'],
  ...[
    'scrape_classic_histograms',
    'always_scrape_classic_histograms',
    'native_histogram_bucket_limit',
  ],
  ...['native_histogram_min_bucket_factor', 'convert_classic_histograms_to_nhcb'],
])

function noteJob(job: ForeignFields, note: Note): void {
  const others = Object.keys(job).filter((name) => !ofScraping.has(name))
  const discoveries = others.filter((name) => name.endsWith('_sd_configs'))
  const rest = others.filter((name) => !name.endsWith('_sd_configs'))
  if (discoveries.length > 0) {
    note(`targets that are found by ${clip(discoveries.join(', '), 150)}: write them into a file`)
  }
  if (rest.length > 0) note(`its ${clip(rest.join(', '), 200)}`)
}

/** Targets that stand in the job, and those of the files that it names. */
function targetsOf(
  job: ForeignFields,
  { lists }: ExporterJobs,
  note: Note,
): readonly FoundTarget[] {
  const groups = listOf(job.static_configs).map(fieldsOf)
  const patterns = listOf(job.file_sd_configs).flatMap((one) =>
    listOf(fieldsOf(one).files).map(textOf),
  )
  for (const pattern of patterns) {
    const found = lists.filter(({ name }) => name === '' || isNamed(pattern, name))
    if (found.length === 0) note(`its file ${clip(pattern, 150)}: it is not there`)
    groups.push(...found.flatMap(({ document }) => listOf(document).map(fieldsOf)))
  }
  // Two patterns may name the same file.
  return [...new Set(groups)].flatMap(({ targets, labels }) =>
    listOf(targets).map((target) => ({ address: textOf(target), labels: fieldsOf(labels) })),
  )
}

/** The last part of a pattern may have a star; folders are not compared, since they are moved. */
function isNamed(pattern: string, file: string): boolean {
  const last = pattern.split('/').at(-1) ?? ''
  const name = file.split('/').at(-1) ?? ''
  const [head = '', ...rest] = last.split('*')
  const tail = rest.at(-1) ?? ''
  if (rest.length === 0) return last === name
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail)
}

interface JobPace {
  readonly seconds: number
  readonly timeoutSeconds: number
  readonly jobName: string
}

function monitorOf(
  labels: TargetLabels,
  { seconds, timeoutSeconds, jobName }: JobPace,
  { modules, notesOf, used }: ExporterJobs,
): ForeignMonitor | undefined {
  const target = labels.get('__param_target') ?? labels.get('__address__') ?? ''
  // The exporter's own name, where a request has none.
  const moduleName = labels.get('__param_module') || 'http_2xx'
  const name = nameOf(labels.get('name') ?? target, 'Target')
  const origin = clip(`probe/${jobName}/${moduleName}/${target}`, originCharsMax)
  const note = notesOf(name, origin)
  const module = modules.get(moduleName)
  used.add(moduleName)
  if (module === undefined) {
    note(`there is no module ${clip(moduleName, 60)}: the monitor was left out`)
    return undefined
  }
  const hostname = labels.get('__param_hostname') ?? ''
  const made = moduleTarget(fieldsOf(module), { target, hostname }, note)
  if (made === undefined) return undefined
  const own = [...labels].filter(([label]) => !label.startsWith('__') && !usualLabels.has(label))
  const intervalSeconds = within(seconds, limits.intervalSecondsMin, limits.intervalSecondsMax)
  const timeout = Math.min(secondsOf(fieldsOf(module).timeout) ?? timeoutSeconds, timeoutSeconds)
  const timeoutMsMax = Math.min(limits.timeoutMsMax, intervalSeconds * 1_000)
  return {
    origin,
    name,
    intervalSeconds,
    timeoutMs: within(timeout * 1_000, limits.timeoutMsMin, timeoutMsMax),
    ...made,
    tags: tagsOf([jobName, ...own.map(([label, value]) => `${label}=${value}`)]),
  }
}

const usualLabels: ReadonlySet<string> = new Set(['job', 'instance', 'name'])

const unitSeconds: Readonly<Record<string, number>> = {
  ...{ ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800, y: 31_536_000 },
}

/** A duration of Prometheus, such as 1m30s. */
function secondsOf(value: unknown): number | undefined {
  const parts = [...textOf(value).matchAll(/(\d{1,9})(ms|[smhdwy])/gy)]
  if (parts.length === 0) return undefined
  return parts.reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (unitSeconds[unit] ?? 0),
    0,
  )
}
