// Brings in what a file holds: says first what would be created, and what is wrong.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { type Body, type Data, fetchData } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { asProblem } from '../../api/resource.ts'
import { tell } from '../../parts/dialog/toast.tsx'
import { Page } from '../../parts/page/page.tsx'
import { usePoll } from '../../parts/page/poll.ts'
import { ProblemNote } from '../../parts/page/problem-note.tsx'
import { Progress } from '../../parts/text/progress.tsx'
import { Said } from '../../parts/text/said.tsx'
import { orgId } from '../../stores/session.ts'
import { punctuation, words } from '../../words/words.ts'
import { type FileKind, fileKinds, kindOfFile } from './kind-of-file.ts'

interface ChosenFile {
  readonly name: string
  readonly text: string
}

type ImportDocument = Body<'orgs.import'>
type Awaiting = Data<'orgs.import'>['awaitingSecrets']
type Notes = Data<'orgs.convert'>['notes']

interface Found {
  readonly document: ImportDocument
  readonly notes: Notes
  readonly counts: Data<'orgs.tryImport'>
}

/** The API validates all of it. */
const asDocument = (value: unknown) => value as ImportDocument

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // The answer of the API, as a download has it, is a document inside of `data`.
    const isAnswer = typeof value === 'object' && value !== null && 'data' in value
    return isAnswer && !('format' in value) ? value.data : value
  } catch {
    throw new ApiProblem(words.value.moving.noJson, { status: 422, code: 'no_json' })
  }
}

async function examine(kind: FileKind, text: string): Promise<Found> {
  const path = { orgId: orgId() }
  const { document, notes } =
    kind === 'stillup'
      ? { document: parsed(text), notes: [] }
      : await fetchData('orgs.convert', { path, body: { product: kind, text } })
  const body = asDocument(document)
  const counts = await fetchData('orgs.tryImport', { path, query: queryFor(body), body })
  const leftOut = counts.plan.filter(({ action }) => action === 'leftOut')
  const refused = leftOut.map(({ name, reason = '' }) => ({ name, text: reason }))
  return { document: body, notes: [...notes, ...refused], counts }
}

/** One item that another product allows must not hinder the others. */
function queryFor({ source }: ImportDocument) {
  return source === undefined ? {} : { leavesOut: true }
}

export function ImportPage() {
  const { moving: texts, shell } = words.value
  const file = useSignal<ChosenFile | undefined>(undefined)
  const kind = useSignal<FileKind>('kuma')
  const found = useSignal<Found | undefined>(undefined)
  const awaiting = useSignal<Awaiting>([])
  const problem = useSignal<ApiProblem | undefined>(undefined)
  const busyWith = useSignal<'examining' | 'importing' | undefined>(undefined)
  const progress = useSignal<Data<'orgs.importProgress'>['progress']>(null)
  usePoll(busyWith.value !== undefined, async () => {
    const found = await fetchData('orgs.importProgress', { path: { orgId: orgId() } }).catch(
      // The import itself tells what is wrong.
      () => undefined,
    )
    progress.value = found?.progress ?? null
  })
  const { route } = useLocation()

  /** Only the newest attempt is shown: another file may have been chosen while one was read. */
  const newest = useRef(0)
  async function attempt(
    what: 'examining' | 'importing',
    work: () => Promise<() => void>,
  ): Promise<void> {
    newest.current += 1
    const own = newest.current
    busyWith.value = what
    progress.value = null
    problem.value = undefined
    const show = await work().catch((error: unknown) => () => {
      problem.value = asProblem(error)
    })
    if (own !== newest.current) return
    busyWith.value = undefined
    show()
  }

  const look = () =>
    attempt('examining', async () => {
      found.value = undefined
      awaiting.value = []
      const result = file.value && (await examine(kind.value, file.value.text))
      return () => {
        found.value = result
      }
    })

  const choose = async (chosen: File | undefined) => {
    if (!chosen) return
    const text = await chosen.text()
    file.value = { name: chosen.name, text }
    kind.value = kindOfFile(text)
    await look()
  }

  const bringIn = (body: ImportDocument) =>
    attempt('importing', async () => {
      const made = await fetchData('orgs.import', {
        path: { orgId: orgId() },
        query: queryFor(body),
        body,
      })
      return () => {
        tell(texts.done({ count: made.monitors }))
        if (made.awaitingSecrets.length === 0) return route('/app')
        found.value = undefined
        awaiting.value = made.awaitingSecrets
      }
    })

  return (
    <Page title={texts.title} parents={[{ href: '/app', title: shell.places.overview }]}>
      <section class="card form">
        <p>{texts.about}</p>
        <label class="field">
          {texts.file}
          <input
            type="file"
            accept=".json,.yaml,.yml,application/json,.csv"
            aria-invalid={problem.value !== undefined}
            aria-describedby={problem.value && 'refusal'}
            onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
          />
        </label>
        <label class="field">
          {texts.writtenBy}
          <select
            value={kind.value}
            onChange={({ currentTarget }) => {
              kind.value = fileKinds.find((one) => one === currentTarget.value) ?? kind.value
              void look()
            }}
          >
            {fileKinds.map((one) => (
              <option key={one} value={one}>
                {texts.kinds[one]}
              </option>
            ))}
          </select>
          <span class="help">{texts.kindHelp[kind.value]}</span>
        </label>
      </section>
      {busyWith.value && <Busy text={texts[busyWith.value]} progress={progress.value} />}
      {problem.value && <Refusal problem={problem.value} />}
      {found.value && file.value && (
        <Preview
          found={found.value}
          fileName={file.value.name}
          isBusy={busyWith.value !== undefined}
          onImport={bringIn}
        />
      )}
      {awaiting.value.length > 0 && (
        <section class="card" role="status">
          <h2>{texts.imported}</h2>
          <p>{texts.awaiting({ count: awaiting.value.length })}</p>
          <p>{texts.enterHere}</p>
          <AwaitingChannels channels={awaiting.value} areMade />
        </section>
      )}
    </Page>
  )
}

interface BusyProps {
  readonly text: string
  readonly progress: Data<'orgs.importProgress'>['progress']
}

function Busy({ text, progress }: BusyProps) {
  const done = progress && { doneBytes: progress.doneItems, totalBytes: progress.totalItems }
  return (
    <p>
      {text} <Progress label={text} of={done} since={null} />
    </p>
  )
}

interface AwaitingChannelsProps {
  readonly channels: Awaiting
  readonly areMade?: boolean
}

function AwaitingChannels({ channels, areMade = false }: AwaitingChannelsProps) {
  return (
    <ul>
      {channels.map(({ id, name, secrets }) => (
        <li key={id}>
          {areMade ? <a href={`/app/channels/${id}`}>{name}</a> : <strong>{name}</strong>}
          {punctuation.value.colon}
          <code>{secrets.map((pointer) => pointer.replace(/^\/config\//, '')).join(', ')}</code>
        </li>
      ))}
    </ul>
  )
}

function Refusal({ problem }: { readonly problem: ApiProblem }) {
  const { moving: texts } = words.value
  return (
    <div class="page-part" id="refusal">
      <ProblemNote problem={problem} />
      {problem.fields.length > 1 && (
        <details class="card" open>
          <summary>{texts.problems({ count: problem.fields.length })}</summary>
          <ul>
            {problem.fields.map(({ pointer, message, lang }) => (
              <li key={pointer}>
                <code>{pointer}</code> <span lang={lang}>{message}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

interface PreviewProps {
  readonly found: Found
  readonly fileName: string
  readonly isBusy: boolean
  readonly onImport: (document: ImportDocument) => Promise<void>
}

function Preview({ found, fileName, isBusy, onImport }: PreviewProps) {
  const { moving: texts } = words.value
  const { document, notes, counts } = found
  const parts = (
    [
      'monitors',
      'channels',
      'statusPages',
      'maintenance',
      'templates',
      'secrets',
      'locations',
    ] as const
  ).filter((name) => counts[name] > 0)
  return (
    <section class="card" role="status">
      <h2>{texts.preview({ file: fileName })}</h2>
      <ul>
        {parts.map((name) => (
          <li key={name}>{texts.counts[name]({ count: counts[name] })}</li>
        ))}
      </ul>
      {counts.paused.length > 0 && <p>{texts.paused({ count: counts.paused.length })}</p>}
      {counts.awaitingSecrets.length > 0 && (
        <>
          <p>
            {texts.awaiting({ count: counts.awaitingSecrets.length })} {texts.afterwards}
          </p>
          <AwaitingChannels channels={counts.awaitingSecrets} />
        </>
      )}
      {counts.awaitingValues.length > 0 && (
        <p>{texts.valueless({ count: counts.awaitingValues.length })}</p>
      )}
      {notes.length > 0 && (
        <details open={notes.length <= 10}>
          <summary>{texts.notes({ count: notes.length })}</summary>
          <ul>
            {notes.map(({ name, text }) => (
              <li key={`${name} ${text}`}>
                {name !== null && <strong>{name + punctuation.value.colon}</strong>}
                <Said text={text} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <p class="faint">{texts.added}</p>
      <button
        type="button"
        class="primary"
        disabled={isBusy || parts.length === 0}
        onClick={() => void onImport(document)}
      >
        {texts.submit}
      </button>
    </section>
  )
}
