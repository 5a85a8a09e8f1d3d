// The commands of docs/standby.md work as they stand, on two machines that are folders with a daemon each: what
// systemd would do is done by a script that reads the unit and its drop-in. The proxies are real.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { shellBlocks } from '../../scripts/docs/blocks.ts'
import { testCertificates } from '../support/certificates.ts'
import { freePort } from '../support/free-port.ts'
import { pathOf, skipWithout } from '../support/programs.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/standby.md'), 'utf8')
const lines = page.split('\n')
const blocks = shellBlocks(root).filter(({ file }) => file === 'docs/standby.md')

const headingAbove = (line: number) =>
  lines
    .slice(0, line)
    .findLast((one) => one.startsWith('## '))
    ?.slice(3)

/** The first block of a language. */
const fenced = (language: string) =>
  new RegExp(`^ *\`\`\`${language}\n(.*?)^ *\`\`\``, 'ms').exec(page)?.[1] ?? ''

interface Machine {
  readonly dir: string
  readonly url: string
  readonly log: () => string
  readonly env: Readonly<Record<string, string>>
}

const systemctl = `
log=$MACHINE/log
pid() { cat "$MACHINE/pid" 2>/dev/null; }
stop() { [ -z "$(pid)" ] || { kill "$(pid)" 2>/dev/null; tail --pid="$(pid)" -s 0.1 -f /dev/null; rm "$MACHINE/pid"; }; }
start() {
  line=$(cat "$TREE/systemd/stillup.service" "$MACHINE"/etc/systemd/system/stillup.service.d/*.conf 2>/dev/null |
    sed -n 's|^ExecStart=/usr/local/bin/||p' | tail -1)
  [ ! -f "$MACHINE/etc/stillup/standby.env" ] || . "$MACHINE/etc/stillup/standby.env"
  eval "words=($line)"
  : >"$log"
  "\${words[@]}" >"$log" 2>&1 </dev/null &
  echo $! >"$MACHINE/pid"
  until grep -qE '"(ready|standing by)"' "$log"; do
    kill -0 "$(pid)" 2>/dev/null || { cat "$log"; exit 1; }
    sleep 0.1
  done
}
case "$*" in
  daemon-reload) ;;
  'stop stillup') stop ;;
  'restart stillup') stop; start ;;
  'start stillup' | 'enable --now stillup') start ;;
  *) exit 64 ;;
esac`

async function machine(t: Test, folder: string, name: string, toml: string): Promise<Machine> {
  const dir = join(folder, name)
  const bin = join(folder, 'bin')
  for (const path of [join(dir, 'etc/stillup'), bin]) mkdirSync(path, { recursive: true })
  const add = (command: string, text: string) => {
    writeFileSync(join(bin, command), `#!/bin/bash\n${text}\n`)
    chmodSync(join(bin, command), 0o755)
  }
  add('stillup', `exec "${process.execPath}" "${root}/bin/start.cjs" "$@"`)
  add('systemctl', systemctl)
  add('journalctl', '[ "$*" = "-u stillup -o cat" ] && cat "$MACHINE/log"')
  add('scp', 'exec cp "$@"')
  const port = await freePort()
  writeFileSync(join(dir, 'etc/stillup/stillup.toml'), toml)
  const key = (name === 'a' ? 'ab' : 'cd').repeat(32)
  writeFileSync(join(dir, 'etc/stillup/master.key'), `${key}\n`, { mode: 0o600 })
  const env = {
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    HOME: folder,
    MACHINE: dir,
    TREE: root,
    STILLUP_CONFIG: join(dir, 'etc/stillup/stillup.toml'),
    STILLUP_DATA_DIR: join(dir, 'data'),
    STILLUP_DATA_MASTER_KEY_FILE: join(dir, 'etc/stillup/master.key'),
    STILLUP_HTTP_LISTEN: `127.0.0.1:${port}`,
    STILLUP_OBSERVER_SENTINELS: 'off',
  }
  t.teardown(() => {
    if (existsSync(join(dir, 'pid'))) kill(dir)
  })
  const read = (file: string) =>
    existsSync(join(dir, file)) ? readFileSync(join(dir, file), 'utf8') : ''
  return { dir, url: `http://127.0.0.1:${port}`, env, log: () => read('log') }
}

function kill(dir: string): void {
  try {
    process.kill(Number(readFileSync(join(dir, 'pid'), 'utf8')), 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** The two of the page: the first one serves. */
async function pair(t: Test) {
  const folder = testFolder(t)
  const a = await machine(t, folder, 'a', fenced('toml').replaceAll(/^ +/gm, ''))
  const b = await machine(t, folder, 'b', '')
  const machines = { first: a, second: b }

  /** Runs a line as one does on that machine. */
  function run(on: Machine, code: string): string {
    const here = code
      .replaceAll('b.example.com:/', `${b.dir}/`)
      .replaceAll('https://a.example.com', a.url)
      .replaceAll('https://b.example.com', b.url)
      .replaceAll('http://127.0.0.1:8080', on.url)
      .replaceAll('/usr/local/share/stillup/', `${root}/`)
      .replaceAll(/(?<![\w/])\/etc\//g, `${on.dir}/etc/`)
    const words = ['-c', `set -eo pipefail\n${here}`]
    const { status, stdout, stderr } = spawnSync('bash', words, {
      env: on.env,
      cwd: on.dir,
      encoding: 'utf8',
      timeout: 60_000,
    })
    t.equal(status, 0, `${code}\n${stdout}${stderr}`)
    return stdout
  }

  /** Runs what stands below a heading; returns what it said. */
  function section(heading: string, which = blocks.length): string {
    const own = blocks.filter(({ line }) => headingAbove(line) === heading).slice(0, which)
    t.ok(own.length > 0, `${heading} has commands`)
    return own.map(({ way, code }) => run(machines[way as 'first'], code)).join('')
  }
  const follows = (on: Machine) => until(() => on.log().includes('"this standby has everything"'))
  return { folder, a, b, run, section, follows }
}

const needed = skipWithout('bash', 'curl')

t.test('the page has nothing but commands that are tried', async (t) => {
  t.same(
    blocks.filter(({ way }) => way !== 'first' && way !== 'second'),
    [],
  )
})

t.test(
  'set up, followed, and promoted by the commands of the page',
  { skip: needed },
  async (t) => {
    const { a, b, section, follows, run } = await pair(t)
    section('Set it up')
    await follows(b)
    const said = section('Does it follow?')
    t.match(said, /role: standby.*role: leader.*stillup_standby_behind_records 0/s)
    kill(a.dir)
    await until(() => b.log().includes('"the leader does not answer"'))
    t.match(section('The leader died'), /this machine leads now.*role: leader/s)
    section('The machine that led before')
    await follows(a)
    t.match(await (await fetch(`${a.url}/healthz`)).text(), 'role: standby')
    // The way back.
    run(b, 'systemctl stop stillup')
    run(a, 'stillup promote')
    run(b, 'systemctl start stillup')
    await follows(b)
    t.notMatch(b.log(), /begins with a copy/)
    run(b, 'systemctl stop stillup')
    run(a, 'systemctl stop stillup')
  },
)

/** Asks until the answer says so. */
async function says(url: string, text: RegExp): Promise<void> {
  await until(async () => {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    return answer !== undefined && text.test(await answer.text())
  })
}

t.test(
  'after a planned change the proxies of the page lead to the other machine',
  { skip: needed },
  async (t) => {
    const { folder, a, b, section, follows } = await pair(t)
    section('Set it up')
    await follows(b)
    const proxies = await startProxies(t, folder, [a, b])
    for (const { name, url } of proxies) {
      await says(url, /role: leader/)
      t.equal((await fetch(`${url}/readyz`)).status, 200, name)
    }
    section('A planned change')
    await says(b.url, /role: leader/)
    section('The machine that led before')
    await follows(a)
    t.notMatch(a.log(), /begins with a copy/)
    for (const { name, url } of proxies) {
      await says(url, /role: leader/)
      t.equal((await fetch(`${url}/readyz`)).status, 200, name)
    }
    t.comment(`tried: ${proxies.map(({ name }) => name).join(', ') || 'no proxy is installed'}`)
  },
)

async function startProxies(t: Test, folder: string, [a, b]: readonly [Machine, Machine]) {
  const started: { readonly name: string; readonly url: string }[] = []
  const here = (text: string) =>
    text
      .replaceAll('10.0.0.1:8080', new URL(a.url).host)
      .replaceAll('10.0.0.2:8080', new URL(b.url).host)
  const start = (name: 'caddy' | 'haproxy', args: readonly string[], url: string) => {
    const child: ChildProcess = spawn(pathOf(name) ?? name, args, { stdio: 'ignore' })
    t.teardown(() => child.kill('SIGKILL'))
    started.push({ name, url })
  }
  if (pathOf('caddy')) {
    const port = await freePort()
    const text = here(fenced('caddyfile'))
      .replace('up.example.com', `http://127.0.0.1:${port}`)
      .replaceAll(/^([ab])\.example\.com/gm, `http://$1.localhost:${port}`)
    const config = join(folder, 'Caddyfile')
    writeFileSync(config, `{\n  admin off\n}\n${text}`)
    const args = ['run', '--adapter', 'caddyfile', '--config', config]
    start('caddy', args, `http://127.0.0.1:${port}`)
  }
  if (pathOf('haproxy')) {
    const port = await freePort()
    const { cert, key } = testCertificates.good
    mkdirSync(join(folder, 'certificates'))
    writeFileSync(join(folder, 'certificates/up.pem'), `${cert}\n${key}`)
    // With the certificate that Node does not know here, beside a port without.
    const text = here(fenced('haproxy'))
      .replace(/^ {2}bind :443/m, `  bind 127.0.0.1:${port}\n  bind 127.0.0.1:${await freePort()}`)
      .replace('/etc/haproxy/certificates/', `${folder}/certificates/`)
    writeFileSync(join(folder, 'haproxy.cfg'), text)
    start('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], `http://127.0.0.1:${port}`)
  }
  return started
}
