// The first status page, with every public monitor.
import { fetchData } from '../../api/client.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { organization, orgId } from '../../session.ts'
import { words } from '../../words/words.ts'

export interface PageStepProps {
  readonly onDone: (url: string) => void
  readonly onSkip: () => void
}

export function PageStep({ onDone, onSkip }: PageStepProps) {
  const texts = words.value.setup
  const form = useForm(
    () => ({
      initial: { name: organization.value?.name ?? '' },
      submit: async (body: { name: string }) => {
        const { url } = await fetchData('status-pages.create', { path: { orgId: orgId() }, body })
        onDone(url)
      },
    }),
    [],
  )
  return (
    <>
      <h2>{texts.page.title}</h2>
      <p class="faint">{texts.page.about}</p>
      <FormFrame
        form={form}
        submitText={texts.page.submit}
        more={
          <button type="button" class="quiet" onClick={onSkip}>
            {texts.skip}
          </button>
        }
      >
        <TextField form={form} pointer="/name" label={texts.page.name} isRequired shouldFocus />
      </FormFrame>
    </>
  )
}
