// The form of a channel, made from the schema of its type.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso/router'
import { fetchData } from '../../api/client.ts'
import type { JsonSchema } from '../../base/json-schema.ts'
import { changeOf } from '../../base/merge.ts'
import { ShownOnce } from '../../parts/dialog/shown-once.tsx'
import { tell } from '../../parts/dialog/toast.tsx'
import {
  CheckField,
  type FieldProps,
  ListField,
  NumberField,
  SelectField,
  TextField,
} from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { RecordField } from '../../parts/form/record-field.tsx'
import { Section } from '../../parts/form/section.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import type { Channel } from './channel-health.tsx'
import {
  bodySchema,
  type ChannelBody,
  type ChannelTypeInfo,
  proposedConfig,
} from './channel-types.ts'
import { TestResult, useTest } from './testing.tsx'

type Config = Readonly<Record<string, unknown>>

export interface ChannelFormProps {
  readonly info: ChannelTypeInfo
  readonly stored: Channel | undefined
  readonly onSaved?: (channel: Channel) => void
  /** A test was sent, which changes what is known of a stored channel. */
  readonly onTested?: () => void
  /** Beside its buttons. */
  readonly more?: ComponentChildren
}

const severities = ['degraded', 'down'] as const

/** Made by the service, or only for the change of a secret. */
const notAsked = new Set(['previousSecret', 'previousSecretUntil', 'publicKey'])

export function ChannelForm({ info, stored, onSaved, onTested, more }: ChannelFormProps) {
  const { route } = useLocation()
  const texts = words.value.channels
  const path = { orgId: orgId() }
  const made = useSignal<Channel | undefined>(undefined)
  function finish(channel: Channel): void {
    if (!onSaved) {
      tell(channel.health.state === 'untested' ? texts.created : texts.added)
      route(`/app/channels/${channel.id}`)
    } else onSaved(channel)
  }
  const test = useTest(() => onTested?.())
  const form = useForm<ChannelBody>(
    () => ({
      schema: bodySchema(info),
      draft: `channel ${stored?.id ?? info.type}`,
      initial: stored
        ? bodyOf(stored)
        : { name: info.title, type: info.type, config: proposedConfig(info) },
      stored: stored && {
        record: stored,
        read: () => fetchData('alert-channels.get', { path: { ...path, channelId: stored.id } }),
        shownOf: bodyOf,
      },
      submit: async (body, revision, before) => {
        if (stored) {
          const { type: _, ...changes } = changeOf(before, body)
          const config = changedConfig(before, body)
          const saved = await fetchData('alert-channels.change', {
            path: { ...path, channelId: stored.id },
            body: { ...changes, config },
            revision,
          })
          tell(texts.saved)
          // A secret that was emptied is made anew.
          if (config.secret === null && secretOf(saved) !== undefined) made.value = saved
          else onSaved?.(saved)
          return saved
        }
        const channel = await fetchData('alert-channels.create', { path, body })
        const wasGiven = (body.config as { readonly secret?: string }).secret !== undefined
        if (wasGiven || secretOf(channel) === undefined) finish(channel)
        else made.value = channel
        return undefined
      },
    }),
    [stored?.id],
  )
  const { first, folded } = fieldsOf(info)
  const field = ([name, schema]: readonly [string, JsonSchema]) => (
    <ConfigField
      key={name}
      type={info.type}
      name={name}
      schema={schema}
      isRequired={info.config.required?.includes(name) ?? false}
    />
  )
  return (
    <FormFrame
      form={form}
      more={more}
      submitText={stored ? words.value.common.actions.save : texts.create}
      trial={{
        text: texts.test,
        run: () =>
          form.tryOut((body, before) =>
            test.send(
              body,
              stored && {
                channelId: stored.id,
                name: body.name,
                config: changedConfig(before, body),
              },
            ),
          ),
      }}
    >
      {made.value && (
        <ShownOnce
          title={texts.newSecret}
          about={texts.newSecretAbout}
          secret={secretOf(made.value) ?? ''}
          onClose={() => made.value && finish(made.value)}
        />
      )}
      <Instructions text={info.description} />
      <TextField pointer="/name" label={texts.name} isRequired />
      <div class="as-is" lang={words.value.channelFields ? undefined : 'en'}>
        {first.map(field)}
        {folded.length > 0 && (
          <Section title={texts.more} isOpen={folded.some(([name]) => isSet(stored?.config[name]))}>
            {folded.map(field)}
          </Section>
        )}
      </div>
      <Section title={texts.rules}>
        <CheckField pointer="/isDefault" label={texts.defaultLabel} help={texts.defaultHelp} />
        <div class="form-row">
          <SelectField
            pointer="/minSeverity"
            label={texts.minSeverity}
            none={texts.usual}
            choices={severities.map((value) => ({ value, text: texts.severities[value] }))}
          />
          <NumberField
            pointer="/delayMinutes"
            label={texts.delay}
            unit="min"
            help={texts.delayHelp}
          />
        </div>
        <ListField pointer="/tags" label={texts.tags} help={texts.tagsHelp} />
        <CheckField pointer="/isActive" label={texts.isActive} />
      </Section>
      <TestResult test={test} />
    </FormFrame>
  )
}

/** As many fields that may stay empty as are no burden beside those that may not. */
const besideMax = 2

/** The fields of the config: what must be filled in is first, and many others are folded away. */
function fieldsOf({ config }: ChannelTypeInfo) {
  const asked = Object.entries(config.properties ?? {}).filter(([name]) => !notAsked.has(name))
  const needed = asked.filter(([name]) => config.required?.includes(name))
  const others = asked.filter(([name]) => !config.required?.includes(name))
  if (needed.length === 0 || others.length <= besideMax) return { first: asked, folded: [] }
  return { first: needed, folded: others }
}

const isSet = (value: unknown) => value !== undefined && value !== null

function changedConfig(before: ChannelBody, body: ChannelBody): Config {
  return changeOf(before.config as Config, body.config as Config, { isDeep: true })
}

/** What the service made for signatures; later answers mask it. */
function secretOf({ config }: Channel): string | undefined {
  return typeof config.secret === 'string' ? config.secret : undefined
}

function bodyOf({ name, type, config, ...rest }: Channel): ChannelBody {
  const { isActive, isDefault, events, minSeverity, delayMinutes, tags, quietHours } = rest
  const rules = { isActive, isDefault, events, minSeverity, delayMinutes, tags, quietHours }
  return { name, type, config, ...rules }
}

/** Plain text of the API, in which `words` are to be written exactly and <addresses> are links. */
function Instructions({ text }: { readonly text: string }) {
  return (
    <div class="instructions">
      {text.split('\n\n').map((paragraph) => (
        <p key={paragraph} lang={words.value.said(paragraph) === undefined ? 'en' : undefined}>
          {(words.value.said(paragraph) ?? paragraph)
            .split(/(`[^`]+`|<https?:[^>]+>)/)
            .map((part, index) => {
              const key = `${index} ${part}`
              if (part.startsWith('`')) return <code key={key}>{part.slice(1, -1)}</code>
              if (!/^<https?:/.test(part)) return part
              const href = part.slice(1, -1)
              return (
                <a key={key} href={href} rel="noreferrer">
                  {href}
                </a>
              )
            })}
        </p>
      ))}
    </div>
  )
}

interface ConfigFieldProps {
  readonly type: ChannelBody['type']
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

const secret = /token|secret|password|key|webhookUrl/i

function ConfigField({ type, name, schema, isRequired }: ConfigFieldProps) {
  const real = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema
  const [example] = (schema as { readonly examples?: readonly unknown[] }).examples ?? []
  const shared = {
    pointer: `/config/${name}`,
    ...fieldWords(type, name, schema.description),
    isRequired,
  }
  if (real.enum) {
    const choices = real.enum.map((value) => ({ value: String(value), text: String(value) }))
    return <SelectField {...shared} choices={choices} none={words.value.channels.usual} />
  }
  switch (real.type) {
    case 'boolean':
      return <CheckField {...shared} />
    case 'integer':
    case 'number':
      return <NumberField {...shared} placeholder={String(example ?? '')} />
    case 'array':
      return <ListField {...shared} placeholder={textOf(example)} />
    case 'object':
      return <RowsField {...shared} example={example} />
    default:
      return (
        <TextField
          {...shared}
          placeholder={textOf(example)}
          emptyAs={undefined}
          isCode={secret.test(name) || /url|id$/i.test(name)}
        />
      )
  }
}

interface RowsFieldProps extends FieldProps {
  readonly example: unknown
}

/** A record, such as labels or headers. */
function RowsField({ example, ...field }: RowsFieldProps) {
  const texts = words.value.channels.rows
  const [name = ''] = Object.keys((example ?? {}) as object)
  return (
    <RecordField
      {...field}
      nameLabel={texts.name}
      valueLabel={texts.value}
      placeholder={name}
      addText={texts.add}
      isSecret
      emptyAs={undefined}
    />
  )
}

/** The label of a field of the config, and its help. */
export function fieldWords(type: ChannelBody['type'], name: string, description?: string) {
  const known = words.value.channelFields?.[type]?.[name]
  return known ?? { label: titleOf(name), help: sentence(description) }
}

const textOf = (example: unknown) =>
  Array.isArray(example) ? example.join(', ') : String(example ?? '')

/** The descriptions of the API are parts of sentences. Names and addresses stay as they are. */
function sentence(text: string | undefined): string | undefined {
  const plain = text?.replaceAll('`', '')
  if (!text || !plain) return undefined
  const isName = text.startsWith('`') || /^https?\b/.test(text)
  return `${isName ? plain : plain.charAt(0).toUpperCase() + plain.slice(1)}.`
}

/** botToken becomes Bot token: the API has the providers' names. */
function titleOf(name: string): string {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return (spaced.charAt(0).toUpperCase() + spaced.slice(1)).replace(/\b(url|id|api)\b/gi, (word) =>
    word.toUpperCase(),
  )
}
