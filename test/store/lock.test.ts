// One daemon per data directory, and the way to talk to it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { StartFailure } from '../../src/base/exit.ts'
import { socketPath } from '../../src/net/socket-path.ts'
import { NotListening } from '../../src/store/control.ts'
import { askDaemon, DirectoryInUse, lockDirectory } from '../../src/store/lock.ts'
import { unusableDirectory } from '../../src/store/unusable-directory.ts'
import { bareNode } from '../support/bare-node.ts'
import { testFolder } from '../support/test-folder.ts'

/** Another process that takes the directory, says so in a line, and keeps it. */
function startHolder(t: Test, dir: string): ChildProcess {
  const module = JSON.stringify(join(import.meta.dirname, '../../src/store/lock.ts'))
  const program = `import { lockDirectory } from ${module}
    lockDirectory(${JSON.stringify(dir)}, 'other').then(
      (lock) => { console.log('won', lock.generation); setInterval(() => {}, 1e6) },
      (error) => { console.log('lost', error.pid, error.exitCode) })`
  const [command, args] = bareNode(['--input-type=module', '-e', program])
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout!, 'data')
  return String(chunk).trim()
}

async function startedHolder(t: Test, dir: string): Promise<ChildProcess> {
  const child = startHolder(t, dir)
  await firstLine(child)
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

t.test('the directory is made for its owner only, and the holder is named in it', async (t) => {
  const dir = join(testFolder(t), 'new', 'data')
  const lock = await lockDirectory(dir, '1.2.3')
  t.teardown(() => lock.release())
  t.equal(statSync(dir).mode & 0o777, 0o700)
  t.same(JSON.parse(readFileSync(join(dir, 'owner'), 'utf8')), {
    pid: process.pid,
    host: hostname(),
    version: '1.2.3',
  })
  t.same(readdirSync(dir).sort(), ['control.1.sock', 'owner'])
})

t.test('a second daemon is refused with the pid of the first, which goes on', async (t) => {
  const dir = testFolder(t)
  const lock = await lockDirectory(dir, '1')
  t.teardown(() => lock.release())
  const child = startHolder(t, dir)
  t.equal(await firstLine(child), `lost ${process.pid} 78`)
  const refused = await lockDirectory(dir, '1').catch((error: unknown) => error)
  t.ok(refused instanceof DirectoryInUse && refused instanceof StartFailure)
  t.match(refused, { pid: process.pid, exitCode: 78, message: `process ${process.pid}` })
  t.same(readdirSync(dir).sort(), ['control.1.sock', 'owner'], 'nothing is left of the second')
  t.match(await askDaemon(dir, { verb: 'owner' }), { pid: process.pid })
})

t.test('after kill -9 the next start takes over, and after a release too', async (t) => {
  const dir = testFolder(t)
  const child = startHolder(t, dir)
  t.equal(await firstLine(child), 'won 1')
  await killed(child)
  t.ok(existsSync(join(dir, 'control.1.sock')), 'the socket of the dead is still there')
  await t.rejects(askDaemon(dir, { verb: 'status' }), NotListening)
  const lock = await lockDirectory(dir, '1')
  t.equal(lock.generation, 2)
  t.same(readdirSync(dir).sort(), ['control.2.sock', 'owner'])
  await lock.release()
  const next = await lockDirectory(dir, '1')
  t.equal(next.generation, 3)
  await next.release()
})

t.test('of many that start at once on a dead one’s socket, exactly one wins', async (t) => {
  const dir = testFolder(t)
  const dead = startHolder(t, dir)
  await firstLine(dead)
  await killed(dead)
  for (let round = 0; round < 2; round += 1) {
    const children = Array.from({ length: 6 }, () => startHolder(t, dir))
    const lines = await Promise.all(children.map(firstLine))
    const winners = children.filter((_, index) => lines[index]?.startsWith('won'))
    t.equal(winners.length, 1, lines.join(', '))
    const pid = winners[0]?.pid
    for (const line of lines) t.match(line, new RegExp(`^won|^lost ${pid} 78$`))
    await Promise.all(children.map((child) => child.exitCode === null && killed(child)))
  }
})

t.test('within one process, too, exactly one of many wins', async (t) => {
  const dir = testFolder(t)
  for (let round = 0; round < 20; round += 1) {
    const starts = Array.from({ length: 8 }, () => lockDirectory(dir, '1'))
    const settled = await Promise.allSettled(starts)
    const locks = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    t.equal(locks.length, 1)
    await locks[0]?.release()
  }
})

t.test('a suspended daemon still holds its directory', async (t) => {
  const dir = testFolder(t)
  const child = startHolder(t, dir)
  await firstLine(child)
  child.kill('SIGSTOP')
  const refused = await lockDirectory(dir, '1').catch((error: unknown) => error)
  t.match(refused, { name: 'StartFailure', pid: child.pid })
  child.kill('SIGCONT')
})

t.test('a directory whose path is too long for a socket works like any other', async (t) => {
  const dir = join(testFolder(t), 'x'.repeat(90), 'y'.repeat(90))
  const lock = await lockDirectory(dir, '1')
  const status = { pid: process.pid, version: '1' }
  t.same(await askDaemon(dir, { verb: 'status' }), { ...status, ready: false })
  lock.answer('status', () => ({ ...status, ready: true }))
  t.same(await askDaemon(dir, { verb: 'status' }), { ...status, ready: true })
  await t.rejects(lockDirectory(dir, '1'), /in use by process/)
  await lock.release()
  const again = await lockDirectory(dir, '1')
  t.equal(again.generation, 2)
  await again.release()
})

t.test('an unusable directory is refused with what to do', async (t) => {
  const dir = testFolder(t, { file: 'x' })
  const refused = (path: string) => lockDirectory(path, '1').catch((error: unknown) => error)
  const isFile = { exitCode: 78, message: /is a file, or below one/, hint: /data\.dir/ }
  t.match(await refused(join(dir, 'file')), isFile)
  t.match(await refused(join(dir, 'file', 'below')), isFile)
  t.match(await refused('/proc/self/nowhere/below'), { exitCode: 78 })
  if (process.getuid?.() !== 0) {
    mkdirSync(join(dir, 'locked'))
    chmodSync(join(dir, 'locked'), 0o000)
    t.match(await refused(join(dir, 'locked')), { exitCode: 78 })
  }
})

const onlyRoot = { skip: process.getuid?.() === 0 ? false : 'only root can be two users' }

t.test('files of another user are named, with their owner', onlyRoot, async (t) => {
  // Not below the project, whose folders may be closed to anybody else.
  const dir = mkdtempSync(join(tmpdir(), 'stillup-lock-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  await killed(await startedHolder(t, dir))
  chownSync(dir, 65_534, 65_534)
  process.seteuid?.(65_534)
  const error: unknown = await lockDirectory(dir, '1').catch((error: unknown) => error)
  process.seteuid?.(0)
  t.match(error, {
    exitCode: 78,
    message: `${dir}/control.1.sock belongs to another user (uid 0)`,
    hint: `chown -R 65534 ${dir}`,
  })
})

t.test(
  'a directory of another user is named, with the command that gives it',
  onlyRoot,
  async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'stillup-lock-'))
    t.teardown(() => rmSync(dir, { recursive: true }))
    const asNobody = async (path: string) => {
      process.setegid?.(65_534)
      process.seteuid?.(65_534)
      const error: unknown = await lockDirectory(path, '1').catch((error: unknown) => error)
      process.seteuid?.(0)
      process.setegid?.(0)
      return error
    }
    const message = `the data directory ${dir} belongs to another user (uid 0), and the daemon runs as uid 65534`
    const hint = `Run: chown -R 65534:65534 ${dir}`
    t.match(await asNobody(dir), { exitCode: 78, message, hint }, 'one that it may not read')
    chmodSync(dir, 0o755)
    t.match(await asNobody(dir), { exitCode: 78, message, hint }, 'one that it may only read')
    const below = join(dir, 'data')
    t.match(await asNobody(below), {
      exitCode: 78,
      message: `${below} cannot be created: ${dir} belongs to another user (uid 0)`,
      hint: `install -d -m 700 -o 65534 -g 65534 ${below}`,
    })
    chownSync(dir, 65_534, 65_534)
    chmodSync(dir, 0o500)
    t.match(
      await asNobody(dir),
      { exitCode: 78, hint: `chmod 700 ${dir}` },
      'one closed to its owner',
    )
  },
)

t.test('a read-only or full disk is called that', async (t) => {
  const refused = (code: string) =>
    unusableDirectory('/srv/up', Object.assign(new Error(), { code }))
  t.match(refused('EROFS'), {
    exitCode: 78,
    message: 'the data directory /srv/up is on a read-only file system',
    hint: /mount a volume/,
  })
  t.match(refused('ENOSPC'), { exitCode: 74, message: /\/srv\/up is full/ })
  t.match(refused('EIO'), { exitCode: 78, message: /cannot be used/ })
})

t.test('requests are answered one by one, failures as text', async (t) => {
  const dir = testFolder(t)
  const lock = await lockDirectory(dir, '1')
  t.teardown(() => lock.release())
  lock.answer('echo', async (request) => request.text)
  lock.answer('fail', () => {
    throw new Error('not today')
  })
  const texts = await Promise.all(
    ['a', 'b', 'c'].map((text) => askDaemon(dir, { verb: 'echo', text })),
  )
  t.same(texts, ['a', 'b', 'c'])
  await t.rejects(askDaemon(dir, { verb: 'fail' }), /not today/)
  await t.rejects(askDaemon(dir, { verb: 'unheard' }), /no verb unheard/)
})

t.test('nonsense on the socket harms nobody', async (t) => {
  const dir = testFolder(t)
  const lock = await lockDirectory(dir, '1')
  t.teardown(() => lock.release())
  const say = async (text: string) => {
    const { path, release } = socketPath(dir, 'control.1.sock')
    const socket = connect(path)
    socket.on('error', () => {})
    socket.write(text)
    const reply = await new Promise((resolve) => {
      socket.once('data', resolve)
      socket.once('close', () => resolve('cut off'))
    })
    socket.destroy()
    release()
    return String(reply)
  }
  t.match(await say('not json\n'), /"ok":false/)
  t.match(await say('{"verb":7}\n'), /object with a verb/)
  t.equal(await say('x'.repeat(200_000)), 'cut off')
  t.match(await askDaemon(dir, { verb: 'owner' }), { pid: process.pid })
})

t.test('files of other kinds with the name of a socket do not stop a start', async (t) => {
  const dir = testFolder(t)
  writeFileSync(join(dir, 'control.7.sock'), 'restored from a backup')
  const lock = await lockDirectory(dir, '1')
  t.equal(lock.generation, 8)
  await lock.release()
})
