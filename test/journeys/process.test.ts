// The daemon as a process: its first start, its one directory, its signals, and what survives it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { mintKey, register } from '../support/cast.ts'
import { type DaemonProcess, startProcess } from '../support/daemon-process.ts'
import { skipWithout } from '../support/programs.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { makeReadOnly, mountSmall, noMount } from '../support/small-disk.ts'
import { answer, silent, startTarget } from '../support/target.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

t.jobs = 2

async function firstOwner(daemon: DaemonProcess) {
  const owner = await register(daemon, 'alice', await daemon.setupToken())
  return { ...owner, key: await mintKey(daemon, owner) }
}

const skip = skipWithout('bash', 'curl')

t.test(
  'the first start prints commands, and pasted they lead to monitors that are checked',
  { skip },
  async (t) => {
    const cwd = testFolder(t)
    const daemon = startProcess(t, cwd)
    await daemon.ready()
    await daemon.setupToken()
    // Up to the monitors; test/commands/first-steps.test.ts goes on to the page and the alerts.
    const [toMonitors = ''] = daemon.out.split('  4. ')
    const commands = toMonitors.split('\n').filter((line) => /^(ORG|KEY|PUSH)=|^api/.test(line))
    t.equal(commands.length, 5)
    const shell = spawn('bash', { cwd, stdio: ['pipe', 'pipe', 'pipe'] })
    let said = ''
    shell.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    shell.stderr.resume()
    shell.stdin.end(`${commands.join('\n')}\necho "key $KEY"\n`)
    await once(shell, 'close')
    t.match(said, /"message":"Monitor created"/)
    const key = /key (sup_\w+)/.exec(said)?.[1] ?? ''
    const [org] = await daemon.need('GET', '/orgs', { key })
    const seen = await until(async () => {
      const monitors = await daemon.need('GET', `/orgs/${org.id}/monitors`, { key })
      return monitors.find(({ state }: { state: string }) => state === 'up')
    })
    t.match(seen, { name: 'Website', intervalMinutes: 1, lastOutcome: 'up' })
    t.match(await daemon.stop(), { code: 0 })
    t.notMatch(
      daemon.err,
      new RegExp(`${key}|${await daemon.setupToken()}`),
      'the log keeps secrets',
    )
  },
)

t.test('a second daemon on the same directory names the first, which continues', async (t) => {
  const cwd = testFolder(t)
  const first = startProcess(t, cwd)
  await first.ready()
  const second = startProcess(t, cwd)
  t.match(await second.ended, { code: 78 })
  t.match(second.err, new RegExp(`data is in use by process ${first.child.pid}`))
  t.equal((await first.ask('GET', '/readyz')).status, 200)
  t.equal((await firstOwner(first)).email, 'alice@example.com')
  t.match(await first.stop(), { code: 0 })
})

t.test('killed while it makes a backup, it leaves no half one, and nothing is lost', async (t) => {
  const cwd = testFolder(t, { data: { backups: {} } })
  const bearer = 'operator-0123456789abcdef0123456789abcdef'
  const env = { STILLUP_SYSTEM_TOKEN: bearer }
  const first = startProcess(t, cwd, env)
  await first.ready()
  const { org, key } = await firstOwner(first)
  const monitors = Array.from({ length: 300 }, (_, at) => ({
    ...{ name: `job ${at}`, checkType: 'push' },
    description: 'x'.repeat(2_000),
  }))
  await first.need('POST', `${org}/monitors/bulk`, { key, json: { monitors } })
  await first.need('POST', '/system/backups', { bearer })
  const backups = join(cwd, 'data', 'backups')
  const isBegun = () => readdirSync(backups).some((name) => name.startsWith('.unfinished-'))
  let isCaught = false
  const watcher = watch(backups, () => {
    if (isCaught || !isBegun()) return
    // Stopped first: what is unfinished then stays so.
    first.child.kill('SIGSTOP')
    isCaught = isBegun()
    first.child.kill(isCaught ? 'SIGKILL' : 'SIGCONT')
  })
  t.teardown(() => watcher.close())
  // One may be done before this process has its turn: then it is one of the next.
  const ask = () =>
    first.ask('POST', '/api/v1/system/backups', { bearer }).catch(() => ({ status: 'cut off' }))
  let made = 1
  for (; !isCaught; made += 1) {
    const { status } = await ask()
    if (status === 'cut off') break
    t.equal(status, 200)
  }
  t.match(await first.ended, { signal: 'SIGKILL' })
  t.ok(isBegun(), 'it was killed in between')
  watcher.close()

  const second = startProcess(t, cwd, env)
  await second.ready()
  t.equal((await second.need('GET', '/system/backups', { bearer })).length, made)
  t.equal((await second.need('GET', `${org}/overview`, { key })).monitors.length, 300)
  await second.need('POST', '/system/backups', { bearer })
  t.notOk(isBegun(), 'the next backup removes what was left')
  t.equal((await second.need('GET', '/system/backups', { bearer })).length, made + 1)
  t.match(await second.stop(), { code: 0 }, 'a daemon that was killed leaves nothing in the way')
})

t.test('a wrong setting names itself and ends with 78, a taken port with 74', async (t) => {
  const cwd = testFolder(t)
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  t.teardown(() => blocker.close())
  const { port } = blocker.address() as AddressInfo
  const table: [Record<string, string>, number, RegExp][] = [
    [{ STILLUP_HTTP_RATE_API_PER_MINUTE: 'many' }, 78, /http\.rateApiPerMinute/],
    [{ STILLUP_HTTP_LISTN: '127.0.0.1:0' }, 78, /STILLUP_HTTP_LISTN.*STILLUP_HTTP_LISTEN/],
    [{ STILLUP_CONFIG: 'missing.toml' }, 78, /missing\.toml/],
    [{ STILLUP_HTTP_LISTEN: `127.0.0.1:${port}` }, 74, new RegExp(`${port}`)],
    [{ STILLUP_DATA_DIR: '/proc/none' }, 78, /\/proc\/none/],
  ]
  const ends = table.map(async ([env, code, said]) => {
    const daemon = startProcess(t, cwd, { STILLUP_DATA_DIR: `data-${code}`, ...env })
    t.match(await daemon.ended, { code }, JSON.stringify(env))
    t.match(daemon.err, said)
    t.notMatch(daemon.err, /\n {4}at /, 'no stack for what a person can put right')
  })
  await Promise.all(ends)
})

t.test(
  'a read-only or full disk, or a lost key, is said in a line',
  { skip: noMount },
  async (t) => {
    const disk = mountSmall(t, 64)
    if (disk === undefined) {
      t.pass('a small disk', { skip: 'this machine permits no mount' })
      return
    }
    const refused = async (code: number, said: RegExp, env: Record<string, string> = {}) => {
      const daemon = startProcess(t, disk, env)
      t.match(await daemon.ended, { code }, String(said))
      t.match(daemon.err, said)
      const lines = daemon.err.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
      t.ok(lines.length <= 2, `what happened, and what to do: ${lines}`)
    }
    const first = startProcess(t, disk)
    await first.ready()
    t.match(await first.stop(), { code: 0 })

    const elsewhere = join(testFolder(t), 'master.key')
    const lost = /^stillup: .*master\.key: the master key file is missing, and there is data/m
    await refused(78, lost, { STILLUP_DATA_MASTER_KEY_FILE: elsewhere })
    t.notOk(existsSync(elsewhere), 'no new key gets in the way of the right one')

    const filler = join(disk, 'filler')
    try {
      writeFileSync(filler, Buffer.alloc(80 * 1024 ** 2))
    } catch {
      // To the last byte.
    }
    await refused(74, /^stillup: the disk of the data directory .*data is full$/m)
    rmSync(filler)

    makeReadOnly(disk)
    await refused(78, /^stillup: the data directory .*data is on a read-only file system$/m)
  },
)

t.test('a stop finishes requests, aborts checks without a result, and ends with 0', async (t) => {
  const cwd = testFolder(t)
  const held: (() => void)[] = []
  const target = await startTarget({
    '/fast': answer(),
    '/slow': silent,
    '/held': (call) => void held.push(() => answer()(call)),
  })
  t.teardown(() => target.close())
  const daemon = startProcess(t, cwd)
  await daemon.ready()
  const { org, key } = await firstOwner(daemon)
  const made = async (path: string) =>
    daemon.need('POST', `${org}/monitors`, {
      key,
      // No check ends, and none is repeated, in the time of the test.
      json: { name: path, url: target.url + path, timeoutMs: 60_000, intervalMinutes: 1_440 },
    })
  const [slow, fast, asked] = [await made('/slow'), await made('/fast'), await made('/held')]
  await until(() => target.calls.some(({ path }) => path === '/slow') && held.length > 0)
  // It joins the check that the target holds back.
  const run = daemon.ask('POST', `/api/v1${org}/monitors/${asked.id}`, { key })
  await until(
    async () => (await daemon.need('GET', `${org}/monitors/${fast.id}`, { key })).state === 'up',
  )
  const halfSent = await openRequest(daemon.url, `/api/v1${org}/monitors`, key)
  t.teardown(() => halfSent.destroy())
  const ending = daemon.stop()
  await until(() => daemon.err.includes('"message":"stopping"'))
  for (const answerNow of held) answerNow()
  const { json } = await run
  t.match(json, { success: true })
  // Where the daemon itself had to wait for its turn, it gives no verdict.
  const { outcome } = json.data
  t.match(outcome, /^(up|unknown)$/)
  halfSent.destroy()
  const end = await ending
  t.match(end, { code: 0, signal: null })
  t.ok(end.tookMs < 30_000, `${end.tookMs} ms`)
  t.match(daemon.err, /"message":"stopped"/)

  const again = startProcess(t, cwd)
  await again.ready()
  const where = await until(() => again.out.includes('/app') && again.out)
  t.match(where, '/app', 'with an account it is said where the console is')
  t.notMatch(again.out, 'setup token')
  t.equal((await again.ask('GET', '/api/v1/orgs', { key })).status, 200)
  const checks = ({ id }: { id: string }) =>
    again.need('GET', `${org}/monitors/${id}/checks`, { key })
  t.same(await checks(slow), [], 'a check that was cut says nothing about its target')
  t.match((await checks(fast))[0], { outcome: 'up' })
  t.match((await checks(asked))[0], { outcome }, 'what was answered')
  t.match(await again.stop('SIGINT'), { code: 0 })
})

t.test('a restart keeps everything: the incident, and the pending alert with its id', async (t) => {
  const cwd = testFolder(t)
  const target = await startTarget(answer({ status: 503 }))
  const receiver = await startReceiver()
  t.teardown(() => Promise.all([target.close(), receiver.close()]))
  receiver.always('hang')
  const first = startProcess(t, cwd)
  await first.ready()
  const { org, key, cookie } = await firstOwner(first)
  await first.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'On call', type: 'webhook', config: { url: receiver.url } },
  })
  const monitor = await first.need('POST', `${org}/monitors`, {
    key,
    json: {
      name: 'Shop',
      url: target.url,
      headers: { 'X-Secret': 'a-kept-header-value' },
      intervalMinutes: 1_440,
    },
  })
  const path = `${org}/monitors/${monitor.id}`
  // Three that count, whatever the daemon sets aside because it had to wait for its turn.
  const openIncidentId = await until(async () => {
    const run = await first.need('POST', path, { key })
    return run.openIncidentId ?? undefined
  })
  const [unanswered] = await receiver.received(1)
  t.match(await first.stop('SIGKILL'), { signal: 'SIGKILL' })

  receiver.always({ status: 200 })
  const before = receiver.requests.length
  const second = startProcess(t, cwd)
  await second.ready()
  const told = await receiver.received(before + 1)
  const after = told.slice(before)
  t.equal(after[0]?.headers['webhook-id'], unanswered?.headers['webhook-id'])
  t.match(bodyOf(after[0]), { type: 'incident.opened', data: { incident: { id: openIncidentId } } })
  t.match(await second.need('GET', path, { cookie }), { state: 'down', openIncidentId })
  t.match(await second.need('GET', `${org}/incidents/${openIncidentId}`, { key }), {
    state: 'open',
  })

  target.script = answer()
  const up = await until(async () => {
    const run = await second.need('POST', path, { key })
    return run.state === 'up' && run
  })
  t.match(up, { openIncidentId: null })
  t.equal(target.calls.at(-1)?.headers['x-secret'], 'a-kept-header-value')
  const all = await receiver.received(before + 2)
  t.equal(bodyOf(all.at(-1)).type, 'incident.resolved')
  t.match(await second.stop(), { code: 0 })
  t.equal(receiver.requests.length, before + 2)
})

/** A request whose body stops in the middle, once its first part is on the wire. */
async function openRequest(url: string, path: string, key: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = [`POST ${path} HTTP/1.1`, `Host: ${hostname}`, `X-Api-Key: ${key}`]
  const lines = [...head, 'Content-Type: application/json', 'Content-Length: 100', '', '{"name":']
  await new Promise<void>((resolve) => socket.write(lines.join('\r\n'), () => resolve()))
  return socket
}
