// One path with two endpoints: the host that was asked for decides which of them responds.
import type { Endpoint } from '../edge/exchange.ts'

type Chosen<First, Second> =
  | { readonly at: 'first'; readonly admission: First }
  | { readonly at: 'second'; readonly admission: Second }

/** `isFirst` gets the Host header without its port, in lower case. Traits are those of the first. */
export function byHost<First, Second>(
  isFirst: (host: string) => boolean,
  first: Endpoint<First>,
  second: Endpoint<Second>,
): Endpoint<Chosen<First, Second>> {
  return {
    name: first.name,
    paramCount: first.paramCount,
    headers: [...new Set(['host', ...first.headers, ...second.headers])],
    bodyBytesMax: first.bodyBytesMax,
    deadlineMs: first.deadlineMs,
    ...(first.mayWrite === undefined ? {} : { mayWrite: first.mayWrite }),
    isForPeople: () => true,
    admit: (exchange) =>
      isFirst(hostOf(exchange.header('host')))
        ? { at: 'first', admission: first.admit(exchange) }
        : { at: 'second', admission: second.admit(exchange) },
    run: (exchange, chosen) =>
      chosen.at === 'first'
        ? first.run(exchange, chosen.admission)
        : second.run(exchange, chosen.admission),
  }
}

/** A Host header without its port and the dot of the root, in lower case. */
export function hostOf(header: string): string {
  return header.replace(/\.?(?::\d*)?$/, '').toLowerCase()
}
