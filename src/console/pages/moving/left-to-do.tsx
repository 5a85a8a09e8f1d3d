// What is left to do after an import: what waits for secrets, what is paused, what nobody sees yet.

import { CircleCheck, CircleDashed } from 'lucide'
import type { ComponentChildren } from 'preact'
import { type Data, everyPage, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Icon } from '../../parts/text/icon.tsx'
import { monitors } from '../../stores/monitors.ts'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

interface LeftToDoProps {
  readonly record: Data<'imports.get'>
}

interface Waiting {
  readonly id: string
  readonly name: string
  readonly href: string
}

interface Task {
  readonly name: 'channels' | 'secrets' | 'paused' | 'pages'
  /** How many the import has of what it is about, and which of them wait. */
  readonly all: number
  readonly waiting: readonly Waiting[]
}

const shownMax = 20

export function LeftToDo({ record }: LeftToDoProps) {
  const { moving: texts } = words.value
  const idsOf = (list: Data<'imports.get'>['plan'][number]['list']) =>
    new Set(record.plan.flatMap((line) => (line.list === list && line.id ? line.id : [])))
  const stored = useResource(
    async (signal) => {
      const call = { path: { orgId: orgId() }, query: { limit: 200 }, signal }
      const [channels, secrets, pages] = await Promise.all([
        wholeList(everyPage('alert-channels.list', call)),
        wholeList(everyPage('secrets.list', call)),
        wholeList(everyPage('status-pages.list', call)),
      ])
      return { channels, secrets, pages }
    },
    [record.id],
  )
  const found = stored.value.value
  if (!found) return null
  const own = <One extends { readonly id: string }>(
    list: Parameters<typeof idsOf>[0],
    all: Iterable<One>,
  ) => {
    const ids = idsOf(list)
    return [...all].filter(({ id }) => ids.has(id))
  }
  const channels = own('channels', found.channels)
  const secrets = own('secrets', found.secrets)
  const pages = own('statusPages', found.pages)
  const made = own('monitors', monitors.value.values())
  const tasks: readonly Task[] = [
    {
      name: 'channels',
      all: channels.length,
      waiting: channels
        .filter(({ isActive }) => !isActive)
        .map(({ id, name }) => ({ id, name, href: `/app/channels/${id}` })),
    },
    {
      name: 'secrets',
      all: secrets.length,
      waiting: secrets
        .filter(({ value }) => value === null)
        .map(({ id, name }) => ({ id, name, href: '/app/people?tab=secrets' })),
    },
    {
      name: 'paused',
      all: made.length,
      waiting: made
        .filter(({ state }) => state === 'paused')
        .map(({ id, name }) => ({ id, name, href: `/app/monitors/${id}` })),
    },
    {
      name: 'pages',
      all: pages.length,
      waiting: pages
        .filter(({ isEnabled }) => !isEnabled)
        .map(({ id, name }) => ({ id, name, href: `/app/pages/${id}` })),
    },
  ]
  const shown = tasks.filter(({ all }) => all > 0)
  if (shown.length === 0) return null
  return (
    <section class="card">
      <h2>{texts.leftToDo}</h2>
      <ul class="to-do">
        {shown.map((task) => (
          <TaskRow key={task.name} task={task} />
        ))}
      </ul>
    </section>
  )
}

function TaskRow({ task: { name, waiting } }: { readonly task: Task }) {
  const { tasks } = words.value.moving
  const texts = tasks[name]
  const isDone = waiting.length === 0
  return (
    <Tick isDone={isDone}>
      <span>{isDone ? texts.done : texts.open({ count: waiting.length })}</span>
      {!isDone && (
        <ul class="to-do-names">
          {waiting.slice(0, shownMax).map(({ id, name: of, href }) => (
            <li key={id}>
              <a href={href}>{of}</a>
            </li>
          ))}
          {waiting.length > shownMax && <li class="faint">…</li>}
        </ul>
      )}
    </Tick>
  )
}

interface TickProps {
  readonly isDone: boolean
  readonly children: ComponentChildren
}

function Tick({ isDone, children }: TickProps) {
  return (
    <li class={isDone ? 'is-done' : undefined}>
      <Icon of={isDone ? CircleCheck : CircleDashed} />
      <div>{children}</div>
    </li>
  )
}
