// Makes actions of a script of Playwright.
import { fetchData } from '../../../api/client.ts'
import type { Form } from '../../../parts/form/form.ts'
import { ImportText } from '../../../parts/form/import-text.tsx'
import { orgId } from '../../../stores/session.ts'
import { words } from '../../../words/words.ts'
import type { MonitorBody } from './trial/monitor-body.ts'

export function ImportScript({ form }: { readonly form: Form<MonitorBody> }) {
  const { import: texts } = words.value.editor.browser
  return (
    <ImportText
      texts={{ ...words.value.editor.steps.import, ...texts }}
      placeholder="test('shop', async ({ page }) => { … })"
      accept=".js,.mjs,.cjs,.ts,.mts,.txt"
      make={async (text) => {
        const made = await fetchData('monitors.convertScript', {
          path: { orgId: orgId() },
          body: { text },
        })
        const before = form.values.peek()
        form.set('/actions', made.actions)
        form.set('/viewport', made.viewport)
        form.set('/variables', { ...before.variables, ...made.variables }, { isSecret: true })
        if (made.url !== '') form.set('/url', made.url)
        if (before.name === '' && made.name !== '') form.set('/name', made.name)
        return {
          notes: made.notes,
          said: texts.made({ count: made.actions.length }),
          undo() {
            for (const name of ['actions', 'viewport', 'url', 'name'] as const) {
              form.set(`/${name}`, before[name])
            }
            form.set('/variables', before.variables, { isSecret: true })
          },
        }
      }}
    />
  )
}
