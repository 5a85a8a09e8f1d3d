// The API of the whole history: every table of it as a file.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import {
  historyColumns,
  historyFormats,
  historyMediaTypes,
  historyTables,
} from '../../../domain/orgs/history-tables.ts'
import { timeIn } from '../../input/times.ts'
import { get, type PouredAnswer, resource } from '../../routing/route.ts'

const HistoryQuery = s.object({
  table: s.described(
    s.oneOf(historyTables),
    `\`results\`: single results, as long as they are kept (${limits.checksKeptDays} days). \`hours\`, ` +
      '`days`: those that are over, in UTC, with the time in each state and what their checks measured. ' +
      '`locationHours`, `locationDays`: the same for each location. `incidents`, `timeline`: what people saw ' +
      'of outages. `deliveries`: the messages to alert channels.',
  ),
  format: s.preset(
    s.oneOf(historyFormats),
    'jsonl',
    '`jsonl`: an object in each line. `csv`: RFC 4180. `parquet`: Apache Parquet, with times as timestamps.',
  ),
  from: s.optional(timeIn, 'Only what began at this time or later. Absent: everything.'),
  to: s.optional(timeIn, 'Only what began before this time. Absent: until now.'),
})

const namesOf = ([table, columns]: [string, readonly { readonly name: string }[]]) =>
  `- \`${table}\`: ${columns.map(({ name }) => `\`${name}\``).join(', ')}`

export const wholeHistory = resource('/orgs/:orgId/history', {
  about: 'All that is kept of an organization’s past, as files for other programs.',
  download: get('/', {
    who: { role: 'admin' },
    rate: 'bulk',
    summary: 'A table of the whole history as a file',
    description:
      'Each request answers one table. Times are in UTC, durations in milliseconds. Each row names its ' +
      'monitor, and what it was in the product that it was imported from (`monitorProduct`, ' +
      '`monitorOrigin`). Monitors come one after the other, the rows of each oldest first; incidents come ' +
      'newest first. The file is made while it is sent, and has no length before its end: a connection ' +
      'that is cut means that it is not whole, also if its reader takes less than 16 KiB a second for a minute. ' +
      'An organization reads one file at a time.\n\n' +
      `The columns:\n\n${Object.entries(historyColumns).map(namesOf).join('\n')}`,
    query: HistoryQuery,
    pours: historyFormats.map((format) => historyMediaTypes[format].split(';', 1).join('')),
  }).handledBy(({ scope, query }, { wholeHistories }): PouredAnswer => {
    const { table, format, from, to } = query
    const file = wholeHistories.open(scope, {
      table,
      format,
      fromMs: from === undefined ? undefined : Date.parse(from),
      toMs: to === undefined ? undefined : Date.parse(to),
    })
    const name = `stillup-${scope.orgId}-${table}.${format}`
    return {
      poured: true,
      contentType: historyMediaTypes[format],
      headers: [['Content-Disposition', `attachment; filename="${name}"`]],
      ...file,
    }
  }),
})
