// What the daemon has promised: every acknowledged write, to be found again in a later life.
import { isDeepStrictEqual } from 'node:util'
import type { Api, Reply } from './api.ts'

export type Fields = Readonly<Record<string, unknown>>
/** What a GET must show: these fields among others, or that there is no such thing. */
type Shown = Fields | 'gone'

/** A record that the load made, changed or removed. */
export interface Thing {
  readonly path: string
  /** What may be there: one state, or two after a request whose answer never came. */
  allowed: readonly Shown[]
  /** Changed since it was last looked at. */
  isDirty: boolean
  /** A request about it is under way. */
  isBusy: boolean
}

/** Things that were acknowledged and must show for ever under one path. */
interface Marks {
  readonly path: string
  readonly texts: Set<string>
  readonly unseen: Set<string>
}

export interface Ledger {
  readonly things: readonly Thing[]
  add(path: string, shown: Fields): Thing
  /** The thing as it is, where that is certain and nobody works on it. */
  certain(thing: Thing): Fields | undefined
  /**
   * Does something to it: after an answer of 200 it must be `next`, after any other as before, and
   * without an answer either will do.
   */
  change(thing: Thing, next: Shown, request: () => Promise<Reply>): Promise<Reply>
  /** An acknowledged entry of an incident's timeline. */
  said(path: string, message: string): void
  /** An acknowledged result of a monitor: what a report said, or the time of a check. */
  resulted(path: string, mark: string): void
  /** Nobody asks for the results of a monitor that may have been deleted. */
  forgetResults(path: string): void
  /** Looks at what changed and at some of what did not; tells what is not as it was promised. */
  verify(api: Api, sample: (things: readonly Thing[]) => readonly Thing[]): Promise<string[]>
  /** Everything that was ever acknowledged is to be looked at again. */
  doubtAll(): void
}

export function createLedger(): Ledger {
  const things: Thing[] = []
  const timelines = new Map<string, Marks>()
  const results = new Map<string, Marks>()

  function mark(in_: Map<string, Marks>, path: string, text: string): void {
    const marks = in_.get(path) ?? { path, texts: new Set(), unseen: new Set() }
    in_.set(path, marks)
    marks.texts.add(text)
    marks.unseen.add(text)
  }

  async function verifyThing(api: Api, thing: Thing): Promise<string[]> {
    // The load leaves it alone meanwhile.
    thing.isBusy = true
    const { status, data, body } = await api.ask('GET', thing.path).finally(() => {
      thing.isBusy = false
    })
    const found = thing.allowed.find((shown) =>
      shown === 'gone' ? status === 404 : status === 200 && shows(data, shown),
    )
    if (found === undefined) {
      const wanted = thing.allowed.map((shown) => JSON.stringify(shown)).join(' or ')
      return [`${thing.path} should be ${wanted}, but is ${status} ${JSON.stringify(body)}`]
    }
    thing.allowed = [found]
    thing.isDirty = false
    return []
  }

  async function verifyTimeline(api: Api, { path, unseen }: Marks): Promise<string[]> {
    const wanted = [...unseen]
    const { status, data } = await api.ask('GET', path)
    if (status !== 200) return [`${path} was acknowledged, but is ${status}`]
    return settle(path, wanted, unseen, new Set(data.timeline.map((row: Fields) => row.message)))
  }

  async function verifyResults(api: Api, { path, unseen }: Marks): Promise<string[]> {
    const wanted = [...unseen]
    const seen = new Set<string>()
    for (let next = ''; ; ) {
      const { status, body } = await api.ask('GET', `${path}/checks?limit=200${next}`)
      if (status !== 200) return [`${path}/checks is ${status}`]
      for (const row of body.data) {
        seen.add(`${row.outcome} ${row.at}`)
        const said = row.error?.message ?? row.message
        seen.add(`${row.outcome} ${said?.split(' ').at(-1)}`)
      }
      const cursor = body.meta.nextCursor
      const isDone = wanted.every((text) => seen.has(text))
      if (isDone || !cursor) return settle(path, wanted, unseen, seen)
      next = `&cursor=${encodeURIComponent(cursor)}`
    }
  }

  /** More may be promised while the answer is on its way: only what was wanted is settled. */
  function settle(
    path: string,
    wanted: readonly string[],
    unseen: Set<string>,
    seen: ReadonlySet<string>,
  ): string[] {
    for (const text of wanted) if (seen.has(text)) unseen.delete(text)
    const lost = wanted.filter((text) => !seen.has(text))
    return lost.map((text) => `${path}: "${text}" was acknowledged, but is not there`)
  }

  return {
    things,
    add(path, shown) {
      const thing: Thing = { path, allowed: [shown], isDirty: true, isBusy: false }
      things.push(thing)
      return thing
    },
    certain(thing) {
      const [shown] = thing.allowed
      if (thing.isBusy || thing.allowed.length !== 1 || shown === 'gone') return undefined
      return shown
    },
    async change(thing, next, request) {
      const before = thing.allowed
      thing.isBusy = true
      thing.isDirty = true
      thing.allowed = [...before, next]
      try {
        const reply = await request()
        thing.allowed = reply.status === 200 ? [next] : before
        return reply
      } finally {
        thing.isBusy = false
      }
    },
    said: (path, message) => mark(timelines, path, message),
    resulted: (path, text) => mark(results, path, text),
    forgetResults: (path) => void results.delete(path),
    async verify(api, sample) {
      const idle = things.filter((thing) => !thing.isBusy)
      const chosen = new Set([...idle.filter((thing) => thing.isDirty), ...sample(idle)])
      const unseen = (in_: Map<string, Marks>) =>
        [...in_.values()].filter((marks) => marks.unseen.size > 0)
      const problems = await Promise.all([
        ...[...chosen].map((thing) => verifyThing(api, thing)),
        ...unseen(timelines).map((marks) => verifyTimeline(api, marks)),
        ...unseen(results).map((marks) => verifyResults(api, marks)),
      ])
      return problems.flat()
    },
    doubtAll() {
      for (const thing of things) thing.isDirty = true
      for (const marks of [...timelines.values(), ...results.values()]) {
        for (const text of marks.texts) marks.unseen.add(text)
      }
    },
  }
}

function shows(data: Fields, shown: Fields): boolean {
  return Object.entries(shown).every(([name, value]) => isDeepStrictEqual(data?.[name], value))
}
