// The kind that looks at nothing: people say how it is.
import type { CheckKind } from '../domain/monitors/monitor-fields.ts'

export const manual: CheckKind = {
  type: 'manual',
  family: 'more',
  icon: 'hand',
  fields: ['told'],
  sources: [],
  textName: 'message',
}
