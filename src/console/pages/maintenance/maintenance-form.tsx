// The form of planned work: once, or by a schedule; for some monitors, tags, or all monitors.

import schema from 'schema:maintenance-windows.create'
import { useSignal } from '@preact/signals'
import { fetchData, type Item } from '../../api/client.ts'
import { changeOf } from '../../base/merge.ts'
import { ownZone } from '../../base/zone.ts'
import { CheckField, Field, NumberField, TextField } from '../../parts/form/fields.tsx'
import { type Form, useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { TemplateBar } from '../../parts/form/template-bar.tsx'
import { NextRuns } from '../../parts/text/schedule.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import type { MaintenanceWindow } from './maintenance-window.ts'
import type { WindowBody } from './scope-field.tsx'
import { AllQuestion, ScopeField, type WindowScope } from './scope-field.tsx'
import { ScheduleZone, scheduleZone, TimesZone } from './zones.tsx'

/** To the API, a window without monitors and tags is for all monitors; here a person must choose that. */
const strictSchema = {
  ...schema,
  required: [...(schema.required ?? []), 'isForAll'],
  allOf: [{ properties: { monitorIds: { minItems: 1 }, tags: { minItems: 1 } } }],
}

export interface MaintenanceFormProps {
  readonly stored: MaintenanceWindow | undefined
  readonly onDone: () => void
}

function beginning(stored: MaintenanceWindow | undefined): WindowBody {
  if (stored) {
    const { name, description, startsAt, endsAt, isPublic } = stored
    const { cron, durationMinutes, timezone } = stored
    const schedule = cron === null ? { startsAt, endsAt } : { cron, durationMinutes, timezone }
    return { name, description, isPublic, ...scopeOf(stored), ...schedule }
  }
  const nowMs = Date.now()
  const startsAt = new Date(nowMs).toISOString()
  return { name: '', startsAt, endsAt: new Date(nowMs + 3_600_000).toISOString() }
}

/** A list that is null is not a part of the choice. */
function scopeOf({ monitorIds, tags, isForAll }: MaintenanceWindow): WindowScope {
  return {
    isForAll,
    monitorIds: monitorIds.length > 0 ? monitorIds : null,
    tags: tags.length > 0 ? tags : null,
  }
}

export function MaintenanceForm({ stored, onDone }: MaintenanceFormProps) {
  const { maintenance: texts, common } = words.value
  const answer = useSignal<((isConfirmed: boolean) => void) | undefined>(undefined)
  const form = useForm<WindowBody>(
    () => ({
      schema: strictSchema,
      draft: `maintenance ${stored?.id ?? 'new'}`,
      initial: beginning(stored),
      stored: stored && {
        record: stored,
        read: () =>
          fetchData('maintenance-windows.get', {
            path: { orgId: orgId(), maintenanceId: stored.id },
          }),
        shownOf: beginning,
      },
      confirm: async ({ isForAll }) => {
        if (!isForAll || stored?.isForAll) return true
        const isConfirmed = await new Promise<boolean>((resolve) => {
          answer.value = resolve
        })
        answer.value = undefined
        return isConfirmed
      },
      submit: async (body, revision, before) => {
        const path = { orgId: orgId() }
        if (!stored) return void (await fetchData('maintenance-windows.create', { path, body }))
        await fetchData('maintenance-windows.change', {
          path: { ...path, maintenanceId: stored.id },
          body: changeOf(before, body),
          revision,
        })
      },
    }),
    [stored?.id],
  )
  // A draft that is back may be of another kind than a new form.
  const isRecurring = form.get('/cron') !== undefined
  function recur(isOn: boolean): void {
    const { startsAt, endsAt } = beginning(undefined)
    const once = { startsAt, endsAt }
    const again = { cron: '0 3 * * 0', durationMinutes: 60, timezone: ownZone() }
    for (const name of Object.keys(isOn ? once : again)) form.set(`/${name}`, undefined)
    for (const [name, value] of Object.entries(isOn ? again : once)) form.set(`/${name}`, value)
  }
  return (
    <FormFrame form={form} submitText={stored ? common.actions.save : texts.add} onDone={onDone}>
      {!stored && (
        <TemplateBar
          kind="maintenance"
          onChoose={(template) => begin(form, template)}
          made={() => templateOf(form.values.value)}
        />
      )}
      <TextField pointer="/name" label={texts.name} isRequired shouldFocus />
      {!stored && (
        <label class="inline">
          <input
            type="checkbox"
            checked={isRecurring}
            onChange={({ currentTarget: { checked } }) => recur(checked)}
          />
          {texts.recurring}
        </label>
      )}
      {isRecurring ? (
        <>
          <div class="form-row">
            <TextField pointer="/cron" label={texts.cron} isCode help={texts.cronHelp} />
            <NumberField pointer="/durationMinutes" label={texts.duration} unit="min" />
            <TextField pointer="/timezone" label={texts.timezone} />
          </div>
          <NextRuns cron={form.get('/cron')} zone={scheduleZone(form.get('/timezone'))} />
          <ScheduleZone zone={form.get('/timezone')} />
        </>
      ) : (
        <>
          <div class="form-row">
            <LocalTimeField form={form} pointer="/startsAt" label={texts.from} />
            <LocalTimeField form={form} pointer="/endsAt" label={texts.to} />
          </div>
          <TimesZone from={form.get('/startsAt')} to={form.get('/endsAt')} />
        </>
      )}
      <ScopeField form={form} />
      <TextField pointer="/description" label={texts.description} rows={3} emptyAs={null} />
      <CheckField pointer="/isPublic" label={texts.isPublic} />
      {answer.value && <AllQuestion onAnswer={answer.value} />}
    </FormFrame>
  )
}

const minuteMs = 60_000

/** A template without a scope leaves the choice as it is. */
function begin(form: Form<WindowBody>, template: Item<'templates.list'>): void {
  const { title, text, isPublic, monitorIds, tags, durationMinutes } = template
  const values: Record<string, unknown> = { name: title, description: text || null, isPublic }
  if (monitorIds.length + tags.length > 0) {
    values.isForAll = false
    values.monitorIds = monitorIds.length > 0 ? monitorIds : null
    values.tags = tags.length > 0 ? tags : null
  }
  const { startsAt, cron } = form.values.value
  if (durationMinutes !== null && cron) values.durationMinutes = durationMinutes
  else if (durationMinutes !== null && startsAt) {
    values.endsAt = new Date(Date.parse(startsAt) + durationMinutes * minuteMs).toISOString()
  }
  for (const [name, value] of Object.entries(values)) form.set(`/${name}`, value)
}

function templateOf(window: WindowBody) {
  const { name, description, isPublic, monitorIds, tags, startsAt, endsAt } = window
  const lastsMs = startsAt && endsAt ? Date.parse(endsAt) - Date.parse(startsAt) : 0
  const minutes = window.durationMinutes ?? Math.round(lastsMs / minuteMs)
  return {
    title: name,
    text: description ?? '',
    isPublic: isPublic ?? false,
    monitorIds: monitorIds ?? [],
    tags: tags ?? [],
    durationMinutes: minutes > 0 ? minutes : null,
  }
}

interface LocalTimeFieldProps {
  readonly form: Form<WindowBody>
  readonly pointer: string
  readonly label: string
}

/** The browser's control knows local times only; the API takes UTC. */
function LocalTimeField(props: LocalTimeFieldProps) {
  const { form, pointer } = props
  const stored = form.get(pointer)
  const local = typeof stored === 'string' ? localText(new Date(stored)) : ''
  return (
    <Field {...props}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          value={local}
          onInput={({ currentTarget: { value } }) => {
            const date = new Date(value)
            form.set(pointer, Number.isNaN(date.getTime()) ? null : date.toISOString())
          }}
        />
      )}
    </Field>
  )
}

function localText(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
