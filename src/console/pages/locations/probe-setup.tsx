// Sets up a probe: its name, then the command that runs it, and what is heard of it meanwhile.

import schema from 'schema:locations.createProbe'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { type Body, type Data, everyPage, fetchData, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { outward } from '../../base/base-path.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { Choices } from '../../parts/page/choices.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { usePoll } from '../../parts/page/poll.ts'
import { Copyable } from '../../parts/text/copyable.tsx'
import { words } from '../../words/words.ts'
import { type LocationEntry, locationTones, type ProbeEntry } from './location.ts'
import { useLocationOwner } from './location-owner.ts'
import {
  containerCommand,
  containerSetting,
  imageCommand,
  isOwnMachine,
  systemdCommands,
  systemdSetting,
} from './probe-commands.ts'

type MintedProbe = Data<'locations.createProbe'>

export interface AddProbeProps {
  readonly location: LocationEntry
  readonly onChange: () => void
}

export function AddProbe({ location: entry, onChange }: AddProbeProps) {
  const texts = words.value.locations
  const isOpen = useSignal(false)
  const made = useSignal<MintedProbe | undefined>(undefined)
  function close(): void {
    isOpen.value = false
    made.value = undefined
    onChange()
  }
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {texts.addProbe}
      </button>
      {isOpen.value && made.value === undefined && (
        <Dialog title={texts.addProbe} onClose={close}>
          <NewProbe locationId={entry.id} onMade={(probe) => (made.value = probe)} />
        </Dialog>
      )}
      {made.value && (
        <ProbeSetup probe={made.value} onClose={close}>
          <FirstWords location={entry} probeId={made.value.id} />
        </ProbeSetup>
      )}
    </>
  )
}

interface NewProbeProps {
  readonly locationId: string
  readonly onMade: (probe: MintedProbe) => void
}

function NewProbe({ locationId, onMade }: NewProbeProps) {
  const texts = words.value.locations
  const owner = useLocationOwner()
  const form = useForm<Body<'locations.createProbe'>>(
    () => ({
      schema,
      draft: `probe ${locationId}`,
      initial: { name: '' },
      submit: async (body) => {
        const path = { ...owner.path, locationId }
        onMade(await fetchData(owner.operation('createProbe'), { path, body }))
      },
    }),
    [locationId],
  )
  return (
    <FormFrame form={form} submitText={texts.addProbe}>
      <TextField
        pointer="/name"
        label={texts.probeName}
        placeholder="fra-1"
        help={texts.probeNameHelp}
        isRequired
        shouldFocus
      />
    </FormFrame>
  )
}

const ways = ['container', 'systemd'] as const

export interface ProbeSetupProps {
  readonly probe: MintedProbe
  readonly onClose: () => void
  /** What is heard of it. */
  readonly children?: ComponentChildren
}

/** It is closed by its button alone, because the token is not shown again. */
export function ProbeSetup({ probe: { name, token }, onClose, children }: ProbeSetupProps) {
  const { setup: texts } = words.value.locations
  const way = useSignal<(typeof ways)[number]>('container')
  const server = new URL(outward('/'), location.href).href.replace(/\/$/, '')
  const isContainer = way.value === 'container'
  return (
    <Dialog title={texts.title({ name })} isWide>
      <p>{texts.tokenAbout}</p>
      <Copyable text={token} label={texts.token} />
      <Choices
        label={texts.way}
        all={ways}
        chosen={way.value}
        textOf={(name) => texts[name]}
        onChoose={(name) => (way.value = name)}
      />
      <p>{isContainer ? texts.containerAbout({ command: imageCommand }) : texts.systemdAbout}</p>
      <Copyable
        isBlock
        label={texts.command}
        text={(isContainer ? containerCommand : systemdCommands)({ server, token })}
      />
      {isOwnMachine(server) ? (
        <p class="note is-degraded">{texts.loopback}</p>
      ) : (
        <p class="faint">{texts.reaches({ address: server })}</p>
      )}
      <p class="faint">
        {texts.private({ setting: isContainer ? containerSetting : systemdSetting })}
      </p>
      {children}
      <div class="form-foot">
        <button type="button" class="primary" onClick={onClose}>
          {words.value.common.actions.close}
        </button>
      </div>
    </Dialog>
  )
}

const lookMs = 2_000

interface FirstWordsProps {
  readonly location: LocationEntry
  readonly probeId: string
}

/** Whether it is heard, and what it has seen, while somebody sets it up. */
function FirstWords({ location: entry, probeId }: FirstWordsProps) {
  const owner = useLocationOwner()
  const path = { ...owner.path, locationId: entry.id }
  const probes = useResource(
    (signal) => wholeList(everyPage(owner.operation('listProbes'), { path, query: {}, signal })),
    [entry.id],
  )
  usePoll(true, probes.reload, lookMs)
  return (
    <div class="first-words" role="status">
      <Loaded of={probes}>
        {(all) => (
          <FirstWordsOf probe={all.find(({ id }) => id === probeId)} monitors={entry.monitors} />
        )}
      </Loaded>
    </div>
  )
}

interface FirstWordsOfProps {
  readonly probe: ProbeEntry | undefined
  /** How many the location checks. */
  readonly monitors: number
}

function FirstWordsOf({ probe, monitors }: FirstWordsOfProps) {
  const { setup: texts } = words.value.locations
  if (probe?.state !== 'live') return <p class={`state ${locationTones.empty}`}>{texts.waiting}</p>
  const { address, version, load } = probe
  const checks = load?.checks ?? 0
  return (
    <>
      <p class={`state ${locationTones.live}`}>
        {texts.connected({ address: address ?? '–', version: version ?? '–' })}
      </p>
      {checks > 0 ? (
        <p class={`state ${locationTones.live}`}>{texts.firstResult({ count: checks })}</p>
      ) : monitors > 0 ? (
        <p class={`state ${locationTones.empty}`}>{texts.waitingResult}</p>
      ) : (
        <p class="faint">{texts.noMonitors}</p>
      )}
    </>
  )
}
