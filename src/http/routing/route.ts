// Routes: the name of an operation, who may call it, its input and its output.
//
//   const NoteIn = object({ title: text({ charsMin: 1, charsMax: limits.titleCharsMax }) })
//   const NoteOut = object({ id: idOf('incident'), title: anyText, createdAt: isoTime })
//   const toWire = (note: Note) => ({ ...note, createdAt: toIso(note.createdAtMs) })
//
//   export const notes = resource('/orgs/:orgId/notes', {
//     list: list('/', { who: { role: 'viewer' }, out: NoteOut }).handledBy((call, { notes }) =>
//       wirePage(notes.list(call.scope, call.page), toWire)),
//     create: post('/', { who: { role: 'member' }, body: NoteIn, out: NoteOut,
//       message: 'Note created' }).createdBy((call, { notes }) =>
//       notes.create(call.scope, call.body), toWire),
//     change: patch('/:incidentId', { who: { role: 'member' }, body: patchOf(NoteIn),
//       out: NoteOut }).handledBy(async (call, { notes }) => toWire(await notes.change(
//         call.scope, call.params.incidentId, call.body, call.expectedRevision))),
//   })
//
// `out` picks the fields of the response: a record may have more. A record with a numeric `revision`
// gets an ETag, and its schema is `revised`. A `:monitorId` in a path arrives as a MonitorId; an
// invalid one is answered 404.
import type { Static, TObject, TSchema } from 'typebox'
import type { FieldProblem } from '../../base/fault.ts'
import { type Id, type IdKind, idPrefixes } from '../../base/ids.ts'
import type { Revised } from '../../base/schema/schema.ts'
import type { Parts, Written } from '../../base/schema/write.ts'
import type { Role } from '../../domain/access.ts'
import type { TokenPrefix } from '../../seal/tokens.ts'
import type { Services } from '../../services/assembly/services.ts'
import type {
  Caller,
  OrgScope,
  PageOf,
  PageRequest,
  SignedInCaller,
} from '../../services/context.ts'
import type { LinkedProbe } from '../../services/locations/probe-link.ts'
import type { OpenLine } from '../edge/stream.ts'

/** Who may call it. There is no default: a route without it does not type-check. */
export type AccessRule =
  /** Anyone; credentials are ignored. */
  | { readonly public: true }
  /**
   * The sender that holds the secret token in the path's `:token`, which the handler looks up.
   * There is no other caller. The rate counts by the token, or by the address if the token is
   * malformed.
   */
  | { readonly pathToken: TokenPrefix }
  /** A remote probe, by what it derived from its token. There is no other caller. */
  | { readonly probe: true }
  /** Anyone; a credential is optional, but must be valid if present. */
  | { readonly optional: true }
  /**
   * Anyone, for pages that people open: a session in the cookie is taken if it is valid, and every
   * other credential is ignored.
   */
  | { readonly visitor: true }
  /** Any credential: a session, an API key or the system token. */
  | { readonly credential: true }
  /**
   * A signed-in person, by session only. `tokenHeader` takes the session from the header
   * `auth-token` instead of the cookie. `sudo` requires a recent sign-in.
   */
  | { readonly user: true; readonly sudo?: true; readonly tokenHeader?: true }
  /** A member of the organization in the path; `sessionOnly` refuses API keys. */
  | { readonly role: Role; readonly sessionOnly?: true; readonly sudo?: true }
  /** The system administrator's session or the system token; `sudo` as above, for sessions. */
  | { readonly system: true; readonly sudo?: true }

/** `asset`: what pages are made of and browsers keep, such as style sheets; it takes nothing of `page`. */
export type RateClass = 'api' | 'auth' | 'push' | 'page' | 'asset' | 'bulk' | 'probe'
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface RouteSpec {
  readonly who: AccessRule
  /** For the reference: its purpose in a few words. */
  readonly summary?: string
  /** For the reference: what else callers must know, in a few sentences. */
  readonly description?: string
  readonly query?: TObject
  readonly body?: TSchema
  /** An example of the body, for the reference; it fits the schema. */
  readonly example?: object
  /** The schema for validation if the handler validates the rest itself; default: body. */
  readonly bodyShape?: TSchema
  /**
   * What else is wrong with the fields that the schema accepts. Asked if the schema refuses others, so
   * that one response names all problems; the service refuses the same ones.
   */
  readonly rules?: BodyRules
  readonly out?: TSchema
  /** The sentence in the success envelope. */
  readonly message?: string
  /** Default 'api'; 'auth' counts by address. */
  readonly rate?: RateClass
  /** Changes several objects, which have no common revision: If-Match is not offered, and refused. */
  readonly isOfMany?: true
  /** A text field of the body that is also counted by the same class, such as 'email'. */
  readonly rateField?: string
  /** Routes with the same group share the count of that field; default: each its own. */
  readonly rateGroup?: string
  /** The body is bytes, which the handler reads from `call.sent`. */
  readonly takesBytes?: true
  /** Default limits.bodyBytesMax. */
  readonly bodyBytesMax?: number
  /** A larger bound on the keys of a bulk body; default limits.jsonKeysMax. */
  readonly jsonKeysMax?: number
  /** Its response may be large: it is compressed for clients that accept gzip. Never for secrets. */
  readonly isLarge?: true
  /** Default 30 s; after that the caller gets a 503. */
  readonly deadlineMs?: number
  /** It may also respond in another format, described for the reference. */
  readonly plain?: {
    readonly status: number
    readonly contentType: string | null
    /** A second format that the caller may request. */
    readonly orContentType?: string
  }
  /** It answers with a file that is made while it is sent, of one of these media types. */
  readonly pours?: readonly string[]
  /** Waits for news before it answers, so its durations say nothing. */
  readonly isHeld?: true
  /** Responds with server-sent events; Last-Event-ID arrives as `lastEventId`. */
  readonly streams?: true
  /**
   * Reads the cookies of known devices, whose attempts are counted apart from strangers', and of
   * devices that need no code.
   */
  readonly knowsDevices?: true
  /** The name of one more cookie that it reads. */
  readonly cookie?: string
  /** The body may come from an HTML form too (application/x-www-form-urlencoded). */
  readonly takesForm?: true
  /** An unparsed body may be text as well, such as this. */
  readonly takesText?: string
  /** Statuses of its refusals in addition to those of every route, for the reference. */
  readonly problems?: readonly number[]
  /** Patterns of path parameters that are not ids, for the reference. */
  readonly patterns?: Readonly<Record<string, string>>
  /**
   * The handler reads the query, the body and these headers (lower case) itself, from `call.sent`.
   * `query` and `body` are for the reference only, and `problems` lists every refusal but 429, 500
   * and 503.
   */
  readonly unparsed?: { readonly headers: readonly string[] }
}

/** `fields` are the fields of the body that the schema accepts. */
export type BodyRules = (
  fields: never,
  about: Pick<ParsedCall, 'scope' | 'nowMs'> & { readonly services: Services },
) => readonly FieldProblem[]

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

type ParamOf<Name> = Name extends `${infer Kind extends IdKind}Id` ? Id<Kind> : string

type CallerFor<W extends AccessRule> = W extends { readonly user: true }
  ? SignedInCaller
  : W extends { readonly pathToken: TokenPrefix } | { readonly probe: true }
    ? undefined
    : Caller

/** A request whose query and body were not parsed. */
export interface SentRequest {
  /** As sent, percent-encoded. */
  readonly queryText: string
  readonly body: Buffer
  /** The address of the sender. Reading it is slow. */
  readonly address: string
  /** A header that the spec names; '' if it is missing. */
  header(name: string): string
}

/** The parts of a request that every handler gets. */
interface CallBasics {
  /** The request as it was sent, for routes that are `unparsed` or take bytes. */
  readonly sent: SentRequest
  /** The revision in If-Match; the service refuses another with precondition_failed. */
  readonly expectedRevision: number | undefined
  readonly nowMs: number
  /** The last event that a stream's reader received; '' the first time. */
  readonly lastEventId: string
  /** The cookie of a known device, unverified; only for routes with `knowsDevices`. */
  readonly device: string | undefined
  /** The cookie of a device that needs no code, unverified; only for routes with `knowsDevices`. */
  readonly trusted: string | undefined
  /** The value of the spec's own cookie; '' if it is missing. */
  readonly cookie: string
  /** The body came from an HTML form: the response goes to a person. */
  readonly isForm: boolean
  /** Aborted when the caller disconnects or the deadline passes. */
  readonly signal: AbortSignal
}

/** Everything that a handler may know about the request, already validated. */
export interface Call<Path extends string, Spec extends RouteSpec> extends CallBasics {
  readonly caller: CallerFor<Spec['who']>
  readonly scope: Spec['who'] extends { readonly role: Role } ? OrgScope : undefined
  readonly probe: Spec['who'] extends { readonly probe: true } ? LinkedProbe : undefined
  readonly params: { readonly [Name in ParamNames<Path>]: ParamOf<Name> }
  readonly query: ParsedPart<Spec, 'query'>
  readonly body: ParsedPart<Spec, 'body'>
  /** From `limit` and `cursor`; only for lists. */
  readonly page: PageRequest
}

type ParsedPart<Spec extends RouteSpec, Part extends 'query' | 'body'> = Spec extends {
  readonly unparsed: object
}
  ? undefined
  : Spec extends { readonly [One in Part]: infer S extends TSchema }
    ? Static<S>
    : undefined

/** A call as the pipeline makes it, the same for every route. */
export interface ParsedCall extends CallBasics {
  /** Absent for a `pathToken` route, and for one of probes. */
  readonly caller: Caller | undefined
  readonly scope: OrgScope | undefined
  readonly probe: LinkedProbe | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
  readonly page: PageRequest | undefined
}

/**
 * The type that a handler may return for a schema: its shape, readonly, undefined for absent
 * fields.
 */
export type Wire<Value> = Value extends readonly (infer Item)[]
  ? readonly Wire<Item>[]
  : Value extends string
    ? Value
    : Value extends object
      ? { readonly [Key in keyof Value]: WireField<Value, Key> }
      : Value

type WireField<Value, Key extends keyof Value> =
  Record<never, never> extends Pick<Value, Key> ? Wire<Value[Key]> | undefined : Wire<Value[Key]>

type RouteResult<Spec extends RouteSpec> = Spec extends { readonly out: infer S extends TSchema }
  ? (Wire<Static<S>> & WithRevision<Spec>) | Parts<Wire<Static<S>>> | Written<Wire<Static<S>>>
  : undefined | null

type WithRevision<Spec> = Spec extends { readonly out: Revised }
  ? { readonly revision: number }
  : unknown

/** Data with a different message, cookies or headers. */
export interface DataAnswer<Data> {
  readonly answer: true
  readonly data: Data
  readonly message?: string | undefined
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined
}

/** A response in another format: a redirect, a file, a page. Its route has `plain`. */
export interface PlainAnswer {
  readonly plain: true
  readonly status: number
  readonly contentType: string
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined
  readonly body: string
}

/** An endless response (server-sent events). Its route has `streams`. */
export interface StreamAnswer {
  readonly stream: true
  readonly open: (line: OpenLine) => void
}

/** A file that is made while it is sent. Its route has `pours`. */
export interface PouredAnswer {
  readonly poured: true
  readonly contentType: string
  readonly headers?: readonly (readonly [name: string, value: string])[] | undefined
  readonly parts: AsyncIterable<Uint8Array>
  /** Called once no part is wanted any more, also after the last one. */
  readonly close: () => void
}

export type MaybePromise<Value> = Value | Promise<Value>
type Handler<Path extends string, Spec extends RouteSpec, Out> = (
  call: Call<Path, Spec>,
  services: Services,
) => MaybePromise<
  Out | DataAnswer<Out> | PlainOf<Spec> | StreamOf<Spec> | PouredOf<Spec> | NothingOf<Out>
>

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without `out` may return nothing.
type NothingOf<Out> = undefined extends Out ? void : never

type PlainOf<Spec> = Spec extends { readonly plain: object } ? PlainAnswer : never
type StreamOf<Spec> = Spec extends { readonly streams: true } ? StreamAnswer : never

type PouredOf<Spec> = Spec extends { readonly pours: object } ? PouredAnswer : never

/** A handler as the pipeline runs it. */
export type AnyHandler = (call: ParsedCall, services: Services) => unknown

/**
 * A handler for the pipeline, which makes exactly the call that the route's spec describes: the
 * types of its parts follow from the same spec, and were checked where the handler is defined.
 */
function untyped<Path extends string, Spec extends RouteSpec, Out>(
  handle: Handler<Path, Spec, Out>,
): AnyHandler {
  return handle as unknown as AnyHandler
}

export interface Operation {
  readonly method: RouteMethod
  readonly path: string
  readonly spec: RouteSpec
  readonly isList: boolean
  readonly handle: AnyHandler
  /**
   * Present on a POST that creates an object: the answer to what `handle` made. Such a route supports
   * Idempotency-Key, and its answer is stored in the transaction that makes the object.
   */
  readonly creates?: AnyAnswer
}

type AnyAnswer = (made: unknown, call: ParsedCall, services: Services) => unknown

export interface Route extends Operation {
  /** `monitors.create`: unique, the OpenAPI operationId. */
  readonly name: string
  readonly tag: string
  /** What the operations with this tag are about; it stands at one of its resources. */
  readonly about: string | undefined
}

/** Wraps a handler's result to set another message, a cookie or a header. */
export function answer<Data>(
  data: Data,
  more: Pick<DataAnswer<Data>, 'message' | 'headers'> = {},
): DataAnswer<Data> {
  return { answer: true, data, ...more }
}

/** Converts a page of records to their wire forms. */
export function wirePage<From, To>(page: PageOf<From>, toWire: (item: From) => To): PageOf<To> {
  return { ...page, items: page.items.map((item) => toWire(item)) }
}

function operation(method: RouteMethod) {
  return <const Path extends string, const Spec extends RouteSpec>(path: Path, spec: Spec) => ({
    handledBy(handle: Handler<Path, Spec, RouteResult<Spec>>): Operation {
      return { method, path, spec, isList: false, handle: untyped(handle) }
    },
  })
}

/** The pipeline passes it only what the route's own `create` has made. */
function untypedAnswer<Made, Path extends string, Spec extends RouteSpec>(
  toWire: (made: Made, call: Call<Path, Spec>, services: Services) => unknown,
): AnyAnswer {
  return toWire as unknown as AnyAnswer
}

export function post<const Path extends string, const Spec extends RouteSpec>(
  path: Path,
  spec: Spec,
) {
  return {
    ...operation('POST')(path, spec),
    /**
     * For what creates an object. `create` writes once, and returns what its transaction returned.
     * `toWire` runs in that transaction.
     */
    createdBy<Made>(
      create: (call: Call<Path, Spec>, services: Services) => Promise<Made>,
      toWire: (
        made: Made,
        call: Call<Path, Spec>,
        services: Services,
      ) => RouteResult<Spec> | DataAnswer<RouteResult<Spec>>,
    ): Operation {
      const handle = untyped<Path, Spec, Made>(create)
      return { method: 'POST', path, spec, isList: false, handle, creates: untypedAnswer(toWire) }
    },
  }
}

export const get = operation('GET')
export const put = operation('PUT')
export const patch = operation('PATCH')
export const del = operation('DELETE')

/** A GET of a list, newest first: takes `limit` and `cursor`; `out` is the schema of one item. */
export function list<const Path extends string, const Spec extends RouteSpec>(
  path: Path,
  spec: Spec,
) {
  return {
    handledBy(handle: Handler<Path, Spec, PageOf<RouteResult<Spec>>>): Operation {
      return { method: 'GET', path, spec, isList: true, handle: untyped(handle) }
    },
  }
}

interface Operations {
  /** What the operations with this tag are about, for the reference. */
  readonly about?: string
  readonly [name: string]: Operation | string | undefined
}

/** The operations of one resource. `base` may contain `:orgId`; other parameters are in `path`. */
export function resource(base: string, { about, ...operations }: Operations): readonly Route[] {
  const words = base.split('/').filter((part) => part !== '' && !part.startsWith(':'))
  const tag = words.at(-1) ?? 'root'
  return Object.entries(operations).flatMap(([name, one]) => {
    if (typeof one !== 'object') return []
    const path = (base + one.path).replace(/(?<=.)\/$/, '')
    return [{ ...one, name: `${tag}.${name}`, tag, about, path }]
  })
}

/** The routes with a prefix before each path. */
export function atPrefix(prefix: string, routes: readonly Route[]): readonly Route[] {
  return routes.map((route) => ({ ...route, path: prefix + route.path }))
}

/** The kind of id in a path parameter, or undefined for plain text. */
export function paramKind(name: string): IdKind | undefined {
  const kind = name.endsWith('Id') ? name.slice(0, -2) : ''
  return Object.hasOwn(idPrefixes, kind) ? (kind as IdKind) : undefined
}
