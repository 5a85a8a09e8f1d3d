// Endpoints that depend on the host that was asked for: another one responds, or none.
import { notFound } from '../../base/fault.ts'
import type { Endpoint } from '../edge/exchange.ts'

type Chosen<First, Second> =
  | { readonly at: 'first'; readonly admission: First }
  | { readonly at: 'second'; readonly admission: Second }

/** `isFirst` gets the Host header without its port, in lower case. The traits are the first endpoint's. */
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

/** The endpoint, which is answered 404 at hosts that are for something else. */
export function exceptAt<Admission>(
  isElsewhere: (host: string) => boolean,
  endpoint: Endpoint<Admission>,
): Endpoint<Admission> {
  return {
    ...endpoint,
    headers: [...new Set(['host', ...endpoint.headers])],
    admit(exchange) {
      if (isElsewhere(hostOf(exchange.header('host')))) throw notFound('address')
      return endpoint.admit(exchange)
    },
  }
}

/** A Host header without its port and the dot of the root, in lower case. */
export function hostOf(header: string): string {
  return header.replace(/\.?(?::\d*)?$/, '').toLowerCase()
}
