// The mail server, field by field, with a letter that shows whether it works.
import { useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../../api/client.ts'
import { ApiProblem } from '../../../api/problem.ts'
import { asProblem } from '../../../api/resource.ts'
import { tell } from '../../../parts/dialog/toast.tsx'
import { SelectField, TextField } from '../../../parts/form/fields.tsx'
import { useForm } from '../../../parts/form/form.ts'
import { FormFrame } from '../../../parts/form/form-frame.tsx'
import { Said } from '../../../parts/text/said.tsx'
import { punctuation, words } from '../../../words/words.ts'
import { SettingHelp } from './setting-help.tsx'
import { type GroupProps, isLocked, secretMask } from './settings-model.ts'

/** `mail.smtpUrl` in its parts. */
interface MailFields {
  readonly protocol: 'smtp:' | 'smtps:'
  /** With its port, where that is not the usual one. */
  readonly host: string
  readonly user: string
  readonly password: string
  readonly from: string
}

type TriedMail = Data<'settings.sendTestLetter'>

const pointers: Readonly<Record<string, string>> = {
  '/mail/from': '/from',
  '/mail/smtpUrl': '/host',
  '/smtpUrl': '/host',
}

export function MailForm({ group: { settings }, onSaved }: GroupProps) {
  const { settings: texts, common } = words.value
  const smtpUrl = settings.find(({ name }) => name === 'smtpUrl')
  const from = settings.find(({ name }) => name === 'from')
  const tried = useSignal<TriedMail | undefined>(undefined)
  const form = useForm(
    () => ({
      initial: fieldsOf(smtpUrl?.value, from?.value),
      draft: 'settings:mail',
      submit: async (fields: MailFields, _revision: unknown, before: MailFields) => {
        await atFields(() =>
          fetchData('settings.change', { body: { mail: changesOf(fields, before) } }),
        )
        tell(texts.saved)
        onSaved()
      },
    }),
    [JSON.stringify([smtpUrl?.value, from?.value])],
  )
  if (!smtpUrl || !from) return null
  const isUrlLocked = isLocked(smtpUrl)
  const usualPort = form.get('/protocol') === 'smtps:' ? '465' : '587'
  return (
    <FormFrame
      form={form}
      submitText={common.actions.save}
      trial={{
        text: texts.mail.sendTest,
        run: () =>
          form.tryOut(async (fields) => {
            tried.value = undefined
            tried.value = await atFields(() =>
              fetchData('settings.sendTestLetter', {
                body: {
                  ...(isUrlLocked ? {} : { smtpUrl: urlOf(fields) ?? '' }),
                  ...(isLocked(from) || fields.from === '' ? {} : { from: fields.from }),
                },
              }),
            )
          }),
      }}
    >
      <p class="help">
        <SettingHelp setting={smtpUrl} />
      </p>
      <div class="form-row">
        <TextField
          isDisabled={isUrlLocked}
          pointer="/host"
          label={texts.mail.host}
          placeholder="mail.example.com"
          help={texts.mail.hostHelp({ port: usualPort })}
          isCode
        />
        <SelectField
          isDisabled={isUrlLocked}
          pointer="/protocol"
          label={texts.mail.encryption}
          choices={[
            { value: 'smtps:', text: texts.mail.tls },
            { value: 'smtp:', text: texts.mail.startTls },
          ]}
        />
      </div>
      <div class="form-row">
        <TextField isDisabled={isUrlLocked} pointer="/user" label={texts.mail.user} />
        <TextField
          isDisabled={isUrlLocked}
          pointer="/password"
          label={texts.mail.password}
          type="password"
          autoComplete="off"
        />
      </div>
      <TextField
        pointer="/from"
        label={texts.titles['mail.from']}
        placeholder="stillup <up@example.com>"
        isDisabled={isLocked(from)}
        help={<SettingHelp setting={from} />}
      />
      <Result tried={tried.value} />
    </FormFrame>
  )
}

function Result({ tried }: { readonly tried: TriedMail | undefined }) {
  const { mail: texts } = words.value.settings
  return (
    <div role="status" aria-live="polite">
      {tried && (
        <div class={`note ${tried.isDelivered ? 'is-up' : 'is-degraded'}`}>
          <p>
            <strong>{tried.isDelivered ? texts.arrived({ to: tried.to }) : texts.notSent}</strong>
            {punctuation.value.gap}
            {tried.error !== null && <Said text={tried.error} />}
          </p>
          {tried.reply !== null && (
            <p>
              {texts.reply} <code>{tried.reply}</code>
            </p>
          )}
        </div>
      )}
    </div>
  )
}

function fieldsOf(smtpUrl: unknown, from: unknown): MailFields {
  const sender = { from: String(from ?? '') }
  if (typeof smtpUrl !== 'string') {
    return { protocol: 'smtps:', host: '', user: '', password: '', ...sender }
  }
  const { protocol, host, username, password } = new URL(smtpUrl)
  return {
    protocol: protocol === 'smtp:' ? 'smtp:' : 'smtps:',
    host,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    ...sender,
  }
}

/** Null without a host: there is no mail server then. */
function urlOf({ protocol, host, user, password }: Omit<MailFields, 'from'>): string | null {
  if (host.trim() === '') return null
  const secret = (text: string) => (text === secretMask ? text : encodeURIComponent(text))
  const account = password === '' ? secret(user) : `${secret(user)}:${secret(password)}`
  return `${protocol}//${account === '' ? '' : `${account}@`}${host.trim()}`
}

function changesOf(fields: MailFields, before: MailFields) {
  const url = urlOf(fields)
  return {
    ...(url === urlOf(before) ? {} : { smtpUrl: url }),
    ...(fields.from === before.from ? {} : { from: fields.from === '' ? null : fields.from }),
  }
}

/** What is wrong with the address of the server is told at the field that it is made of. */
async function atFields<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const problem = asProblem(error)
    const fields = problem.fields.map((one) => {
      const isOfPassword = one.keyword === 'secret'
      return isOfPassword
        ? { pointer: '/password', message: words.value.settings.mail.passwordAgain }
        : { ...one, pointer: pointers[one.pointer] ?? one.pointer }
    })
    throw new ApiProblem(problem.message, { ...problem, fields })
  }
}
