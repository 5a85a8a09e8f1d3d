// Makes steps of what people have elsewhere: commands of curl, a recording of a browser, a collection, a description.
import type { Signal } from '@preact/signals'
import { fetchData } from '../../../../api/client.ts'
import type { Form } from '../../../../parts/form/form.ts'
import { ImportText } from '../../../../parts/form/import-text.tsx'
import { orgId } from '../../../../stores/session.ts'
import { words } from '../../../../words/words.ts'
import type { MonitorBody } from '../trial/monitor-body.ts'
import { wholeStep } from './step-model.ts'

export interface ImportStepsProps {
  readonly form: Form<MonitorBody>
  /** A text that somebody pasted elsewhere, and wants steps of. */
  readonly pasted: Signal<string>
}

export function ImportSteps({ form, pasted }: ImportStepsProps) {
  const { import: texts } = words.value.editor.steps
  return (
    <ImportText
      texts={texts}
      placeholder="curl https://shop.example.com/login -d user=stillup"
      accept=".har,.json,.yaml,.yml,.sh,.txt"
      pasted={pasted.value}
      onTaken={() => (pasted.value = '')}
      make={async (text) => {
        const made = await fetchData('monitors.convertSteps', {
          path: { orgId: orgId() },
          body: { text },
        })
        const before = form.values.peek()
        form.set('/steps', made.steps.map(wholeStep))
        form.set('/variables', { ...before.variables, ...made.variables }, { isSecret: true })
        if (made.url !== '') form.set('/url', made.url)
        if (before.name === '' && made.name !== '') form.set('/name', made.name)
        return {
          notes: made.notes,
          said: texts.made({ count: made.steps.length }),
          undo() {
            for (const name of ['steps', 'url', 'name'] as const) form.set(`/${name}`, before[name])
            form.set('/variables', before.variables, { isSecret: true })
          },
        }
      }}
    />
  )
}
