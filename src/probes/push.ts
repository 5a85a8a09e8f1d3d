// The kind that looks at nothing: it waits for the reports of a job.
import type { CheckKind } from '../domain/monitors/monitor-fields.ts'

export const push: CheckKind = {
  type: 'push',
  family: 'machine',
  icon: 'calendar-clock',
  fields: ['report'],
  sources: [],
  textName: 'body',
}
