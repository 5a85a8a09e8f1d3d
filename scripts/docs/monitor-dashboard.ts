// The Grafana dashboard of docs/prometheus, checked against the types that Grafana publishes of its dashboards.
// `GOLDEN=1 npx tap test/docs/monitor-metrics.test.ts` writes the file.
import {
  type Dashboard,
  DashboardCursorSync,
  FieldColorModeId,
  type FieldConfig,
  MappingType,
  type Panel,
  ThresholdsMode,
  VariableHide,
  VariableRefresh,
  VariableSort,
} from '@grafana/schema'

// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana replaces it
const datasource = { type: 'prometheus', uid: '${datasource}' }
const chosen = 'type=~"$type",name=~"$name"'
/** A monitor has one line for each Prometheus and each job that reads it. */
const each = (metric: string, more = '', by = 'id, name') =>
  `max by (${by}) (stillup_monitor_${metric}{${chosen}${more}})`

interface Query {
  readonly expr: string
  readonly legend?: string
  /** The values of now, as a table. */
  readonly isTable?: boolean
}

type Fields = FieldConfig & { readonly overrides?: readonly Override[] }

interface Override {
  readonly field: string
  readonly properties: Readonly<Record<string, unknown>>
}

interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

interface PanelParts {
  readonly type: string
  readonly title: string
  readonly description?: string
  readonly at: Place
  readonly queries: readonly Query[]
  readonly fields?: Fields
  readonly options?: Record<string, unknown>
  readonly transformations?: Panel['transformations']
}

function panel(id: number, parts: PanelParts): Panel {
  const { type, title, description, at, queries, fields = {}, options, transformations } = parts
  const { overrides = [], ...defaults } = fields
  return {
    id,
    type,
    title,
    ...(description && { description }),
    gridPos: at,
    datasource,
    targets: queries.map(({ expr, legend, isTable }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource,
      expr,
      ...(legend && { legendFormat: legend }),
      ...(isTable ? { instant: true, format: 'table' } : { range: true }),
    })),
    fieldConfig: {
      defaults,
      overrides: overrides.map(({ field, properties }) => ({
        matcher: { id: 'byName', options: field },
        properties: Object.entries(properties).map(([id, value]) => ({ id, value })),
      })),
    },
    ...(options && { options }),
    ...(transformations && { transformations }),
  }
}

const steps = (...all: readonly (readonly [value: number | null, color: string])[]) => ({
  mode: ThresholdsMode.Absolute,
  steps: all.map(([value, color]) => ({ value, color })),
})

const stateColors = {
  up: 'green',
  degraded: 'yellow',
  down: 'red',
  pending: 'blue',
  unknown: 'purple',
  maintenance: 'blue',
  paused: 'gray',
}

const stateMappings = [
  {
    type: MappingType.ValueToText as const,
    options: Object.fromEntries(
      Object.entries(stateColors).map(([state, color], index) => [state, { color, index }]),
    ),
  },
]

/** How many monitors are in a state, in large digits. */
function count(id: number, x: number, title: string, states: string, color: string): Panel {
  return panel(id, {
    type: 'stat',
    title,
    at: { x, y: 0, w: 4, h: 4 },
    queries: [
      {
        expr: `count(${each('state', `,state=~"${states}"`)}) or vector(0)`,
        isTable: true,
      },
    ],
    fields: { thresholds: steps([null, 'text'], [1, color]) },
    options: { colorMode: 'value', graphMode: 'none', reduceOptions: { calcs: ['lastNotNull'] } },
  })
}

const lines = {
  legend: { displayMode: 'table', placement: 'right', calcs: ['lastNotNull', 'max'] },
  tooltip: { mode: 'multi', sort: 'desc' },
}

const ratio = { unit: 'percentunit', decimals: 3, max: 1 }

const allMonitors: PanelParts = {
  type: 'table',
  title: 'Monitors',
  at: { x: 0, y: 4, w: 24, h: 12 },
  queries: [
    { expr: each('state', '', 'id, name, type, state'), isTable: true },
    { expr: each('uptime_ratio', ',window="24h"'), isTable: true },
    { expr: each('uptime_ratio', ',window="30d"'), isTable: true },
    { expr: each('response_seconds'), isTable: true },
    { expr: `${each('certificate_expiry_timestamp_seconds')} - time()`, isTable: true },
    { expr: `time() - ${each('last_check_timestamp_seconds')}`, isTable: true },
    { expr: each('open_incidents'), isTable: true },
  ],
  fields: {
    custom: { filterable: true },
    overrides: [
      {
        field: 'State',
        properties: {
          mappings: stateMappings,
          'custom.cellOptions': { type: 'color-text' },
        },
      },
      { field: 'Uptime, 24 h', properties: ratio },
      { field: 'Uptime, 30 days', properties: ratio },
      { field: 'Response', properties: { unit: 's' } },
      { field: 'Certificate ends in', properties: { unit: 's', decimals: 0 } },
      { field: 'Last check', properties: { unit: 's', decimals: 0 } },
    ],
  },
  options: { showHeader: true, sortBy: [{ displayName: 'Uptime, 24 h', desc: false }] },
  transformations: [
    { id: 'merge', options: {} },
    {
      id: 'organize',
      options: {
        excludeByName: { Time: true, id: true, 'Value #A': true },
        indexByName: { state: 0, name: 1, type: 2 },
        renameByName: {
          name: 'Name',
          type: 'Type',
          state: 'State',
          'Value #B': 'Uptime, 24 h',
          'Value #C': 'Uptime, 30 days',
          'Value #D': 'Response',
          'Value #E': 'Certificate ends in',
          'Value #F': 'Last check',
          'Value #G': 'Open incidents',
        },
      },
    },
  ],
}

const upAndDown: PanelParts = {
  type: 'state-timeline',
  title: 'Up and down',
  description: 'A gap: paused, in maintenance, or nobody knew.',
  at: { x: 0, y: 16, w: 24, h: 10 },
  queries: [{ expr: each('up'), legend: '{{name}}' }],
  fields: {
    color: { mode: FieldColorModeId.Thresholds },
    thresholds: steps([null, 'red'], [1, 'green']),
    mappings: [
      {
        type: MappingType.ValueToText,
        options: { '0': { text: 'down', color: 'red' }, '1': { text: 'up', color: 'green' } },
      },
    ],
  },
  options: { mergeValues: true, showValue: 'never', rowHeight: 0.8, perPage: 20 },
}

const responseTimes: PanelParts = {
  type: 'timeseries',
  title: 'Response times',
  at: { x: 0, y: 26, w: 12, h: 9 },
  queries: [{ expr: `topk(20, ${each('response_seconds')})`, legend: '{{name}}' }],
  fields: { unit: 's', min: 0 },
  options: lines,
}

const phases: PanelParts = {
  type: 'timeseries',
  title: 'Phases of a check, on average',
  description: 'Of the chosen monitors: choose one to see its own.',
  at: { x: 12, y: 26, w: 12, h: 9 },
  queries: [
    {
      expr: `avg by (phase) (${each('phase_seconds', '', 'id, name, phase')})`,
      legend: '{{phase}}',
    },
  ],
  fields: { unit: 's', min: 0, custom: { stacking: { mode: 'normal' }, fillOpacity: 30 } },
  options: lines,
}

const lowest: PanelParts = {
  type: 'bargauge',
  title: 'The lowest uptimes of 30 days',
  at: { x: 0, y: 35, w: 12, h: 9 },
  queries: [
    {
      expr: `bottomk(10, ${each('uptime_ratio', ',window="30d"')})`,
      legend: '{{name}}',
      isTable: true,
    },
  ],
  fields: { ...ratio, thresholds: steps([null, 'red'], [0.99, 'yellow'], [0.999, 'green']) },
  options: {
    orientation: 'horizontal',
    displayMode: 'basic',
    reduceOptions: { values: true, calcs: [] },
  },
}

const ends: PanelParts = {
  type: 'bargauge',
  title: 'Certificates and domains that end next',
  at: { x: 12, y: 35, w: 12, h: 9 },
  queries: [
    {
      expr: `bottomk(10, ${each('certificate_expiry_timestamp_seconds')} - time())`,
      legend: '{{name}}',
      isTable: true,
    },
    {
      expr: `bottomk(10, ${each('domain_expiry_timestamp_seconds')} - time())`,
      legend: '{{name}}, the domain',
      isTable: true,
    },
  ],
  fields: {
    unit: 's',
    decimals: 0,
    thresholds: steps([null, 'red'], [7 * 86_400, 'yellow'], [30 * 86_400, 'green']),
  },
  options: {
    orientation: 'horizontal',
    displayMode: 'basic',
    reduceOptions: { values: true, calcs: [] },
  },
}

function choice(name: string, label: string, of: string) {
  return {
    type: 'query' as const,
    name,
    label,
    datasource,
    query: { query: `label_values(${of}, ${name})`, refId: name },
    refresh: VariableRefresh.onTimeRangeChanged,
    sort: VariableSort.alphabeticalCaseInsensitiveAsc,
    hide: VariableHide.dontHide,
    multi: true,
    includeAll: true,
    allValue: '.*',
    current: { text: ['All'], value: ['$__all'] },
  }
}

export const monitorDashboard = {
  uid: 'stillup-monitors',
  title: 'stillup: monitors',
  description: 'What stillup sees of its monitors.',
  tags: ['stillup'],
  schemaVersion: 39,
  editable: true,
  graphTooltip: DashboardCursorSync.Crosshair,
  refresh: '1m',
  time: { from: 'now-24h', to: 'now' },
  templating: {
    list: [
      { type: 'datasource', name: 'datasource', label: 'Prometheus', query: 'prometheus' },
      choice('type', 'Type', 'stillup_monitor_info'),
      choice('name', 'Monitor', 'stillup_monitor_info{type=~"$type"}'),
    ],
  },
  panels: [
    count(1, 0, 'Down', 'down', 'red'),
    count(2, 4, 'Slow', 'degraded', 'yellow'),
    count(3, 8, 'Up', 'up', 'green'),
    count(4, 12, 'Not known', 'unknown|pending', 'purple'),
    count(5, 16, 'In maintenance', 'maintenance', 'blue'),
    count(6, 20, 'Paused', 'paused', 'text'),
    panel(7, allMonitors),
    panel(8, upAndDown),
    panel(9, responseTimes),
    panel(10, phases),
    panel(11, lowest),
    panel(12, ends),
  ],
} satisfies Dashboard
