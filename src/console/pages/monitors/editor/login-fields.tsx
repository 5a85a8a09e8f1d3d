// The user name and the password of a check. A stored password comes masked, and stays if it is left so, unless
// the address leads to another server.
import { secretMask } from '../../../base/secret-mask.ts'
import { Field, TextField } from '../../../parts/form/fields.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { words } from '../../../words/words.ts'
import type { MonitorBody } from './monitor-body.ts'

export interface LoginFieldsProps {
  readonly form: Form<MonitorBody>
  /** The address leads to another server: the mask stands for nothing any more. */
  readonly mustBeTyped: boolean
}

export function LoginFields({ form, mustBeTyped }: LoginFieldsProps) {
  const texts = words.value.editor
  const password = form.get('/password')
  const isKept = password === secretMask
  return (
    <div class="form-row">
      <TextField pointer="/username" label={texts.username} emptyAs={null} isCode />
      <Field
        pointer="/password"
        label={texts.password}
        help={isKept && mustBeTyped ? texts.passwordAgain : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="new-password"
            placeholder={isKept ? secretMask : undefined}
            value={isKept ? '' : String(password ?? '')}
            onInput={({ currentTarget: { value } }) =>
              form.set('/password', value === '' ? null : value, { isSecret: true })
            }
          />
        )}
      </Field>
    </div>
  )
}
