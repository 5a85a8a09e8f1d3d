// Whom a check trusts where it uses TLS, what it proves itself with, and which way it goes.
import { useData } from '../../../api/resource.ts'
import { secretMask } from '../../../base/secret-mask.ts'
import { CheckField, Field, TextField } from '../../../parts/form/fields.tsx'
import { orgId } from '../../../stores/session.ts'
import { words } from '../../../words/words.ts'
import type { LoginFieldsProps } from './login-fields.tsx'

interface TlsFieldsProps extends Omit<LoginFieldsProps, 'hasSecret'> {
  /** Whether the kind has the field. */
  readonly has: (name: string) => boolean
}

export function TlsFields({ has, ...keyProps }: TlsFieldsProps) {
  const texts = words.value.editor
  const certificate = { placeholder: '-----BEGIN CERTIFICATE-----', rows: 4 }
  return (
    <>
      {has('ignoreTlsErrors') && <CheckField pointer="/ignoreTlsErrors" label={texts.ignoreTls} />}
      {has('caCertificates') && (
        <TextField
          {...certificate}
          pointer="/caCertificates"
          label={texts.caCertificates}
          isCode
          emptyAs={null}
          help={texts.caCertificatesHelp}
        />
      )}
      {has('clientCertificate') && (
        <>
          <TextField
            {...certificate}
            pointer="/clientCertificate"
            label={texts.clientCertificate}
            isCode
            emptyAs={null}
            help={texts.clientCertificateHelp}
          />
          <KeyField {...keyProps} />
        </>
      )}
    </>
  )
}

/** Another address, and a proxy. */
export function WayFields({ has }: Pick<TlsFieldsProps, 'has'>) {
  const texts = words.value.editor
  return (
    <div class="form-row">
      {has('connectTo') && (
        <TextField
          pointer="/connectTo"
          label={texts.connectTo}
          placeholder="192.0.2.7"
          isCode
          emptyAs={null}
          help={texts.connectToHelp}
        />
      )}
      {has('proxy') && <ProxyField />}
    </div>
  )
}

/** A choice of the proxies that the organization may use from here; those of probes elsewhere are typed. */
function ProxyField() {
  const texts = words.value.editor
  const organization = useData('orgs.get', { path: { orgId: orgId() } })
  return (
    <TextField
      pointer="/proxy"
      label={texts.proxy}
      isCode
      emptyAs={null}
      help={texts.proxyHelp}
      choices={organization.value.value?.proxies}
    />
  )
}

/** A text area, as a key has several lines; a stored one is masked. */
function KeyField({ form, mustBeTyped }: Omit<LoginFieldsProps, 'hasSecret'>) {
  const texts = words.value.editor
  const pointer = '/clientKey'
  const value = form.get(pointer)
  const isKept = value === secretMask
  const help = isKept && mustBeTyped ? texts.clientKeyAgain : texts.clientKeyHelp
  return (
    <Field pointer={pointer} label={texts.clientKey} help={help}>
      {(control) => (
        <textarea
          {...control}
          class="code"
          rows={4}
          autoComplete="off"
          spellcheck={false}
          placeholder={isKept ? secretMask : '-----BEGIN PRIVATE KEY-----'}
          value={isKept ? '' : String(value ?? '')}
          onInput={({ currentTarget: { value } }) =>
            form.set(pointer, value === '' ? null : value, { isSecret: true })
          }
        />
      )}
    </Field>
  )
}
