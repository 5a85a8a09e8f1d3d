// The fields of a monitor: what is checked first; everything that has a good default is folded away.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import {
  CheckField,
  ListField,
  NumberField,
  SelectField,
  TextField,
  useFocusAtFirst,
} from '../../../parts/form/fields.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { appliesTo } from '../../../parts/form/schema.ts'
import { words } from '../../../words/words.ts'
import { AssertionsField } from './assertions-field.tsx'
import { ChannelsField } from './channels-field.tsx'
import type { MonitorBody } from './editor-page.tsx'
import { type CheckType, guessMonitor } from './guess.ts'
import { HeadersField } from './headers-field.tsx'
import { mustBeTypedAgain, type StoredRequest } from './kept-headers.ts'
import type { Trial } from './trial.ts'

export interface MonitorFieldsProps {
  readonly form: Form<MonitorBody>
  readonly trial: Trial
  readonly stored: StoredRequest | undefined
  /** It begins as a copy of another monitor. */
  readonly hasModel: boolean
}

const kinds: readonly CheckType[] = [
  'endpoint',
  'keyword',
  'health',
  'ssl',
  'ping',
  'tcp',
  'dns',
  'websocket',
  'smtp',
  'domain',
  'push',
]

/** A new monitor has it unless another one is given; one that is stored may have none. */
const usualSlowMs = 3_000

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export function MonitorFields({ form, trial, stored, hasModel }: MonitorFieldsProps) {
  const texts = words.value.editor
  const kind = (form.get('/checkType') as CheckType | undefined) ?? 'endpoint'
  const has = (name: string) => appliesTo(form.schema, name, kind)
  const isPush = kind === 'push'
  const isNew = stored === undefined
  const mustBeTyped = mustBeTypedAgain(stored, form.get('/url'))
  const hasAssertions = (form.values.value.assertions ?? []).length > 0
  return (
    <>
      {isNew && !hasModel && <PasteField form={form} />}
      <SelectField
        form={form}
        pointer="/checkType"
        label={texts.kind}
        isDisabled={!isNew}
        choices={kinds.map((value) => ({ value, text: texts.kinds[value] }))}
        help={texts.kindHelp[kind]}
      />
      {!isPush && (
        <TextField
          form={form}
          pointer="/url"
          label={texts.url}
          placeholder={texts.urlExamples[kind]}
          isRequired
          isCode
        />
      )}
      <TextField form={form} pointer="/name" label={texts.name} isRequired />
      {kind === 'keyword' && <WordsFields form={form} />}
      <div class="form-row">
        <NumberField
          form={form}
          pointer="/intervalSeconds"
          label={isPush ? texts.period : texts.interval}
          unit="s"
          placeholder="300"
        />
        {has('timeoutMs') && (
          <NumberField form={form} pointer="/timeoutMs" label={texts.timeout} unit="ms" />
        )}
        {has('graceSeconds') && (
          <NumberField form={form} pointer="/graceSeconds" label={texts.grace} unit="s" />
        )}
      </div>
      {has('headers') && (
        <Section title={texts.sections.request} isOpen={mustBeTyped}>
          {has('method') && (
            <div class="form-row">
              <SelectField
                form={form}
                pointer="/method"
                label={texts.method}
                choices={methods.map((value) => ({ value, text: value }))}
              />
              <ListField
                form={form}
                pointer="/acceptedStatuses"
                label={texts.statuses}
                placeholder="200-299, 301"
                help={texts.statusesHelp}
              />
            </div>
          )}
          <HeadersField form={form} mustBeTyped={mustBeTyped} />
          {has('method') && (
            <>
              <TextField
                form={form}
                pointer="/body"
                label={texts.body}
                rows={4}
                isCode
                emptyAs={null}
              />
              <CheckField form={form} pointer="/followRedirects" label={texts.followRedirects} />
            </>
          )}
        </Section>
      )}
      {has('assertions') && (
        <Section title={texts.sections.expect} isOpen={hasAssertions}>
          <AssertionsField form={form} trial={trial} />
          {kind !== 'keyword' && <WordsFields form={form} />}
          <NumberField
            form={form}
            pointer="/degradedThresholdMs"
            label={texts.slow}
            unit="ms"
            placeholder={isNew ? String(usualSlowMs) : words.value.common.never}
            emptyAs={isNew ? undefined : null}
            help={texts.slowHelp}
          />
          {has('ignoreTlsErrors') && (
            <CheckField form={form} pointer="/ignoreTlsErrors" label={texts.ignoreTls} />
          )}
          {has('caCertificates') && (
            <TextField
              form={form}
              pointer="/caCertificates"
              label={texts.caCertificates}
              placeholder="-----BEGIN CERTIFICATE-----"
              rows={4}
              isCode
              emptyAs={null}
              help={texts.caCertificatesHelp}
            />
          )}
        </Section>
      )}
      {isPush && (
        <Section title={texts.sections.schedule}>
          <div class="form-row">
            <TextField
              form={form}
              pointer="/schedule"
              label={texts.cron}
              placeholder="0 3 * * *"
              isCode
              emptyAs={null}
              help={texts.cronHelp}
            />
            <TextField
              form={form}
              pointer="/timezone"
              label={texts.timezone}
              placeholder="UTC"
              emptyAs={undefined}
            />
          </div>
          <NumberField form={form} pointer="/maxRunSeconds" label={texts.maxRun} unit="s" />
        </Section>
      )}
      <Section title={texts.sections.alerts} isOpen>
        <ChannelsField form={form} />
        {has('failureThreshold') && (
          <div class="form-row">
            <NumberField form={form} pointer="/failureThreshold" label={texts.failures} />
            <NumberField form={form} pointer="/recoveryThreshold" label={texts.recoveries} />
            <NumberField
              form={form}
              pointer="/retryIntervalSeconds"
              label={texts.retry}
              unit="s"
              help={texts.retryHelp}
            />
          </div>
        )}
        <NumberField
          form={form}
          pointer="/reminderMinutes"
          label={texts.reminder}
          unit="min"
          help={texts.reminderHelp}
        />
      </Section>
      <Section title={texts.sections.about}>
        <ListField form={form} pointer="/tags" label={texts.tags} placeholder="web, production" />
        <TextField
          form={form}
          pointer="/description"
          label={texts.description}
          rows={3}
          emptyAs={null}
        />
        <TextField form={form} pointer="/runbookUrl" label={texts.runbook} emptyAs={null} isCode />
        <NumberField form={form} pointer="/sloPercent" label={texts.slo} unit="%" step={0.001} />
        <CheckField
          form={form}
          pointer="/isPublic"
          label={texts.isPublic}
          help={texts.publicHelp}
        />
      </Section>
    </>
  )
}

function Section(props: {
  title: string
  isOpen?: boolean | undefined
  children: ComponentChildren
}) {
  return (
    <details class="section" open={props.isOpen}>
      <summary>{props.title}</summary>
      <div class="section-inside">{props.children}</div>
    </details>
  )
}

/** What the body must contain, and what it must not. */
function WordsFields({ form }: { readonly form: Form<MonitorBody> }) {
  const texts = words.value.editor
  return (
    <div class="form-row">
      <TextField form={form} pointer="/bodyContains" label={texts.contains} emptyAs={null} />
      <TextField form={form} pointer="/bodyNotContains" label={texts.containsNot} emptyAs={null} />
    </div>
  )
}

/** An address is pasted here; kind, name and the address itself follow from it. */
function PasteField({ form }: { readonly form: Form<MonitorBody> }) {
  const texts = words.value.editor
  const guessedName = useRef('')
  function paste(text: string): void {
    const guess = guessMonitor(text)
    if (!guess) return
    // Only a name that was guessed is replaced.
    const isOwnName = form.get('/name') !== guessedName.current
    guessedName.current = guess.name
    form.set('/checkType', guess.checkType)
    form.set('/url', guess.url)
    if (!isOwnName) form.set('/name', guess.name)
  }
  return (
    <div class="field">
      <label for="paste">{texts.paste}</label>
      <input
        id="paste"
        class="code"
        type="text"
        ref={useFocusAtFirst<HTMLInputElement>(true)}
        autoComplete="off"
        placeholder="example.com"
        onInput={({ currentTarget: { value } }) => paste(value)}
      />
      <p class="help">{texts.pasteHelp}</p>
    </div>
  )
}
