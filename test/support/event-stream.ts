// A reader of server-sent events, for tests: collects them and knows when the stream has ended.

interface ReadEvent {
  readonly id: string
  readonly event: string
  // Tests look into data of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly data: any
}

export interface EventStream {
  readonly status: number
  readonly events: readonly ReadEvent[]
  readonly hasEnded: () => boolean
  stop(): void
}

export async function readEvents(
  url: string,
  headers: Record<string, string>,
): Promise<EventStream> {
  const controller = new AbortController()
  const response = await fetch(url, { headers, signal: controller.signal })
  const events: ReadEvent[] = []
  let hasEnded = false

  async function read(): Promise<void> {
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of response.body ?? []) {
      rest += decoder.decode(chunk, { stream: true })
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      events.push(...blocks.flatMap((block) => eventOf(block) ?? []))
    }
  }

  const done = () => {
    hasEnded = true
  }
  read().then(done, done)
  return {
    status: response.status,
    events,
    hasEnded: () => hasEnded,
    stop: () => controller.abort(),
  }
}

function eventOf(block: string): ReadEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const at = line.indexOf(': ')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 2))
  }
  const data = fields.get('data')
  if (data === undefined) return undefined
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) }
}
