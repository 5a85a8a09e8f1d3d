// Backups on the command line: beside the running daemon, without it, and back again.
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { required } from '../../../src/base/assert.ts'
import { startClock } from '../../../src/base/clock.ts'
import type { OrgId } from '../../../src/base/ids.ts'
import { command as fsck } from '../../../src/commands/backups/fsck.ts'
import { command as restoreCommand } from '../../../src/commands/backups/restore.ts'
import { findBackup } from '../../../src/commands/backups/sources.ts'
import { catalog } from '../../../src/commands/catalog.ts'
import { runCommandLine } from '../../../src/commands/command-line.ts'
import { backupBucket } from '../../../src/services/backups/backup-bucket.ts'
import { disagreementsIn } from '../../../src/services/backups/consistency.ts'
import { beginBackup } from '../../../src/store/backup/folder.ts'
import { beginRestore, finishRestore, placeToKeep } from '../../../src/store/backup/restore.ts'
import { lockDirectory } from '../../../src/store/lock.ts'
import { openStore } from '../../../src/store/store.ts'
import { startBucketServer } from '../../support/bucket-server.ts'
import { register } from '../../support/cast.ts'
import { startDaemon } from '../../support/daemon.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { fakeHost } from '../../support/fake-host.ts'
import { damageRecord } from '../../support/temp-store.ts'
import { testFolder } from '../../support/test-folder.ts'

const isRoot = process.geteuid?.() === 0

/** Runs a line; returns its exit code, and what it printed and complained. */
async function lineWith(env: Record<string, string>, dir: string, ...argv: string[]) {
  // A bucket compares the time.
  const host = { ...fakeHost(dir, { STILLUP_DATA_DIR: dir, ...env }), clock: startClock() }
  const code = await runCommandLine(host, catalog, argv)
  return { code, printed: host.printed, complaints: host.complaints }
}

const line = (dir: string, ...argv: string[]) => lineWith({}, dir, ...argv)

const hook = (url: string) => ({ name: 'hook', type: 'webhook', config: { url } })

async function startWithOrg(t: Test) {
  const daemon = await startDaemon(t)
  const { org, orgId, cookie } = await register(daemon, 'ada')
  const channel = await daemon.need('POST', `${org}/alert-channels`, {
    cookie,
    json: hook('https://hooks.example.com/a'),
  })
  return { daemon, org, orgId, cookie, channel }
}

t.test('a drill: back up, go on, lose the data, restore, and everything is there', async (t) => {
  const { daemon, org, cookie, channel } = await startWithOrg(t)
  const { dir } = daemon
  const made = await line(dir, 'backup', 'create', '--json')
  t.equal(made.code, 0, made.complaints.join())
  const { name } = JSON.parse(made.printed.join())
  await daemon.need('POST', `${org}/alert-channels`, {
    cookie,
    json: { ...hook('https://hooks.example.com/b'), name: 'later' },
  })
  const running = await line(dir, 'restore', name, '--replace')
  t.equal(running.code, 78)
  t.match(running.complaints, [/is in use by process \d+$/, /Stop that daemon first/])
  await daemon.stop()

  const refused = await line(dir, 'restore', name)
  t.equal(refused.code, 78)
  t.match(refused.complaints[0], /has data already, which is not overwritten/)
  const restored = await line(dir, 'restore', name, '--replace')
  t.equal(restored.code, 0, restored.complaints.join())
  t.match(restored.printed, [
    new RegExp(`^${name} is restored to ${dir}: \\d+ records`),
    /^Not brought back: sessions \(1\).* alerts \(0\)/,
    /^The data before is kept in .*replaced-/,
  ])

  const again = await startDaemon(t, { dir })
  const key = { bearer: 'x' }
  t.equal((await again.ask('GET', `/api/v1${org}/alert-channels`, { cookie, ...key })).status, 401)
  const json = { email: 'ada@example.com', password: 'nine lives of a cat' }
  const signedIn = await again.ask('POST', '/api/v1/auth/login', { json })
  t.equal(signedIn.status, 200, signedIn.text)
  const channels = await again.need('GET', `${org}/alert-channels`, {
    cookie: signedIn.json.data.token,
  })
  t.same(
    channels.map(({ id }: { id: string }) => id),
    [channel.id],
    'what came after the backup is gone, what was before is there',
  )
  await again.stop()
})

t.test('without a daemon the command makes the backup itself, and looks after all', async (t) => {
  const { daemon } = await startWithOrg(t)
  const { dir } = daemon
  await daemon.stop()
  t.match(await line(dir, 'backup'), { code: 0, complaints: [/There is no backup in/] })
  const made = await line(dir, 'backup', 'create')
  t.match(made, { code: 0, printed: [/records, verified$/] })
  const list = await line(dir, 'backup', 'list', '--json')
  const { backups } = JSON.parse(list.printed.join())
  const [{ name, path }] = backups
  t.match(await line(dir, 'backup', 'verify', 'latest'), { code: 0, printed: [/is good: /] })
  t.match(await line(dir, 'backup', 'verify', path), { code: 0 })
  t.match(await line(dir, 'backup', 'remove', name), {
    code: 1,
    complaints: [/is the only backup$/, /--force/],
  })

  const drill = join(dir, 'drill')
  t.match(await line(dir, 'restore', 'latest', '--to', drill), { code: 0 })
  t.ok(existsSync(join(drill, 'data.mdb')))

  // A directory that a backup of this service never used.
  const far = { STILLUP_BACKUP_DIR: join(dir, 'far') }
  t.match(await lineWith(far, dir, 'backup', 'verify', path), { code: 0, printed: [/is good/] })
  t.notOk(existsSync(join(dir, 'far')), 'nothing is made where the daemon may want to write')

  const file = join(path, 'data.mdb.zst')
  const bytes = readFileSync(file)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(file, bytes)
  t.match(await line(dir, 'backup', 'verify', name), { code: 1, printed: [/is damaged/] })
  const before = readdirSync(dir).sort()
  const refused = await line(dir, 'restore', name, '--replace')
  t.match(refused, { code: 78, complaints: [/the backup .* is damaged/, /Nothing was changed/] })
  t.same(
    readdirSync(dir).filter((one) => !before.includes(one) && !one.endsWith('.sock')),
    [],
  )
  rmSync(file)
  t.match(await line(dir, 'backup', 'list'), { complaints: [/no backup/, /no whole backup/] })
  t.throws(() => findBackup(name, { backup: { dir: join(dir, 'backups') } } as never, dir), {
    message: /no whole backup: its data.mdb.zst is missing/,
  })
})

t.test('the copy in a bucket is restored as well, and is not readable there', async (t) => {
  const server = await startBucketServer()
  t.teardown(() => server.close())
  const env = {
    BACKUP_BUCKET_URL: server.url,
    BACKUP_BUCKET_NAME: server.bucket,
    BACKUP_BUCKET_REGION: server.region,
    BACKUP_BUCKET_ACCESS_KEY: server.accessKey,
    BACKUP_BUCKET_SECRET_KEY: server.secretKey,
  }
  const daemon = await startDaemon(t, { env })
  await register(daemon, 'ada')
  const { dir } = daemon
  t.same((await line(dir, 'backup', 'create')).complaints, [])
  server.misbehave(() => ({ status: 403 }))
  const uncopied = await line(dir, 'backup', 'create')
  t.match(uncopied, { code: 0, complaints: [/made, but not copied to backups at .*grant it/] })
  server.misbehave(() => undefined)
  await daemon.stop()
  const target = join(dir, 'elsewhere')
  const bucket = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [`STILLUP_${name}`, value]),
  )
  const unset = await line(dir, 'restore', 'bucket:latest', '--to', target)
  t.match(unset, { code: 78, complaints: [/backup.bucketUrl is not set/] })
  const listed = await lineWith(bucket, dir, 'backup', 'list', '--bucket')
  t.match(listed, { code: 0, printed: [/^\d{8}T\d{6}Z .* records/] })
  const [[own, kept] = []] = [...server.objects].filter(([name]) => name.includes('manifest'))
  const foreign = own?.replace(/\d{8}T\d{6}Z/, '20200101T000000Z') ?? ''
  if (kept) server.objects.set(foreign, { ...kept, body: Buffer.from('sealed elsewhere') })
  t.match(await lineWith(bucket, dir, 'backup', 'list', '--bucket'), {
    code: 0,
    printed: listed.printed,
    complaints: [/^20200101T000000Z is no whole backup: a sealed file was changed/],
  })
  server.objects.delete(foreign)
  const host = await lineWith(bucket, dir, 'restore', 'bucket:latest', '--to', target)
  t.equal(host.code, 0, host.complaints.join())
  t.ok(existsSync(join(target, 'data.mdb')))
  const none = await lineWith(
    bucket,
    dir,
    'restore',
    'bucket:20200101T000000Z',
    '--to',
    target,
    '--replace',
  )
  t.equal(none.code, 74)
  const here = await lineWith(bucket, dir, 'backup', 'create')
  t.match(here, { code: 0, complaints: [/not copied to the bucket/] })
  server.misbehave(({ method, path }) =>
    method === 'GET' && path.includes('data.mdb') ? { status: 403 } : undefined,
  )
  const denied = await lineWith(
    bucket,
    dir,
    'restore',
    'bucket:latest',
    '--to',
    target,
    '--replace',
  )
  t.match(denied, { code: 74, complaints: [/grant it s3:GetObject/, 'Nothing was changed.'] })
  t.notOk(existsSync(join(target, '.restoring')))
  t.ok(backupBucket)
})

t.test('fsck finds what is wrong in a directory or a backup, and changes nothing', async (t) => {
  const { daemon, orgId, cookie } = await startWithOrg(t)
  const { dir } = daemon
  const json = { name: 'job', checkType: 'push' }
  const monitor = await daemon.need('POST', `/orgs/${orgId}/monitors`, { cookie, json })
  await daemon.need('POST', `/push/${monitor.pushToken}`, { json: { status: 'error' } })
  t.match(await line(dir, 'fsck'), { code: 78, complaints: [/a daemon uses/, /fsck latest/] })
  await line(dir, 'backup', 'create')
  t.match(await line(dir, 'fsck', 'latest'), { code: 0, printed: [/nothing is wrong$/] })
  await daemon.stop()
  const file = join(dir, 'data.mdb')
  const whole = readFileSync(file)
  t.match(await line(dir, 'fsck'), { code: 0, printed: [/nothing is wrong$/] })
  t.same(readFileSync(file), whole)

  const fail = (error: unknown) => t.fail(String(error))
  const store = openStore({
    dir,
    clock: new FakeClock(),
    commitDelayMs: 0,
    onFatal: fail,
    onError: fail,
  })
  const owner = orgId as OrgId
  const [incident] = store.incidents.listOpen(owner, 1)
  await store.write((tx) =>
    store.incidents.put(tx, { ...required(incident, 'one'), state: 'resolved' }),
  )
  await damageRecord(store, 'pushTokens', [
    required(store.monitors.get(owner, monitor.id)?.pushTokenHash, 'a hash'),
  ])
  await store.close()
  const [problem = ''] = (await line(dir, 'fsck')).printed
  t.ok(problem.startsWith(`${dir}: a record of pushTokens is damaged: `), problem)
  const found = await line(dir, 'fsck', '--json')
  t.equal(found.code, 1)
  t.match(JSON.parse(found.printed.join()), {
    damage: null,
    damagedRecords: [{ table: 'pushTokens' }],
    disagreements: [
      { what: 'the push address of a monitor does not lead to it' },
      { what: 'a monitor is in an incident that is over or missing' },
    ],
  })
  writeFileSync(file, whole.subarray(0, whole.length / 2))
  const cut = await line(dir, 'fsck')
  t.equal(cut.code, 1)
  t.match(cut.printed.join(), `${dir}: data.mdb is damaged: `, 'no file that is gone by then')
  t.notMatch(cut.printed.join(), 'stillup-fsck-')
  t.match(JSON.parse((await line(dir, 'fsck', '--json')).printed.join()), {
    of: dir,
    damage: /^data\.mdb is damaged: /,
  })
  const [name = ''] = readdirSync(join(dir, 'backups'))
  const backup = join(dir, 'backups', name)
  const packed = join(backup, 'data.mdb.zst')
  const bytes = readFileSync(packed)
  writeFileSync(packed, bytes.fill(0, 0, 64))
  t.same((await line(dir, 'fsck', 'latest')).printed, [`${backup}: its data cannot be unpacked`])
  t.match(fsck.about, /Changes nothing/)
  t.type(disagreementsIn, 'function')
})

t.test('the command says what it needs', async (t) => {
  const empty = join(testFolder(t), 'none')
  const noData = { code: 78, complaints: [`stillup: there is no data in ${empty}`] }
  t.match(await line(empty, 'fsck'), noData)
  t.match(await line(empty, 'backup', 'create'), noData)
  t.notOk(existsSync(empty), 'and makes nothing')
  const noBucket = { code: 78, complaints: ['stillup: backup.bucketUrl is not set'] }
  t.match(await line(empty, 'backup', 'list', '--bucket'), noBucket, 'also without a key')
  t.match(restoreCommand.about, /daemon must be stopped/)
  t.match(await line(testFolder(t), 'restore'), { code: 64 })
  const nothing = await line(testFolder(t), 'restore', 'latest')
  t.match(nothing, { code: 78, complaints: [/there is no backup in/] })
})

t.test('without the master key, or with another one, nothing is restored', async (t) => {
  const { daemon } = await startWithOrg(t)
  const { dir } = daemon
  await daemon.stop()
  await line(dir, 'backup', 'create')
  const key = join(dir, 'master.key')
  const text = readFileSync(key)
  const target = join(dir, 'new')
  rmSync(key)
  const missing = await line(dir, 'restore', 'latest', '--to', target)
  t.equal(missing.code, 78)
  t.match(
    missing.complaints[0],
    /the backup \S+ needs the master key [0-9a-f]{8}: without it the secrets .*is missing/,
  )
  writeFileSync(key, `${'ab'.repeat(32)}\n`, { mode: 0o600 })
  const wrong = await line(dir, 'restore', 'latest', '--to', target)
  t.equal(wrong.code, 78)
  t.match(
    wrong.complaints[0],
    /the backup \S+ needs the master key [0-9a-f]{8}, which is not in .*: without it/,
  )
  t.notOk(existsSync(join(target, 'data.mdb')))
  const made = await line(dir, 'backup', 'create')
  t.equal(made.code, 78, 'nor is there a backup whose key is another one')
  t.equal(made.complaints.length, 1, made.complaints.join())
  t.equal(readdirSync(join(dir, 'backups')).length, 1)
  writeFileSync(key, text)
  chmodSync(key, 0o600)
  t.equal((await line(dir, 'restore', 'latest', '--to', target)).code, 0)
})

t.test('why there is no backup is one line', async (t) => {
  const { daemon } = await startWithOrg(t)
  const { dir } = daemon
  await daemon.stop()
  const fail = (error: unknown) => {
    throw error
  }
  const clock = new FakeClock()
  const store = openStore({ dir, clock, commitDelayMs: 0, onFatal: fail, onError: fail })
  await damageRecord(store, 'secrets', ['key-proof'])
  await store.close()
  t.match(await line(dir, 'backup', 'create'), {
    code: 1,
    complaints: [/^stillup: The backup failed: the records that a restore needs first .*\.$/],
  })
  t.same(readdirSync(join(dir, 'backups')), [])
  const file = join(dir, 'file')
  writeFileSync(file, '')
  const env = { STILLUP_BACKUP_DIR: file }
  t.match(await lineWith(env, dir, 'backup', 'list'), { code: 74, complaints: [/ENOTDIR/] })
})

t.test(
  'another user than that of the service is told so, and nothing false',
  { skip: isRoot ? false : 'only root can be two users' },
  async (t) => {
    // Not below the project, whose folders may be closed to anybody else.
    const dir = mkdtempSync(join(tmpdir(), 'stillup-denied-'))
    t.teardown(() => rmSync(dir, { recursive: true }))
    chmodSync(dir, 0o755)
    const state = join(dir, 'state')
    const backups = join(state, 'backups')
    const backup = join(backups, '20261123T030000Z')
    mkdirSync(backup, { recursive: true })
    writeFileSync(join(state, 'data.mdb'), '')
    chmodSync(backup, 0o700)
    chmodSync(state, 0o700)
    chownSync(state, 12_345, 12_345)
    const asNobody = async (...argv: string[]) => {
      process.seteuid?.(65_534)
      try {
        return await line(state, ...argv)
      } finally {
        process.seteuid?.(0)
      }
    }
    const hint = 'Run the command as root, or as the user of the daemon (uid 12345).'
    const says = (what: string) => [`stillup: this user may not ${what}`, hint]
    const create = await asNobody('backup', 'create')
    t.match(create, { code: 1, complaints: says(`use the data in ${state}`) })
    for (const argv of [
      ['backup', 'list'],
      ['backup', 'verify', 'latest'],
      ['backup', 'remove', 'latest'],
    ]) {
      const found = await asNobody(...argv)
      t.match(found, { code: 74, complaints: says(`use ${backups}`) }, argv.join(' '))
    }
    const verify = await asNobody('backup', 'verify', '20261123T030000Z')
    t.match(verify, { code: 74, complaints: says(`use ${backup}`) })
    const restore = await asNobody('restore', 'latest')
    t.match(restore, { code: 74, complaints: says(`use ${state}`) })
    const looked = await asNobody('fsck')
    t.match(looked, { code: 74, complaints: says(`use ${join(state, 'data.mdb')}`) })

    chmodSync(state, 0o755)
    t.match(await asNobody('backup', 'verify', 'latest'), {
      code: 78,
      complaints: [/there is no backup in/, /no whole backup: this user may not read it\.$/],
    })
    chmodSync(state, 0o711)
    chmodSync(join(state, 'data.mdb'), 0o600)
    // Whether a daemon uses it cannot be seen.
    t.match(await asNobody('fsck'), { code: 74, complaints: says(`use the data in ${state}`) })
  },
)

t.test(
  'what root restores belongs to the user of the directory',
  { skip: isRoot ? false : 'needs root' },
  async (t) => {
    const { daemon } = await startWithOrg(t)
    const { dir } = daemon
    await daemon.stop()
    await line(dir, 'backup', 'create')
    const target = join(dir, 'state')
    mkdirSync(target, { mode: 0o700 })
    chownSync(target, 12_345, 12_345)
    const outside = join(dir, 'of-root')
    writeFileSync(outside, '')
    symlinkSync(outside, join(target, 'led'))
    lchownSync(join(target, 'led'), 12_345, 12_345)
    mkdirSync(join(dir, 'far-of-root', 'below'), { recursive: true })
    symlinkSync(join(dir, 'far-of-root'), join(target, 'led-far'))
    lchownSync(join(target, 'led-far'), 12_345, 12_345)
    t.equal((await line(dir, 'restore', 'latest', '--to', target)).code, 0)
    t.equal(lstatSync(outside).uid, 0, 'what the user makes a link to is not given away')
    t.equal(lstatSync(join(dir, 'far-of-root', 'below')).uid, 0, 'nor what is below it')
    rmSync(join(target, 'led-far'))
    linkSync(outside, join(target, 'named'))
    t.equal((await line(dir, 'restore', 'latest', '--to', target, '--replace')).code, 0)
    t.equal(lstatSync(outside).uid, 0, 'nor what has a second name there')
    rmSync(join(target, 'named'))
    const env = { STILLUP_BACKUP_DIR: join(dir, 'far', 'away') }
    copyFileSync(join(dir, 'master.key'), join(target, 'master.key'))
    const far = await lineWith(env, target, 'backup', 'create')
    t.equal(far.code, 0, far.complaints.join())
    const owners = ['far', join('far', 'away')].map((name) => lstatSync(join(dir, name)).uid)
    t.same(owners, [12_345, 12_345], 'its user can reach what was made on the way')
    t.equal((await line(dir, 'restore', 'latest', '--to', target, '--replace')).code, 0)
    const all = readdirSync(target, { recursive: true }).map(String)
    t.ok(all.includes('data.mdb'))
    t.ok(all.some((name) => /^control\.\d+\.sock$/.test(name)))
    t.same(
      all.filter((name) => lstatSync(join(target, name)).uid !== 12_345),
      [],
    )
    t.equal(lstatSync(join(target, 'data.mdb')).mode & 0o777, 0o600)
  },
)

t.test(
  'what root leaves that is killed belongs to the user of the directory as well',
  { skip: isRoot ? false : 'needs root' },
  async (t) => {
    const dir = testFolder(t, { state: {} })
    const state = join(dir, 'state')
    chownSync(state, 12_345, 12_345)
    const lock = await lockDirectory(state, '1.0.0')
    t.teardown(() => lock.release())
    const making = beginBackup(join(state, 'backups'), 'abc')
    writeFileSync(making.to, '')
    writeFileSync(join(state, 'data.mdb'), '')
    chownSync(join(state, 'data.mdb'), 12_345, 12_345)
    const restoring = beginRestore(state)
    t.equal(lstatSync(restoring).uid, 12_345)
    writeFileSync(join(restoring, 'data.mdb'), '')
    finishRestore(state, restoring, placeToKeep(state, 'replaced', 'now'))
    const all = readdirSync(state, { recursive: true }).map(String)
    const ofRoot = all.filter((name) => lstatSync(join(state, name)).uid === 0)
    t.match(all.join(), /control\.1\.sock.*data\.mdb.*owner.*replaced-now/)
    // Its user may remove what is in a directory of its own.
    t.same(ofRoot, [join('backups', '.unfinished-abc', 'data.mdb.zst')])
  },
)
