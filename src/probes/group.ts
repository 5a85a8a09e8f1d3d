// The kind that looks at nothing: its state follows from other monitors.
import type { CheckKind } from '../domain/monitors/monitor-fields.ts'

export const group: CheckKind = {
  type: 'group',
  icon: 'boxes',
  family: 'more',
  fields: ['told', 'members'],
  sources: [],
  textName: 'message',
}
