// The API of files that are uploaded for an import: pieces of bytes, then a document, then the past.
import * as s from '../../../base/schema/schema.ts'
import { Written } from '../../../base/schema/write.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { kumaFileKinds } from '../../../services/orgs/kuma-data/kuma-files.ts'
import { del, get, post, put, resource } from '../../routing/route.ts'
import { ConvertedOut } from './portability.ts'

const admin = { role: 'admin' } as const
const byte = s.integer(0, limits.uploadBytesMax)

const UploadOut = s.object({
  uploadId: s.idOf('upload'),
  kind: s.nullable(
    s.oneOf(kumaFileKinds),
    'What its first bytes say: a database of SQLite, an archive, a dump of MariaDB; null: none of these.',
  ),
  receivedBytes: s.described(s.anyNumber, 'Where the next piece begins.'),
  totalBytes: s.anyNumber,
  past: s.nullable(
    s.object({
      state: s.oneOf(['running', 'done', 'failed']),
      importId: s.anyText,
      monitors: s.described(s.anyNumber, 'Monitors whose past was taken so far.'),
      days: s.described(s.anyNumber, 'Days that were not there.'),
      hours: s.anyNumber,
      incidents: s.anyNumber,
      problem: s.nullable(s.anyText, 'Why it failed; what was taken stays.'),
    }),
    'The past that was asked for; null: none.',
  ),
})

/** One piece, and the time to unpack and read the whole. */
const uploadPieceBytesMax = 8 * 1024 * 1024
const uploadConversionMsMax = 5 * 60_000

const piece = { takesBytes: true, bodyBytesMax: uploadPieceBytesMax } as const

export const uploads = resource('/orgs/:orgId/import/uploads', {
  about:
    'Data of Uptime Kuma for an import: its `kuma.db`, an archive of its folder, or a dump of its MariaDB. It is kept ' +
    'for an hour at most.',
  begin: post('/', {
    who: admin,
    summary: 'Begin to upload a file, with its first piece',
    description:
      'An organization has one upload: a new one ends the former. Without its next piece it ends after ten minutes.',
    query: s.object({ bytes: s.described(byte, 'How many the file has in all.') }),
    ...piece,
    out: UploadOut,
  }).handledBy(({ scope, query, sent }, { uploads }) =>
    uploads.begin(scope, query.bytes, sent.body),
  ),
  add: put('/:uploadId', {
    who: admin,
    summary: 'Add the next piece',
    description: 'One whose answer was lost may come again.',
    query: s.object({ from: s.described(byte, 'The byte that it begins at.') }),
    ...piece,
    isOfMany: true,
    out: UploadOut,
  }).handledBy(({ scope, params, query, sent }, { uploads }) =>
    uploads.add(scope, params.uploadId, query.from, sent.body),
  ),
  get: get('/:uploadId', {
    who: admin,
    summary: 'How far an upload is',
    out: UploadOut,
  }).handledBy(({ scope, params }, { uploads }) => uploads.get(scope, params.uploadId)),
  remove: del('/:uploadId', {
    who: admin,
    summary: 'End an upload, and what is done with it',
    isOfMany: true,
    message: 'Upload removed',
  }).handledBy(async ({ scope, params }, { uploads }) => {
    await uploads.remove(scope, params.uploadId)
  }),
  convert: post('/:uploadId/convert', {
    who: admin,
    summary: 'Make a document for an import of the whole file',
    description:
      'Its past is not in the answer: `POST …/history` takes it after the import. It counts as a conversion of ' +
      '`POST …/import/convert`.',
    rate: 'bulk',
    deadlineMs: uploadConversionMsMax,
    out: ConvertedOut,
  }).handledBy(async ({ scope, params, signal }, { uploads }) =>
    Written.foreign(await uploads.convert(scope, params.uploadId, signal)),
  ),
  takePast: post('/:uploadId/history', {
    who: admin,
    summary: 'Take the past of its monitors, for an import of its document',
    description: 'It goes on by itself: `GET …/import/uploads/{uploadId}` says how far it is.',
    rate: 'bulk',
    example: { importId: 'imp_01karp3m5p7r9t1w3y5a7c9e1g' },
    body: s.object({
      importId: s.described(s.idOf('import'), 'The import that the document made.'),
    }),
    out: UploadOut,
  }).handledBy(({ scope, params, body }, { uploads }) =>
    uploads.beginPast(scope, params.uploadId, body.importId),
  ),
})
