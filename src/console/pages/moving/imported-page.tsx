// One import: what it did, what is left to do, and how it is taken back.
import { useSignal } from '@preact/signals'
import { useRoute } from 'preact-iso/router'
import { type Data, fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskDialog } from '../../parts/dialog/ask-button.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Page } from '../../parts/page/page.tsx'
import { now, Time } from '../../parts/text/time.tsx'
import { loadMonitors } from '../../stores/monitors.ts'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { ImportNotes } from './import-notes.tsx'
import { importName, mayUndo } from './import-record.ts'
import { LeftToDo } from './left-to-do.tsx'
import { Plan } from './plan.tsx'
import { ShadowReport } from './shadow-report.tsx'

export function ImportedPage() {
  const { importId = '' } = useRoute().params
  const record = useResource(
    (signal) => fetchData('imports.get', { path: { orgId: orgId(), importId }, signal }),
    [importId],
  )
  return (
    <Loaded of={record} pageTitle={words.value.moving.title}>
      {(found) => <Imported record={found} onUndone={() => void record.reload()} />}
    </Loaded>
  )
}

interface ImportedProps {
  readonly record: Data<'imports.get'>
  readonly onUndone: () => void
}

function Imported({ record, onUndone }: ImportedProps) {
  const { moving: texts } = words.value
  const isUndone = record.state === 'undone'
  const madeIds = new Set(
    record.plan.flatMap(({ id, list }) => (list === 'monitors' && id ? id : [])),
  )
  return (
    <Page
      title={importName(record)}
      parents={[{ href: '/app/import', title: texts.title }]}
      actions={mayUndo(record, now.value) && <UndoButton id={record.id} onUndone={onUndone} />}
    >
      <p class="faint">
        <Time at={record.at} />
      </p>
      {isUndone && (
        <p class="note" role="status">
          {texts.isUndone} {record.undoneAt !== null && <Time at={record.undoneAt} />}
        </p>
      )}
      {!isUndone && <LeftToDo record={record} />}
      {record.isShadow && (
        <ShadowReport importId={record.id} madeIds={madeIds} isUndone={isUndone} />
      )}
      {!isUndone && record.notes.length > 0 && (
        <ImportNotes importId={record.id} notes={record.notes} />
      )}
      <section class="card">
        <h2>{texts.whatItDid}</h2>
        {record.plan.length === 0 ? (
          <p class="faint">{texts.nothingNew}</p>
        ) : (
          <Plan plan={record.plan} notes={[]} />
        )}
      </section>
    </Page>
  )
}

interface UndoButtonProps {
  readonly id: string
  readonly onUndone: () => void
}

function UndoButton({ id, onUndone }: UndoButtonProps) {
  const { moving: texts } = words.value
  const plan = useSignal<Data<'imports.tryUndo'>['plan'] | undefined>(undefined)
  const path = { orgId: orgId(), importId: id }
  const look = () =>
    act(async () => {
      plan.value = (await fetchData('imports.tryUndo', { path })).plan
    })
  const undo = () =>
    act(async () => {
      await fetchData('imports.undo', { path })
      void loadMonitors()
      onUndone()
    }, texts.undone)
  return (
    <>
      <button type="button" onClick={() => void look()}>
        {texts.undo}
      </button>
      {plan.value && (
        <AskDialog
          text={texts.undo}
          title={texts.undoTitle}
          about={texts.undoAbout}
          onConfirm={undo}
          onClose={() => (plan.value = undefined)}
        >
          <UndoPlan plan={plan.value} />
        </AskDialog>
      )}
    </>
  )
}

const undoActions = ['delete', 'restore', 'changedSince', 'inUse', 'gone'] as const
/** Names that are listed of each. */
const namedMax = 20

function UndoPlan({ plan }: Pick<Data<'imports.tryUndo'>, 'plan'>) {
  const { undoCounts } = words.value.moving
  return (
    <ul>
      {undoActions.map((action) => {
        const lines = plan.filter((line) => line.action === action)
        if (lines.length === 0) return null
        const isNamed = action === 'changedSince' || action === 'inUse'
        return (
          <li key={action}>
            {undoCounts[action]({ count: lines.length })}
            {isNamed && (
              <ul class="notes">
                {lines.slice(0, namedMax).map(({ id, name }) => (
                  <li key={id}>{name}</li>
                ))}
              </ul>
            )}
          </li>
        )
      })}
    </ul>
  )
}
