// Request headers. Stored values come masked, and stay if they are left so, unless the address leads to
// another server.
import type { Form } from '../../../parts/form/form.ts'
import { RecordField } from '../../../parts/form/record-field.tsx'
import { listed, words } from '../../../words/words.ts'
import { maskedNames } from './kept-headers.ts'
import type { MonitorBody } from './trial/monitor-body.ts'

export interface HeadersFieldProps {
  readonly form: Form<MonitorBody>
  /** The address leads to another server: masks stand for nothing any more. */
  readonly mustBeTyped: boolean
}

export function HeadersField({ form, mustBeTyped }: HeadersFieldProps) {
  const texts = words.value.editor
  const value = (form.get('/headers') ?? {}) as Record<string, string>
  const names = mustBeTyped ? maskedNames(value) : []
  return (
    <RecordField
      pointer="/headers"
      label={texts.headers}
      nameLabel={texts.headerName}
      valueLabel={texts.headerValue}
      placeholder="Authorization"
      addText={texts.addHeader}
      isSecret
      again={{ names, text: texts.headersAgain({ names: listed(names) }) }}
    />
  )
}
