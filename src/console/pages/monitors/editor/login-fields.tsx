// The user name, the password and the other secret of a check. A stored secret comes masked, and stays if it is
// left so, unless the address leads to another server.
import { secretMask } from '../../../base/secret-mask.ts'
import { Field, TextField } from '../../../parts/form/fields.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { words } from '../../../words/words.ts'
import type { MonitorBody } from './monitor-body.ts'

export interface LoginFieldsProps {
  readonly form: Form<MonitorBody>
  /** The address leads to another server: the mask stands for nothing any more. */
  readonly mustBeTyped: boolean
  readonly hasSecret: boolean
}

export function LoginFields({ form, mustBeTyped, hasSecret }: LoginFieldsProps) {
  const texts = words.value.editor
  const shared = { form, mustBeTyped }
  return (
    <>
      <div class="form-row">
        <TextField pointer="/username" label={texts.username} emptyAs={null} isCode />
        <SecretField {...shared} pointer="/password" label={texts.password} />
      </div>
      {hasSecret && (
        <SecretField {...shared} pointer="/secret" label={texts.secret} help={texts.secretHelp} />
      )}
    </>
  )
}

interface SecretFieldProps extends Omit<LoginFieldsProps, 'hasSecret'> {
  readonly pointer: '/password' | '/secret'
  readonly label: string
  readonly help?: string
}

function SecretField({ form, mustBeTyped, pointer, label, help }: SecretFieldProps) {
  const value = form.get(pointer)
  const isKept = value === secretMask
  const again = isKept && mustBeTyped ? words.value.editor.passwordAgain : undefined
  return (
    <Field pointer={pointer} label={label} help={again ?? help}>
      {(control) => (
        <input
          {...control}
          type="password"
          autoComplete="new-password"
          placeholder={isKept ? secretMask : undefined}
          value={isKept ? '' : String(value ?? '')}
          onInput={({ currentTarget: { value } }) =>
            form.set(pointer, value === '' ? null : value, { isSecret: true })
          }
        />
      )}
    </Field>
  )
}
