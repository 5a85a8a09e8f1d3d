// A small API of notes for tests of the conventions that every route shares.
import { Fault } from '../../src/base/fault.ts'
import {
  anyText,
  anything,
  flag,
  idOf,
  integer,
  listOf,
  object,
  oneOf,
  optional,
  patchOf,
  preset,
  text,
} from '../../src/base/schema/schema.ts'
import { type RawRoute, rawHead } from '../../src/http/routing/raw-route.ts'
import {
  answer,
  atPrefix,
  del,
  get,
  list,
  patch,
  post,
  resource,
} from '../../src/http/routing/route.ts'

export const noteId = 'inc_01jd0000000000000000000000'

const NoteIn = object({
  title: text({ charsMin: 1, charsMax: 20 }),
  level: preset(integer(1, 9), 3),
  kind: optional(oneOf(['plain', 'loud'])),
  tags: optional(listOf(text({ charsMin: 1, charsMax: 5 }), 3)),
})
const NoteOut = object({ id: idOf('incident'), title: anyText, level: integer(1, 9) })

const note = { id: noteId as never, title: 'A note', level: 3, revision: 4, secret: 'hush' }

/** What the handlers were doing, for tests that wait for them. */
export interface NotesWorld {
  made: number
  aborted: number
  release: () => void
}

export function notesApi(world: NotesWorld) {
  const member = { role: 'member' } as const
  return atPrefix('/api/v1', [
    ...resource('/orgs/:orgId/notes', {
      list: list('/', {
        who: { role: 'viewer' },
        query: object({ tag: optional(anyText), loud: optional(flag) }),
        out: NoteOut,
      }).handledBy(({ page, query }) => {
        const from = page.after === undefined ? 0 : Number(page.after)
        const titles = ['one', 'two', 'three', 'four', 'five'].slice(from, from + page.limit)
        const items = titles.map((title) => ({ ...note, title: title + (query.tag ?? '') }))
        const reached = from + titles.length
        return { items, ...(reached < 5 ? { nextAfter: String(reached) } : {}) }
      }),
      get: get('/:incidentId', { who: { role: 'viewer' }, out: NoteOut }).handledBy(() => note),
      create: post('/', {
        who: member,
        body: NoteIn,
        out: NoteOut,
        message: 'Note created',
      }).createdBy(
        async ({ body }) => {
          world.made += 1
          if (body.kind === 'loud') throw new Fault('conflict', 'Too loud')
          return { ...note, title: body.title, level: body.level }
        },
        (made) => made,
      ),
      change: patch('/:incidentId', { who: member, body: patchOf(NoteIn), out: NoteOut }).handledBy(
        ({ body, expectedRevision }) => {
          if (expectedRevision !== undefined && expectedRevision !== note.revision) {
            throw new Fault('precondition_failed')
          }
          return { ...note, title: body.title ?? note.title, level: body.level ?? 3 }
        },
      ),
      remove: del('/:incidentId', {
        who: { role: 'admin', sessionOnly: true, sudo: true },
        message: 'Note deleted',
      }).handledBy(() => {}),
    }),
    ...resource('/echo', {
      post: post('/:token', {
        who: { pathToken: 'spp' },
        rate: 'push',
        unparsed: { headers: ['x-note'] },
        bodyBytesMax: 1000,
        out: anything,
      }).handledBy(({ params, sent }) => ({
        token: params.token,
        note: sent.header('x-note'),
        query: sent.queryText,
        bytes: sent.body.length,
      })),
    }),
    ...resource('/misc', {
      me: get('/me', { who: { user: true }, out: object({ id: anyText }) }).handledBy(
        ({ caller }) => ({
          id: caller.principal.userId,
        }),
      ),
      kyc: post('/kyc', { who: { user: true, tokenHeader: true } }).handledBy(() => {}),
      system: get('/system', { who: { system: true } }).handledBy(() => {}),
      open: post('/open', { who: { public: true } }).handledBy(() =>
        answer(null, { message: 'Hm', headers: [['Set-Cookie', 'a=b']] }),
      ),
      login: post('/login', {
        who: { public: true },
        rate: 'auth',
        rateField: 'email',
        body: object({ email: anyText }),
      }).handledBy(() => {}),
      optional: get('/optional', {
        who: { optional: true },
        out: object({ kind: anyText }),
      }).handledBy(({ caller }) => caller.principal),
      throwNow: get('/throw-now', { who: { public: true } }).handledBy(() => {
        throw new Error('inside knowledge')
      }),
      throwLater: get('/throw-later', { who: { public: true } }).handledBy(async () => {
        await Promise.resolve()
        throw new Error('inside knowledge')
      }),
      hang: get('/hang', { who: { public: true } }).handledBy(async ({ signal }) => {
        signal.addEventListener('abort', () => {
          world.aborted += 1
        })
        await new Promise<void>((resolve) => {
          world.release = resolve
        })
      }),
    }),
  ])
}

export const rawNotes: readonly RawRoute[] = [
  {
    name: 'page',
    path: '/page',
    rate: 'page',
    handle: () => ({
      status: 200,
      head: rawHead([['Content-Type', 'text/html']]),
      body: '<p>hi</p>',
    }),
  },
]
