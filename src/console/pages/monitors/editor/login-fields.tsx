// How a check signs in: the user name, the password and what else is needed. A stored secret comes masked, and
// stays if it is left so, unless the address leads to another server.
import { secretMask } from '../../../base/secret-mask.ts'
import { Field, SelectField, TextField } from '../../../parts/form/fields.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { words } from '../../../words/words.ts'
import type { MonitorBody } from './trial/monitor-body.ts'

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

const authTypes = ['basic', 'oauth2', 'digest', 'awsSigV4'] as const
const onlyOfHttp = new Set<string>(['digest', 'awsSigV4'])

interface AuthFieldsProps extends Omit<LoginFieldsProps, 'hasSecret'> {
  /** It sends requests of HTTP: a handshake signs in in fewer ways. */
  readonly isOfHttp: boolean
}

/** The same for kinds that can sign in in several ways. */
export function AuthFields({ form, mustBeTyped, isOfHttp }: AuthFieldsProps) {
  const texts = words.value.editor
  const type = form.get('/auth/type')
  const isOauth = type === 'oauth2'
  const isAws = type === 'awsSigV4'
  // A way that was chosen for another kind stays in sight, with what is wrong with it.
  const offered = authTypes.filter((one) => isOfHttp || one === type || !onlyOfHttp.has(one))
  const [name, secret] = isOauth
    ? [texts.clientId, texts.clientSecret]
    : isAws
      ? [texts.accessKeyId, texts.secretAccessKey]
      : [texts.username, texts.password]
  return (
    <>
      <SelectField
        pointer="/auth/type"
        label={texts.auth}
        choices={offered.map((value) => ({ value, text: texts.authTypes[value] }))}
        onChange={(type) => form.set('/auth', type === 'basic' ? null : { type })}
      />
      <div class="form-row">
        <TextField pointer="/username" label={name} emptyAs={null} isCode />
        <SecretField form={form} mustBeTyped={mustBeTyped} pointer="/password" label={secret} />
      </div>
      {isAws && (
        <div class="form-row">
          <TextField
            pointer="/auth/region"
            label={texts.region}
            placeholder="eu-central-1"
            emptyAs={null}
            isCode
          />
          <TextField
            pointer="/auth/service"
            label={texts.service}
            placeholder="execute-api"
            emptyAs={null}
            isCode
          />
        </div>
      )}
      {isOauth && (
        <>
          <TextField pointer="/auth/tokenUrl" label={texts.tokenUrl} emptyAs={null} isCode />
          <div class="form-row">
            <TextField pointer="/auth/scope" label={texts.scope} emptyAs={null} isCode />
            <TextField pointer="/auth/audience" label={texts.audience} emptyAs={null} isCode />
          </div>
        </>
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
