// Files of imports stay for an hour, one of an organization, and take no more space than there is.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ForeignFileRefused } from '../../../../src/domain/imports/foreign.ts'
import type { OrgScope } from '../../../../src/services/context.ts'
import type { OpenKuma } from '../../../../src/services/orgs/open-kuma.ts'
import { createUploads, type UploadsDeps } from '../../../../src/services/orgs/uploads/uploads.ts'
import { callerOf } from '../../../support/access.ts'
import { openCore } from '../../../support/core.ts'
import { orgA } from '../../../support/make-incident.ts'
import { orgTwo } from '../../../support/make-page.ts'
import { testFolder } from '../../../support/test-folder.ts'

const bytes = Buffer.from('SQLite format 3\0 0123456789')
const whole = bytes.length

const converted = { document: { monitors: [] }, notes: [], history: [] } as never

/** Three parts of a past. */
const opened = (): OpenKuma => ({
  converted,
  async *past() {
    for (let part = 0; part < 3; part += 1) yield []
  },
  close: async () => {},
})

function world(t: Test, deps: Partial<UploadsDeps> = {}) {
  const core = openCore(t, { inMemory: true })
  const dir = join(testFolder(t), 'uploads')
  const taken = { monitors: 1, days: 2, hours: 3, incidents: 4, unknown: [] }
  const uploads = createUploads(core, {
    dir,
    bytesMax: () => 1_000,
    freeBytes: async () => 100 * 1024 ** 3,
    open: async () => opened(),
    takePast: async () => taken,
    identity: { holds: () => true },
    ...deps,
  })
  const scopeOf = (orgId: OrgScope['orgId']): OrgScope => ({
    caller: callerOf(),
    orgId,
    role: 'admin',
  })
  return { ...core, uploads, dir, scope: scopeOf(orgA), other: scopeOf(orgTwo) }
}

const never = new AbortController().signal

t.test('one is gone an hour after the last thing that was done with it', async (t) => {
  const { uploads, clock, dir, scope } = world(t)
  const { uploadId } = await uploads.begin(scope, whole, bytes)
  await clock.advance(59 * 60_000)
  t.equal(
    await uploads.convert(scope, uploadId, never),
    '{"document":{"monitors":[]},"notes":[],"history":[]}',
  )
  await clock.advance(59 * 60_000)
  t.equal(uploads.get(scope, uploadId).receivedBytes, whole)
  await clock.advance(60_001)
  t.throws(() => uploads.get(scope, uploadId), { code: 'not_found' })
  await uploads.stop()
  t.same(existsSync(dir) ? readdirSync(dir) : [], [])
})

t.test('one that was cut off waits ten minutes for its next piece', async (t) => {
  const { uploads, clock, scope } = world(t)
  const { uploadId, kind } = await uploads.begin(scope, whole, bytes.subarray(0, 20))
  t.equal(kind, 'database')
  await clock.advance(9 * 60_000)
  await uploads.add(scope, uploadId, 20, bytes.subarray(20, 22))
  await clock.advance(9 * 60_000)
  t.equal(uploads.get(scope, uploadId).receivedBytes, 22)
  await clock.advance(60_001)
  t.throws(() => uploads.get(scope, uploadId), { code: 'not_found' })
})

t.test('a start, and the next upload of the organization, remove what is there', async (t) => {
  const { dir } = world(t)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'old'), 'x')
  const again = world(t, { dir })
  t.notOk(existsSync(join(dir, 'old')))
  const { uploads, scope, other } = again
  const first = await uploads.begin(scope, whole, bytes)
  const others = await uploads.begin(other, whole, bytes)
  t.throws(() => uploads.get(scope, others.uploadId), { code: 'not_found' }, 'that of another')
  const second = await uploads.begin(scope, whole, bytes)
  t.throws(() => uploads.get(scope, first.uploadId), { code: 'not_found' })
  t.same(new Set(readdirSync(dir)), new Set([others.uploadId, second.uploadId]))
})

t.test('all together they take half of what is free', async (t) => {
  const part = 20 * 1024 ** 2
  const { uploads, scope, other } = world(t, {
    freeBytes: async () => 100 * part,
    bytesMax: () => 1_000 * part,
  })
  await t.rejects(uploads.begin(scope, 51 * part, bytes), { code: 'storage_full' })
  await uploads.begin(scope, 40 * part, bytes)
  await t.rejects(uploads.begin(other, 40 * part, bytes), { code: 'storage_full' })
  await t.rejects(uploads.begin(other, 1_001 * part, bytes), { code: 'invalid_parameter' })
  await uploads.stop()
  const both = [scope, other].map((one) => uploads.begin(one, 30 * part, bytes))
  const states = (await Promise.allSettled(both)).map(({ status }) => status)
  t.same(states.sort(), ['fulfilled', 'rejected'], 'also of two that begin at once')
})

t.test('what an upload unpacks to is reserved, too, until it is gone', async (t) => {
  const part = 20 * 1024 ** 2
  const zip = Buffer.from('PK\x03\x04 0123456789')
  const given: (number | undefined)[] = []
  let failure: Error | undefined = new ForeignFileRefused('is damaged')
  const { uploads, scope, other } = world(t, {
    freeBytes: async () => 100 * part,
    bytesMax: () => 1_000 * part,
    open: async (_scope, { scratchBytes, scratchIn = '' }) => {
      given.push(scratchBytes)
      await t.rejects(uploads.begin(other, 50 * part, bytes), { code: 'storage_full' })
      if (failure) throw failure
      writeFileSync(join(scratchIn, 'kuma.db'), Buffer.alloc(2 * part))
      return opened()
    },
  })
  const { uploadId } = await uploads.begin(scope, zip.length, zip)
  const most = zip.length * 200 + 1024 ** 2
  await t.rejects(uploads.convert(scope, uploadId, never), /is damaged/)
  await uploads.begin(other, 49 * part, bytes)
  failure = undefined
  await uploads.convert(scope, uploadId, never)
  const left = 50 * part - 49 * part - zip.length
  t.same(given, [most, Math.min(most, Math.floor(left / 2))])
})

t.test('the past comes in parts, and one thing is done at a time', async (t) => {
  const { uploads, scope } = world(t)
  const { uploadId } = await uploads.begin(scope, whole, bytes)
  t.throws(() => uploads.beginPast(scope, uploadId, 'imp_1'), { code: 'conflict' })
  await uploads.convert(scope, uploadId, never)
  t.match(uploads.beginPast(scope, uploadId, 'imp_1').past, { state: 'running', monitors: 0 })
  t.throws(() => uploads.beginPast(scope, uploadId, 'imp_1'), { code: 'conflict' })
  await t.rejects(uploads.begin(scope, whole, bytes), { code: 'conflict' })
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  const sum = { monitors: 3, days: 6, hours: 9, incidents: 12 }
  t.match(uploads.get(scope, uploadId).past, { state: 'done', ...sum, problem: null })
})

t.test(
  'the past of a damaged file ends with the reason, and that of a lost right, too',
  async (t) => {
    const damaged = async () => ({
      ...opened(),
      // biome-ignore lint/correctness/useYield: it fails before the first part.
      async *past(): AsyncGenerator<never> {
        throw new ForeignFileRefused('is damaged')
      },
    })
    const cases = [
      [{ open: damaged }, 'is damaged'],
      [{ identity: { holds: () => false } }, 'Your right to do this ended.'],
    ] as const
    for (const [deps, problem] of cases) {
      const { uploads, scope } = world(t, deps)
      const { uploadId } = await uploads.begin(scope, whole, bytes)
      await uploads.convert(scope, uploadId, never)
      uploads.beginPast(scope, uploadId, 'imp_1')
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
      t.match(uploads.get(scope, uploadId).past, { state: 'failed', problem })
    }
  },
)

t.test('what was ended while it was written leaves nothing', async (t) => {
  const { uploads, dir, scope } = world(t)
  const begun = () => uploads.begin(scope, whole, bytes.subarray(0, 20))
  await Promise.allSettled([begun(), begun(), begun()])
  t.ok((existsSync(dir) ? readdirSync(dir) : []).length <= 1, 'of those that began at once, one')
  for (let round = 0; round < 20; round += 1) {
    const { uploadId } = await begun()
    const added = uploads.add(scope, uploadId, 20, bytes.subarray(20))
    await Promise.all([t.rejects(added), uploads.remove(scope, uploadId)])
    t.same(readdirSync(dir), [])
  }
})

t.test('what a conversion unpacks goes with the upload that is ended meanwhile', async (t) => {
  const late: UploadsDeps['open'] = async (_scope, { scratchIn = '' }, signal) => {
    await new Promise(setImmediate)
    mkdirSync(join(scratchIn, 'scratch'), { recursive: true })
    signal?.throwIfAborted()
    return opened()
  }
  const { uploads, dir, scope } = world(t, { open: late })
  const { uploadId } = await uploads.begin(scope, whole, bytes)
  const converted = uploads.convert(scope, uploadId, never)
  await Promise.all([uploads.remove(scope, uploadId), t.rejects(converted, { code: 'conflict' })])
  t.same(readdirSync(dir), [])
})
