// The first status page, with every public monitor. The names that others will see are asked for.
import { fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { AddressWarning } from '../../parts/text/address-warning.tsx'
import { organization, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import {
  isNameAnAddress,
  type NamedMonitor,
  publicNameOf,
  suggestedName,
} from '../status-pages/public-name.tsx'

export interface PageStepProps {
  /** The monitor of the step before, which the page shows. */
  readonly monitorId: string | undefined
  readonly onDone: (url: string) => void
  readonly onSkip: () => void
}

export function PageStep(props: PageStepProps) {
  const { page: texts } = words.value.setup
  const asked = useResource((signal) => loadAsked(props.monitorId, signal), [])
  return (
    <>
      <h2>{texts.title}</h2>
      <p class="faint">{texts.about}</p>
      <Loaded of={asked}>{(monitors) => <PageForm {...props} monitors={monitors} />}</Loaded>
    </>
  )
}

/** The monitor of the first run, and public ones whose names hold an address. */
async function loadAsked(
  monitorId: string | undefined,
  signal: AbortSignal,
): Promise<readonly NamedMonitor[]> {
  const path = { orgId: orgId() }
  const all = await fetchData('monitors.list', { path, query: { limit: 200 }, signal })
  return all.filter(
    (monitor) => monitor.id === monitorId || (monitor.isPublic && isNameAnAddress(monitor)),
  )
}

interface PageFormProps extends PageStepProps {
  readonly monitors: readonly NamedMonitor[]
}

interface PageValues {
  readonly name: string
  /** By the ids of their monitors. */
  readonly publicNames: Readonly<Record<string, string>>
}

function PageForm({ monitors, onDone, onSkip }: PageFormProps) {
  const texts = words.value.setup
  const { publicNameOf: labelOf } = words.value.statusPages.monitors
  const form = useForm<PageValues>(
    () => ({
      initial: {
        name: organization.value?.name ?? '',
        publicNames: Object.fromEntries(monitors.map((one) => [one.id, suggestedName(one)])),
      },
      submit: async ({ name, publicNames }) => {
        const path = { orgId: orgId() }
        for (const monitor of monitors) {
          const publicName = publicNameOf(monitor, publicNames[monitor.id] ?? '')
          const one = { ...path, monitorId: monitor.id }
          await fetchData('monitors.change', { path: one, body: { publicName, isPublic: true } })
        }
        const { url } = await fetchData('status-pages.create', { path, body: { name } })
        onDone(url)
      },
    }),
    [],
  )
  const { publicNames } = form.values.value
  return (
    <FormFrame
      form={form}
      submitText={texts.page.submit}
      more={
        <button type="button" class="quiet" onClick={onSkip}>
          {texts.skip}
        </button>
      }
    >
      <TextField pointer="/name" label={texts.page.name} isRequired shouldFocus />
      {monitors.map(({ id, name }) => (
        <div key={id}>
          <TextField
            pointer={`/publicNames/${id}`}
            label={labelOf({ name })}
            help={texts.page.publicNameHelp}
          />
          <AddressWarning name={publicNames[id] || name} />
        </div>
      ))}
    </FormFrame>
  )
}
