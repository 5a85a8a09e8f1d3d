// Adds a monitor, or changes one.

import schema from 'schema:monitors.create'
import type { ComponentChildren } from 'preact'
import { useLocation, useRoute } from 'preact-iso/router'
import { fetchData } from '../../../api/client.ts'
import { usualKind } from '../../../api/kinds.ts'
import { useData } from '../../../api/resource.ts'
import { tell } from '../../../parts/dialog/toast.tsx'
import { useForm } from '../../../parts/form/form.ts'
import { FormFrame } from '../../../parts/form/form-frame.tsx'
import { Loaded } from '../../../parts/page/loaded.tsx'
import { Page } from '../../../parts/page/page.tsx'
import { loadMonitors } from '../../../stores/monitors.ts'
import { mayAs, orgId } from '../../../stores/session.ts'
import { words } from '../../../words/words.ts'
import { MonitorFields } from './monitor-fields.tsx'
import {
  bodyOf,
  changeBody,
  type Monitor,
  type MonitorBody,
  sentBody,
} from './trial/monitor-body.ts'
import { useTrial } from './trial/trial.ts'
import { TryNow } from './try-now.tsx'

/** `?from=` names a monitor to begin with a copy of. */
export function NewMonitorPage() {
  const { from } = useRoute().query
  if (from === undefined) return <Editor stored={undefined} />
  return <Stored monitorId={from}>{(model) => <Editor stored={undefined} model={model} />}</Stored>
}

export function EditMonitorPage() {
  const { monitorId = '' } = useRoute().params
  return <Stored monitorId={monitorId}>{(stored) => <Editor stored={stored} />}</Stored>
}

interface StoredProps {
  readonly monitorId: string
  readonly children: (monitor: Monitor) => ComponentChildren
}

function Stored({ monitorId, children }: StoredProps) {
  const monitor = useData('monitors.get', { path: { orgId: orgId(), monitorId } })
  return (
    <Loaded of={monitor} pageTitle={words.value.overview.title}>
      {children}
    </Loaded>
  )
}

/** As long as the API takes names. */
const nameCharsMax = 120

/** The masks of stored headers would be sent as they are, so a copy begins without what they stand for. */
function copyOf(model: Monitor): MonitorBody {
  const { headers: _, password: __, secret: ___, variables: ____, ...body } = bodyOf(model)
  const name = words.value.editor.copyOf({ name: model.name }).slice(0, nameCharsMax)
  return { ...body, isActive: model.isActive, name }
}

interface EditorProps {
  readonly stored: Monitor | undefined
  readonly model?: Monitor
}

function Editor({ stored, model }: EditorProps) {
  const { route } = useLocation()
  const texts = words.value.editor
  const path = { orgId: orgId() }
  function beginning(): MonitorBody {
    if (stored) return bodyOf(stored)
    return model ? copyOf(model) : { name: '', url: '', checkType: usualKind }
  }
  const form = useForm<MonitorBody>(
    () => ({
      schema,
      draft: stored ? `monitor ${stored.id}` : `monitor new ${model?.id ?? ''}`,
      initial: beginning(),
      stored: stored && {
        record: stored,
        read: () => fetchData('monitors.get', { path: { ...path, monitorId: stored.id } }),
        shownOf: bodyOf,
      },
      submit: async (body, revision, before) => {
        const saved = stored
          ? await fetchData('monitors.change', {
              path: { ...path, monitorId: stored.id },
              body: changeBody(before, body),
              revision,
            })
          : await fetchData('monitors.create', { path, body: sentBody(body) })
        void loadMonitors()
        tell(stored ? texts.saved : texts.created)
        route(`/app/monitors/${saved.id}`)
      },
    }),
    [stored?.id, model?.id],
  )
  const trial = useTrial(form, stored?.id)
  const overview = { href: '/app', title: words.value.overview.title }
  const parent = stored ? { href: `/app/monitors/${stored.id}`, title: stored.name } : overview
  return (
    <Page
      title={stored ? texts.editTitle : texts.newTitle}
      parents={stored ? [overview, parent] : [parent]}
      actions={
        !stored &&
        mayAs('admin') && (
          <a class="button quiet" href="/app/import">
            {words.value.moving.title}
          </a>
        )
      }
    >
      <div class="editor">
        <FormFrame
          form={form}
          submitText={stored ? words.value.common.actions.save : texts.create}
          more={
            <a class="button quiet" href={parent.href}>
              {words.value.common.actions.cancel}
            </a>
          }
        >
          <MonitorFields form={form} trial={trial} stored={stored} hasModel={model !== undefined} />
        </FormFrame>
        <TryNow form={form} trial={trial} />
      </div>
    </Page>
  )
}
