// The second factor: turned on with an authenticator app, turned off with a code.
import { useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { ShownOnce } from '../../parts/dialog/shown-once.tsx'
import { tell } from '../../parts/dialog/toast.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { CodeField, refusedAt } from '../../parts/form/proof-fields.tsx'
import { Copyable } from '../../parts/text/copyable.tsx'
import { loadSession, session } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export function SecondFactor() {
  const texts = words.value.profile.factor
  const enrolment = useSignal<Data<'totp.enrol'> | undefined>(undefined)
  const codes = useSignal<readonly string[] | undefined>(undefined)
  const isOn = session.value?.hasTotp === true
  const begin = () =>
    act(async () => {
      enrolment.value = await fetchData('totp.enrol', {})
    })
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p class="faint">{isOn ? texts.on : texts.off}</p>
      {isOn && (
        <CodeForm kind="totp.turnOff" text={texts.turnOff} onDone={() => tell(texts.isOff)} />
      )}
      {!isOn && !enrolment.value && (
        <div>
          <button type="button" onClick={() => void begin()}>
            {texts.turnOn}
          </button>
        </div>
      )}
      {!isOn && enrolment.value && (
        <>
          <p>{texts.scan}</p>
          <img
            class="qr"
            alt={texts.qr}
            src={`data:image/svg+xml,${encodeURIComponent(enrolment.value.qrSvg)}`}
          />
          <Copyable text={enrolment.value.secret} />
          <CodeForm
            kind="totp.confirm"
            text={texts.turnOn}
            onDone={(recoveryCodes) => {
              enrolment.value = undefined
              codes.value = recoveryCodes
            }}
          />
        </>
      )}
      {codes.value && (
        <ShownOnce
          title={texts.recovery}
          about={texts.recoveryAbout}
          secret={codes.value.join('\n')}
          onClose={() => (codes.value = undefined)}
        />
      )}
    </section>
  )
}

interface CodeFormProps {
  readonly kind: 'totp.confirm' | 'totp.turnOff'
  readonly text: string
  readonly onDone: (recoveryCodes: readonly string[]) => void
}

function CodeForm({ kind, text, onDone }: CodeFormProps) {
  const form = useForm(
    () => ({
      initial: { code: '' },
      submit: async (body: { code: string }) => {
        const answer = await fetchData(kind, { body }).catch((error: unknown) => {
          throw refusedAt('/code', error, words.value.shell.signIn.wrongCode)
        })
        await loadSession()
        onDone('recoveryCodes' in answer ? (answer.recoveryCodes as readonly string[]) : [])
      },
    }),
    [kind],
  )
  return (
    <FormFrame form={form} submitText={text}>
      <CodeField pointer="/code" shouldFocus={kind === 'totp.confirm'} />
    </FormFrame>
  )
}
