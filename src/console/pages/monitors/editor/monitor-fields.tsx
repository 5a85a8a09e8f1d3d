// The fields of a monitor: what is checked first; everything that has a good default is folded away.

import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type CheckType, factsOf } from '../../../api/kinds.ts'
import { appliesTo, textOfKind } from '../../../base/json-schema.ts'
import {
  CheckField,
  Field,
  ListField,
  NumberField,
  SelectField,
  TextField,
  useFocusAtFirst,
} from '../../../parts/form/fields.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { Section } from '../../../parts/form/section.tsx'
import { later } from '../../../parts/page/later.tsx'
import { AddressWarning } from '../../../parts/text/address-warning.tsx'
import { Icon } from '../../../parts/text/icon.tsx'
import { NextRuns } from '../../../parts/text/schedule.tsx'
import { words } from '../../../words/words.ts'
import { ActionsField } from './actions-field.tsx'
import { ChannelsField } from './channels-field.tsx'
import { ConfirmationFields } from './confirmation-fields.tsx'
import { TlsFields, WayFields } from './connection-fields.tsx'
import { addressFor, type Guess, guessMonitor, isCurl, saysHow, takes } from './guess.ts'
import { HeadersField } from './headers-field.tsx'
import { IntervalChips } from './interval-chips.tsx'
import { mustBeTypedAgain, type StoredRequest, tokensComeFromElsewhere } from './kept-headers.ts'
import { KindGallery } from './kind-gallery.tsx'
import { AuthFields, LoginFields } from './login-fields.tsx'
import { MembersField } from './members-field.tsx'
import { PlacesField } from './places-field.tsx'
import { newStep } from './steps/step-model.ts'
import { AssertionsField } from './trial/assertions-field.tsx'
import { kindIn, type MonitorBody } from './trial/monitor-body.ts'

import type { Trial } from './trial/trial.ts'

const StepsField = later(() => import('./steps/steps-field.tsx').then((m) => m.StepsField))

export interface MonitorFieldsProps {
  readonly form: Form<MonitorBody>
  readonly trial: Trial
  readonly stored: StoredRequest | undefined
  /** It begins as a copy of another monitor. */
  readonly hasModel: boolean
}

/** A new monitor has it unless another one is given; one that is stored may have none. */
const usualSlowMs = 3_000

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

export function MonitorFields({ form, trial, stored, hasModel }: MonitorFieldsProps) {
  const texts = words.value.editor
  const kind = kindIn(form)
  const pasted = useSignal('')
  const { waitsForReports: isPush, isChecked, needsWords, message } = factsOf(kind)
  const has = (name: string) => appliesTo(form.schema, name, kind)
  const isNew = stored === undefined
  const way = { connectTo: form.get('/connectTo'), proxy: form.get('/proxy') }
  const mustBeTyped =
    mustBeTypedAgain(stored, form.get('/url'), way) ||
    tokensComeFromElsewhere(stored, form.get('/auth/tokenUrl'))
  const publicName = form.values.value.publicName || form.values.value.name
  const hasAssertions = (form.values.value.assertions ?? []).length > 0
  return (
    <>
      <AddressFields {...{ form, kind, isNew, hasModel, pasted }} />
      <TextField pointer="/name" label={texts.name} isRequired />
      {has('username') && !has('auth') && (
        <LoginFields form={form} mustBeTyped={mustBeTyped} hasSecret={has('secret')} />
      )}
      {has('game') && (
        <TextField
          pointer="/game"
          label={texts.game}
          placeholder="minecraft"
          help={texts.gameHelp}
          isCode
          isRequired
        />
      )}
      {has('steps') && <StepsField {...{ form, trial, stored, pasted }} />}
      {message && (
        <TextField
          pointer="/body"
          label={texts.messages[message.is]}
          placeholder={message.example}
          rows={2}
          isCode
          emptyAs={null}
        />
      )}
      {needsWords && <WordsFields />}
      {has('actions') && <ActionsField form={form} mustBeTyped={mustBeTyped} />}
      {has('memberIds') && <MembersField form={form} />}
      <div class="form-row">
        {(isChecked || isPush) && (
          <NumberField
            pointer="/intervalSeconds"
            label={isPush ? texts.period : texts.interval}
            unit="s"
            usual={300}
          />
        )}
        {has('timeoutMs') && <NumberField pointer="/timeoutMs" label={texts.timeout} unit="ms" />}
        {has('graceSeconds') && (
          <NumberField pointer="/graceSeconds" label={texts.grace} unit="s" />
        )}
      </div>
      {(isChecked || isPush) && <IntervalChips form={form} isPush={isPush} />}
      {has('headers') && (
        <Section
          title={texts.sections.request}
          isOpen={mustBeTyped || Boolean(form.get('/username'))}
        >
          {has('method') && (
            <div class="form-row">
              <SelectField
                pointer="/method"
                label={texts.method}
                choices={methods.map((value) => ({ value, text: value }))}
              />
              <ListField
                pointer="/acceptedStatuses"
                label={texts.statuses}
                placeholder="200-299, 301"
                help={texts.statusesHelp}
              />
            </div>
          )}
          <AuthFields form={form} mustBeTyped={mustBeTyped} isOfHttp={has('method')} />
          <HeadersField form={form} mustBeTyped={mustBeTyped} />
          {has('method') && (
            <>
              <TextField pointer="/body" label={texts.body} rows={4} isCode emptyAs={null} />
              <CheckField pointer="/followRedirects" label={texts.followRedirects} />
            </>
          )}
        </Section>
      )}
      {has('assertions') && (
        <Section
          title={has('steps') ? texts.steps.together : texts.sections.expect}
          isOpen={hasAssertions}
        >
          <AssertionsField form={form} trial={trial} />
          {!needsWords && <WordsFields />}
          <CheckField
            pointer="/isUpsideDown"
            label={texts.upsideDown}
            help={texts.upsideDownHelp}
          />
          <NumberField
            pointer="/degradedThresholdMs"
            label={texts.slow}
            unit="ms"
            placeholder={words.value.common.never}
            usual={isNew ? usualSlowMs : undefined}
            emptyAs={isNew ? undefined : null}
            help={texts.slowHelp}
          />
          <TlsFields form={form} mustBeTyped={mustBeTyped} has={has} />
          {has('proxy') && <WayFields has={has} />}
        </Section>
      )}
      {isPush && (
        <Section title={texts.sections.schedule}>
          <div class="form-row">
            <TextField
              pointer="/schedule"
              label={texts.cron}
              placeholder="0 3 * * *"
              isCode
              emptyAs={null}
              help={texts.cronHelp}
            />
            <TextField
              pointer="/timezone"
              label={texts.timezone}
              placeholder="UTC"
              emptyAs={undefined}
            />
          </div>
          <NextRuns cron={form.get('/schedule')} zone={String(form.get('/timezone') ?? 'UTC')} />
          <NumberField pointer="/maxRunSeconds" label={texts.maxRun} unit="s" />
        </Section>
      )}
      {has('locations') && (
        <Section
          title={texts.sections.places}
          isOpen={(form.values.value.locations ?? []).length > 0}
        >
          <PlacesField form={form} />
        </Section>
      )}
      <Section title={texts.sections.alerts} isOpen>
        <ChannelsField form={form} />
        {has('failureThreshold') && <ConfirmationFields form={form} />}
        {has('degradedOpensIncident') && (
          <CheckField pointer="/degradedOpensIncident" label={texts.degradedOpens} />
        )}
        <NumberField
          pointer="/reminderMinutes"
          label={texts.reminder}
          unit="min"
          help={texts.reminderHelp}
        />
      </Section>
      <Section title={texts.sections.about}>
        <ListField pointer="/tags" label={texts.tags} placeholder="web, production" />
        <TextField pointer="/description" label={texts.description} rows={3} emptyAs={null} />
        <TextField pointer="/runbookUrl" label={texts.runbook} emptyAs={null} isCode />
        <NumberField pointer="/sloPercent" label={texts.slo} unit="%" step={0.001} />
        <CheckField pointer="/isPublic" label={texts.isPublic} help={texts.publicHelp} />
        <TextField
          pointer="/publicName"
          label={texts.publicName}
          help={texts.publicNameHelp}
          placeholder={form.values.value.name}
          emptyAs={null}
        />
        {form.get('/isPublic') === true && <AddressWarning name={publicName} />}
      </Section>
    </>
  )
}

/** In the order of their texts; the kinds that nobody wrote texts for yet are the last. */
function kindsOf({ schema }: Form<MonitorBody>): readonly string[] {
  const known = (schema?.properties?.checkType?.enum ?? []).map(String)
  return [...new Set([...Object.keys(words.value.editor.kinds), ...known])]
}

/** What the body must contain, and what it must not. */
function WordsFields() {
  const texts = words.value.editor
  return (
    <div class="form-row">
      <TextField pointer="/bodyContains" label={texts.contains} emptyAs={null} />
      <TextField pointer="/bodyNotContains" label={texts.containsNot} emptyAs={null} />
    </div>
  )
}

interface AddressFieldsProps {
  readonly form: Form<MonitorBody>
  readonly kind: CheckType
  readonly isNew: boolean
  readonly hasModel: boolean
  /** A command that somebody wants steps of. */
  readonly pasted: Signal<string>
}

/**
 * The address and the kind of check, which follow from each other: an address that names another kind
 * chooses it, and another kind rewrites the address.
 */
function AddressFields({ form, kind, isNew, hasModel, pasted }: AddressFieldsProps) {
  const texts = words.value.editor
  const typed = useSignal('')
  const command = useSignal('')
  const [stepsKind] = (form.schema?.properties?.steps?.['x-kinds'] ?? []) as CheckType[]
  const guessedName = useRef('')
  const isChosen = useRef(hasModel)
  const element = useFocusAtFirst<HTMLInputElement>(isNew && !hasModel)
  const url = String(form.get('/url') ?? '')

  /** The kind of a stored monitor stays: an address that says another one is left for the service. */
  function understood(text: string): Omit<Guess, 'name'> {
    const guess = guessMonitor(text)
    if (!guess || takes(kind, guess.url)) {
      return { ...guess, checkType: kind, url: addressFor(kind, text) }
    }
    const isSaid = saysHow(text)
    if (!isNew && isSaid) return { checkType: kind, url: text }
    return isSaid || (isNew && !isChosen.current)
      ? guess
      : { checkType: kind, url: addressFor(kind, text) }
  }

  function type(text: string): void {
    const next = understood(text)
    typed.value = text
    if (!isCurl(text)) command.value = ''
    else if (isNew && command.value === '') command.value = text
    if (next.checkType !== kind) form.set('/checkType', next.checkType)
    form.set('/url', next.url)
    if (next.username !== undefined) form.set('/username', next.username)
    if (next.password !== undefined) form.set('/password', next.password, { isSecret: true })
    const name = guessMonitor(text)?.name
    // Only a name that was guessed is replaced.
    if (!isNew || name === undefined || form.get('/name') !== guessedName.current) return
    guessedName.current = name
    form.set('/name', name)
  }

  function choose(chosen: CheckType): void {
    isChosen.current = true
    form.set('/checkType', chosen)
    form.set('/url', addressFor(chosen, url))
    if (chosen === stepsKind && form.get('/steps') === undefined) {
      form.set('/steps', [newStep(texts.steps.newName({ number: 1 }))])
    }
  }

  // What is typed stays as it is until the field is left; then it shows what was understood.
  const shown = understood(typed.value).url === url ? typed.value : url
  return (
    <>
      {factsOf(kind).isChecked && (
        <Field pointer="/url" label={texts.url} isRequired help={isNew ? texts.urlHelp : undefined}>
          {(control) => (
            <input
              {...control}
              ref={element}
              class="code"
              type="text"
              autoComplete="off"
              spellcheck={false}
              placeholder={factsOf(kind).example}
              value={shown}
              onInput={({ currentTarget: { value } }) => type(value)}
              onPaste={({ clipboardData }) => {
                // The field itself leaves out the ends of lines.
                const text = clipboardData?.getData('text/plain') ?? ''
                if (isNew && isCurl(text)) command.value = text
              }}
              onBlur={(event) => {
                typed.value = ''
                control.onBlur(event)
              }}
            />
          )}
        </Field>
      )}
      {stepsKind && command.value !== '' && (
        <div class="note">
          <p>{texts.steps.import.offer}</p>
          <button
            type="button"
            onClick={() => {
              choose(stepsKind)
              pasted.value = command.value
              command.value = ''
            }}
          >
            {texts.steps.import.make}
          </button>
        </div>
      )}
      {isNew ? (
        <KindGallery
          form={form}
          kinds={kindsOf(form) as readonly CheckType[]}
          chosen={kind}
          onChoose={choose}
        />
      ) : (
        <p class="kind is-fixed">
          <Icon of={factsOf(kind).icon} />
          {textOfKind(texts.kinds, kind) ?? kind}
        </p>
      )}
    </>
  )
}
