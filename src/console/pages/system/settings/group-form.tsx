// The settings of a group, each in the field that its kind asks for.
import { fetchData } from '../../../api/client.ts'
import { tell } from '../../../parts/dialog/toast.tsx'
import {
  CheckField,
  ListField,
  NumberField,
  SelectField,
  TextField,
} from '../../../parts/form/fields.tsx'
import { useForm } from '../../../parts/form/form.ts'
import { FormFrame } from '../../../parts/form/form-frame.tsx'
import { words } from '../../../words/words.ts'
import { AddressResult, useAddressTrial } from './address-trial.tsx'
import { BucketResult, useBucketTrial } from './bucket-trial.tsx'
import { SettingHelp } from './setting-help.tsx'
import {
  choiceText,
  type GroupProps,
  isLocked,
  type Setting,
  settingTitle,
} from './settings-model.ts'

type Values = Readonly<Record<string, unknown>>

/** Tries what the form says before it is stored. Throws ApiProblem. */
interface GroupTrial {
  run(values: Values, settings: readonly Setting[]): Promise<void>
}

export function GroupForm({ group: { name, settings }, onSaved }: GroupProps) {
  const { settings: texts, common } = words.value
  const section = settings[0]?.path.split('.')[0] ?? ''
  const isRestartSaid = settings.every(({ isLive }) => !isLive)
  const initial: Values = Object.fromEntries(settings.map((one) => [one.name, formValue(one)]))
  const trial = useAddressTrial()
  const form = useForm(
    () => ({
      initial: { [section]: initial },
      draft: `settings:${name}`,
      ids: `settings-${name}`,
      submit: async (values: Readonly<Record<string, Values>>) => {
        const changes = changesOf(values[section] ?? {}, initial, settings)
        await fetchData('settings.change', { body: { [section]: changes } })
        tell(texts.saved)
        onSaved()
      },
    }),
    [JSON.stringify(initial)],
  )
  const bucketTrial = useBucketTrial()
  const trials: Readonly<Record<string, { readonly text: string; readonly trial: GroupTrial }>> = {
    address: { text: texts.address.check, trial },
    bucket: { text: texts.bucket.test, trial: bucketTrial },
  }
  const own = trials[name]
  const runTrial = () =>
    form.tryOut(async (values) => own?.trial.run(values[section] ?? {}, settings))
  return (
    <FormFrame
      form={form}
      submitText={common.actions.save}
      {...(own ? { trial: { text: own.text, run: runTrial } } : {})}
    >
      {isRestartSaid && <p class="help">{texts.afterRestart}</p>}
      <div class={areNumbers(settings) ? 'form-row' : 'form'}>
        {settings.map((setting) => (
          <SettingField key={setting.path} setting={setting} isRestartSaid={isRestartSaid} />
        ))}
      </div>
      {name === 'address' && <AddressResult trial={trial} />}
      {name === 'bucket' && <BucketResult trial={bucketTrial} />}
    </FormFrame>
  )
}

/** A choice that is not made has a line of its own in the list. */
const formValue = ({ form, value }: Setting): unknown =>
  form.type === 'choice' && value === null ? '' : value

/** Short fields stand side by side. */
const areNumbers = (settings: readonly Setting[]): boolean =>
  settings.length > 2 && settings.every(({ form }) => form.type === 'number')

/** What is empty, or as the default, has no value of its own any more. */
function changesOf(values: Values, before: Values, settings: readonly Setting[]): Values {
  const changed = settings.filter(
    (one) =>
      !isLocked(one) && JSON.stringify(values[one.name]) !== JSON.stringify(before[one.name]),
  )
  return Object.fromEntries(
    changed.map(({ name, default: usual }) => {
      const value = values[name]
      const isUsual = JSON.stringify(value) === JSON.stringify(usual)
      return [name, value === undefined || value === '' || isUsual ? null : value]
    }),
  )
}

interface SettingFieldProps {
  readonly setting: Setting
  readonly isRestartSaid: boolean
}

function SettingField({ setting, isRestartSaid }: SettingFieldProps) {
  const { path, example } = setting
  const field = {
    pointer: `/${path.replace('.', '/')}`,
    label: settingTitle(path),
    isDisabled: isLocked(setting),
    help: <SettingHelp setting={setting} isRestartSaid={isRestartSaid} />,
  }
  const placeholder = String(example ?? '')
  switch (setting.form.type) {
    case 'flag':
      return <CheckField {...field} />
    case 'number':
      return <NumberField {...field} placeholder="" unit={unitOf(setting.name)} />
    case 'choice':
      return (
        <SelectField
          {...field}
          choices={[
            ...(setting.default === null ? [{ value: '', text: words.value.settings.unset }] : []),
            ...setting.form.choices.map((value) => ({ value, text: choiceText(path, value) })),
          ]}
        />
      )
    case 'list':
      return <ListField {...field} />
    default:
      return (
        <TextField
          {...field}
          placeholder={placeholder}
          type={setting.isSecret ? 'password' : 'text'}
          emptyAs={null}
        />
      )
  }
}

const units = [
  ['Seconds', 'seconds'],
  ['Hours', 'hours'],
  ['Days', 'days'],
  ['Mib', 'mib'],
] as const

/** The unit is the end of a name. */
function unitOf(name: string): string {
  const unit = units.find(([end]) => name.endsWith(end))?.[1]
  return unit === undefined ? '' : words.value.settings.units[unit]
}
