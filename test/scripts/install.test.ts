// scripts/install.sh: what it puts where, what it refuses, and that it can be run again.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { pathOf, skipWithout } from '../support/programs.ts'
import { testFolder } from '../support/test-folder.ts'

const tree = join(import.meta.dirname, '../..')
const script = join(tree, 'scripts/install.sh')
const arch = process.arch === 'arm64' ? 'arm64' : 'x64'
const isRoot = process.getuid?.() === 0
const skip = !isRoot && 'it needs root'
const skipTarball = skip || skipWithout('xz')

t.jobs = 2

/** A release whose program is a script that notes what it is asked to do. */
function makeRelease(t: Test, version: string, parent = testFolder(t)) {
  const dir = join(parent, `stillup-${version}-linux-${arch}`)
  mkdirSync(dir)
  cpSync(join(tree, 'systemd'), join(dir, 'systemd'), { recursive: true })
  cpSync(join(tree, 'config/stillup.toml'), join(dir, 'stillup.toml'))
  cpSync(join(tree, 'LICENSE'), join(dir, 'LICENSE'))
  cpSync(script, join(dir, 'install.sh'))
  const program = `#!/bin/sh
echo "stillup $*" >>"\${CALLS:-/dev/null}"
case $1 in
--version) echo ${version} ;;
native-extract) mkdir -p "$2"; echo code >"$2/uws.node" ;;
completion) echo "# for $2" ;;
backup) exit "\${BACKUP_CODE:-0}" ;;
esac
`
  writeFileSync(join(dir, 'stillup'), program, { mode: 0o755 })
  return dir
}

function install(args: readonly string[], env: Record<string, string> = {}, input = '') {
  const { status, stdout, stderr } = spawnSync('sh', [script, ...args], {
    encoding: 'utf8',
    // The tools that every Debian has, wherever the test itself looks for others.
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    input,
  })
  return { status, stdout, stderr }
}

/** Every file below a directory, with its mode, content and time. */
function snapshot(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      const { mode, mtimeMs } = statSync(path)
      return `${path} ${mode.toString(8)} ${mtimeMs}`
    })
    .sort()
}

function makeTarball(t: Test, version = '1.2.3') {
  const dir = testFolder(t)
  const release = makeRelease(t, version, dir)
  const name = `${release.split('/').at(-1)}.tar.xz`
  spawnSync('tar', ['-cJf', name, release.split('/').at(-1) ?? ''], { cwd: dir })
  rmSync(release, { recursive: true })
  const { stdout } = spawnSync('sha256sum', [name], { cwd: dir, encoding: 'utf8' })
  writeFileSync(join(dir, 'SHA256SUMS'), stdout)
  return { dir, name, file: join(dir, name) }
}

t.test('shellcheck finds nothing in it', { skip: skipWithout('shellcheck') }, async (t) => {
  const { stdout } = spawnSync('shellcheck', [script], { encoding: 'utf8' })
  t.equal(stdout, '')
})

t.test('help is printed, and a wrong command line ends with 64', async (t) => {
  t.match(install(['--help']), { status: 0, stdout: /^Usage: install\.sh/ })
  t.match(install(['--form', 'x']), { status: 64, stderr: /there is no option --form/ })
  t.match(install(['--from']), { status: 64, stderr: /--from needs a value/ })
  t.match(install(['--purge']), { status: 64, stderr: /--purge needs --uninstall/ })
  const nothing = install(['--root', testFolder(t)])
  t.match(nothing, { status: isRoot ? 64 : 1 }, 'nothing to install lies beside it')
})

t.test('it installs everything, and changes nothing when it is run again', { skip }, async (t) => {
  const release = makeRelease(t, '1.2.3')
  const root = join(t.testdirName, 'root')
  const args = ['--from', release, '--root', root, '--ping', '--browser', '--low-ports']
  const first = install(args)
  t.match(first, { status: 0, stderr: '', stdout: /stillup 1\.2\.3 is installed/ })
  t.match(first.stdout, /Keep a copy of it in another place/)
  const modeOf = (path: string) => statSync(join(root, path)).mode & 0o777
  const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
  t.equal(modeOf('usr/local/bin/stillup'), 0o755)
  t.equal(modeOf('etc/stillup/master.key'), 0o600)
  t.match(textOf('etc/stillup/master.key'), /^[0-9a-f]{64}\n$/)
  t.match(textOf('etc/stillup/stillup.toml'), /^dir = "\/var\/lib\/stillup"$/m)
  t.match(textOf('etc/stillup/stillup.toml.example'), /^#dir = "\/var\/lib\/stillup"$/m)
  t.equal(textOf('usr/local/lib/stillup/native/uws.node'), 'code\n')
  for (const path of [
    'etc/systemd/system/stillup.service',
    'etc/systemd/system/stillup.service.d/ping.conf',
    'etc/systemd/system/stillup.service.d/browser.conf',
    'etc/systemd/system/stillup-browser.service',
    'etc/systemd/system/stillup.service.d/low-ports.conf',
    'etc/sysctl.d/10-stillup-ping.conf',
    'usr/local/share/bash-completion/completions/stillup',
    'usr/local/share/stillup/systemd/from-npm.conf',
    'usr/local/share/stillup/install.sh',
  ]) {
    t.ok(existsSync(join(root, path)), path)
  }
  const left = readdirSync(root, { recursive: true, encoding: 'utf8' })
  t.same(
    left.filter((path) => path.endsWith('.new')),
    [],
  )

  writeFileSync(join(root, 'etc/stillup/stillup.toml'), '[log]\nlevel = "debug"\n')
  rmSync(join(root, 'usr/local/lib'), { recursive: true })
  install(args)
  const before = snapshot(root).filter((line) => !line.includes('/native/'))
  const second = install(args)
  t.match(second, { status: 0, stdout: /nothing was changed/ })
  t.same(
    snapshot(root).filter((line) => !line.includes('/native/')),
    before,
  )
  t.match(textOf('etc/stillup/stillup.toml'), 'debug', 'settings are the operator’s')
})

t.test('an upgrade keeps the former program, and says the way back', { skip }, async (t) => {
  const root = join(testFolder(t), 'root')
  const parent = (name: string) => {
    const dir = join(t.testdirName, name)
    mkdirSync(dir)
    return dir
  }
  install(['--from', makeRelease(t, '1.0.0', parent('a')), '--root', root])
  const key = readFileSync(join(root, 'etc/stillup/master.key'), 'utf8')
  const next = install(['--from', makeRelease(t, '1.1.0', parent('b')), '--root', root])
  t.match(next, { status: 0, stdout: /stillup 1\.1\.0 has taken the place of 1\.0\.0/ })
  t.match(next.stdout, /To go back to 1\.0\.0/)
  t.match(readFileSync(join(root, 'usr/local/lib/stillup/previous/stillup'), 'utf8'), 'echo 1.0.0')
  t.equal(readFileSync(join(root, 'etc/stillup/master.key'), 'utf8'), key)
})

t.test('a program that does not run here replaces nothing', { skip }, async (t) => {
  const root = join(testFolder(t), 'root')
  const release = makeRelease(t, '1.0.0', t.testdirName)
  install(['--from', release, '--root', root])
  writeFileSync(join(release, 'stillup'), '#!/bin/sh\necho "GLIBC_2.99 not found" >&2; exit 1\n')
  const { status, stderr } = install(['--from', release, '--root', root])
  t.equal(status, 1)
  t.match(stderr, /does not run on this machine: GLIBC_2\.99 not found/)
  t.match(readFileSync(join(root, 'usr/local/bin/stillup'), 'utf8'), 'echo 1.0.0')
  t.notOk(existsSync(join(root, 'usr/local/bin/stillup.new')))
})

t.test('data whose key is missing gets no new key', { skip }, async (t) => {
  const release = makeRelease(t, '1.0.0')
  const root = join(t.testdirName, 'root')
  const data = join(root, 'var/lib/private/stillup')
  mkdirSync(data, { recursive: true })
  writeFileSync(join(data, 'data.mdb'), 'x')
  const missing = install(['--from', release, '--root', root])
  t.match(missing, { status: 1, stderr: /put back the key that the data was written with/ })
  writeFileSync(join(data, 'master.key'), 'x')
  const beside = install(['--from', release, '--root', root])
  t.match(beside, { status: 1, stderr: /move .*master\.key to .*master\.key first/ })
  t.notOk(existsSync(join(root, 'usr/local/bin/stillup')), 'nothing was installed')
})

t.test('a tarball is installed only if its sum is right', { skip: skipTarball }, async (t) => {
  const { dir, name, file } = makeTarball(t)
  const root = join(t.testdirName, 'root')
  t.match(install(['--from', file, '--root', root]), { status: 0 })
  const sums = readFileSync(join(dir, 'SHA256SUMS'), 'utf8')
  const good = sums.slice(0, 64)
  writeFileSync(join(dir, 'SHA256SUMS'), sums.replaceAll(/[0-9a-f]{64}/g, '0'.repeat(64)))
  const bad = install(['--from', file, '--root', root])
  t.match(bad, { status: 1, stderr: /is damaged, or is not what was released/ })
  t.match(install(['--from', file, '--root', root, '--sha256', good]), { status: 0 })
  writeFileSync(join(dir, 'SHA256SUMS'), sums.replace(name, 'other.tar.xz'))
  t.match(install(['--from', file, '--root', root]), { status: 1, stderr: /does not name/ })
  rmSync(join(dir, 'SHA256SUMS'))
  t.match(install(['--from', file, '--root', root]), { status: 1, stderr: /no SHA256SUMS beside/ })
})

t.test('a build for another machine is refused by its name', { skip: skipTarball }, async (t) => {
  const dir = testFolder(t)
  const other = 'stillup-1.2.3-linux-riscv64'
  cpSync(makeRelease(t, '1.2.3', dir), join(dir, other), { recursive: true })
  spawnSync('tar', ['-cJf', `${other}.tar.xz`, other], { cwd: dir })
  const { stdout } = spawnSync('sha256sum', [`${other}.tar.xz`], { cwd: dir, encoding: 'utf8' })
  writeFileSync(join(dir, 'SHA256SUMS'), stdout)
  const from = join(dir, `${other}.tar.xz`)
  const { status, stderr } = install(['--from', from, '--root', join(dir, 'root')])
  t.equal(status, 1)
  t.match(stderr, /riscv64 is not for this machine/)
})

t.test(
  'the newest release is downloaded from the address that is set',
  { skip: skipTarball || skipWithout('curl') },
  async (t) => {
    const { dir, name } = makeTarball(t)
    const server = createServer((request, response) => {
      const path = join(dir, request.url ?? '')
      if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end()
      return response.end(readFileSync(path))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    t.teardown(() => server.close())
    const { port } = server.address() as AddressInfo
    const older = name.replace('1.2.3', '1.2.10').replace('1.2.10', '0.9.9')
    const sums = readFileSync(join(dir, 'SHA256SUMS'), 'utf8')
    writeFileSync(join(dir, 'SHA256SUMS'), sums + sums.replace(name, older))
    const root = join(dir, 'root')
    const child = spawn('sh', [script, '--root', root], {
      env: {
        PATH: process.env.PATH ?? '',
        STILLUP_DOWNLOAD_URL: `http://127.0.0.1:${port}`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    const [code] = await once(child, 'close')
    t.equal(code, 0)
    t.match(out, /stillup 1\.2\.3 is installed/)
  },
)

t.test('plain http is refused, where others could change the sums as well', { skip }, (t) => {
  const root = join(t.testdirName, 'root')
  const from = (address: string, ...more: string[]) =>
    install(['--root', root, '--from', address, ...more])
  const hosts = ['releases.test', 'localhost@releases.test', '127.0.0.1.releases.test']
  for (const host of [...hosts, 'localhost:80@releases.test', '127.0.0.1:1@releases.test']) {
    const refused = from(`http://${host}/stillup-1.2.3-linux-x64.tar.xz`)
    t.match(refused, { status: 1, stderr: /plain http.*use https, or .*--sha256/ }, host)
  }
  const set = install(['--root', root], { STILLUP_DOWNLOAD_URL: 'http://releases.test/new' })
  t.match(set, { status: 1, stderr: /plain http/ })
  const nobody = 'http://127.0.0.1:1/stillup.tar.xz'
  t.match(from(nobody), { status: 1, stderr: /could not be downloaded/ }, 'this machine')
  t.match(from('http://[::1]:1/stillup.tar.xz'), { status: 1, stderr: /be downloaded/ })
  t.match(from(nobody.replace('127.0.0.1', '127.0.0.1.'), '--sha256', 'a'.repeat(64)), {
    status: 1,
    stderr: /could not be downloaded/,
  })
  t.notOk(existsSync(root))
  t.end()
})

t.test('removing keeps data, settings and key, unless they are purged', { skip }, async (t) => {
  const release = makeRelease(t, '1.2.3')
  const root = join(t.testdirName, 'root')
  const own = join(root, 'etc/systemd/system/stillup.service.d/own.conf')
  const args = ['--root', root, '--uninstall']
  install(['--from', release, '--root', root, '--ping'])
  mkdirSync(join(root, 'var/lib/private/stillup'), { recursive: true })
  writeFileSync(own, '[Service]\n')
  t.match(install([...args, '--purge'], {}, 'no\n'), { status: 1, stderr: /nothing was removed/ })
  t.ok(existsSync(join(root, 'usr/local/bin/stillup')))
  const removed = install(args)
  t.match(removed, { status: 0, stdout: /These are kept/ })
  const left = snapshot(root).map((line) => line.slice(root.length).split(' ')[0])
  t.same(left.sort(), [
    '/etc/stillup/master.key',
    '/etc/stillup/stillup.toml',
    '/etc/stillup/stillup.toml.example',
    '/etc/systemd/system/stillup.service.d/own.conf',
  ])
  t.match(install(args), { status: 0 }, 'twice')
  t.match(install([...args, '--purge'], {}, 'no\n'), { status: 1, stderr: /not confirmed/ })
  t.ok(existsSync(join(root, 'etc/stillup/master.key')))
  t.match(install([...args, '--purge'], {}, 'yes\n'), { status: 0 })
  t.notOk(existsSync(join(root, 'etc/stillup')))
  t.notOk(existsSync(join(root, 'var/lib/private/stillup')))
})

/** A copy of this machine's files that takes every change, with a systemctl that notes its calls. */
function makeMachine(t: Test) {
  const dir = testFolder(t, { upper: {}, merged: {}, tmp: {} })
  const upper = join(dir, 'tmp/upper')
  const calls = '/run/calls'
  const systemctl = `#!/bin/sh
case $1 in
--version) echo 'systemd 252 (252)'; exit ;;
is-active) [ -f /run/active ]; exit ;;
is-enabled) [ -f /run/enabled ]; exit ;;
esac
echo "systemctl $*" >>${calls}
case $1 in
enable) touch /run/enabled ;;
start|restart) [ ! -f /run/breaks ] && touch /run/active && echo run >>/run/runs ;;
show) wc -l </run/runs ;;
disable) rm -f /run/enabled /run/active ;;
esac
`
  // The account was made after the first start.
  const journalctl = `#!/bin/sh
case $* in
*_ID=1\\ *) printf 'stillup has no account yet.\\nhttp://127.0.0.1:8080/app/setup#a\\n' ;;
*) echo "a line of the log" ;;
esac
`
  function run(command: string) {
    // Everything ends with the namespace: mounts, and with them all files.
    const setUp = [
      `mount -t tmpfs none ${dir}/tmp && mkdir -p ${upper} ${dir}/tmp/work`,
      `mount -t overlay -o lowerdir=/,upperdir=${upper},workdir=${dir}/tmp/work none ${dir}/merged`,
      `mount -t tmpfs none ${dir}/merged/run && mkdir -p ${dir}/merged/run/systemd/system`,
      // Nothing may need to run a program from there.
      `mount -t tmpfs -o noexec none ${dir}/merged/tmp`,
      `mount --bind ${dir}/upper ${dir}/merged/mnt`,
      `mount --bind /dev ${dir}/merged/dev`,
      `exec chroot ${dir}/merged sh -c "$COMMANDS"`,
    ].join(' && ')
    return spawnSync('unshare', ['--mount', 'sh', '-c', setUp], {
      encoding: 'utf8',
      env: {
        PATH: `/mnt/bin:${process.env.PATH ?? ''}`,
        CALLS: calls,
        COMMANDS: command,
      },
    })
  }
  mkdirSync(join(dir, 'upper/bin'))
  for (const [name, text] of [
    ['systemctl', systemctl],
    ['journalctl', journalctl],
  ] as const) {
    writeFileSync(join(dir, 'upper/bin', name), text)
    chmodSync(join(dir, 'upper/bin', name), 0o755)
  }
  cpSync(script, join(dir, 'upper/install.sh'))
  const isPossible =
    isRoot && pathOf('unshare') !== undefined && run('test -d /mnt/bin').status === 0
  return { dir: join(dir, 'upper'), run, isPossible }
}

t.test('the service is started, backed up and restarted by an upgrade', { skip }, async (t) => {
  const machine = makeMachine(t)
  if (!machine.isPossible) return t.pass('mounting is not permitted here')
  const names = ['1.0.0', '1.1.0', '1.2.0'].map((version) => {
    const path = makeRelease(t, version, machine.dir)
    return path.slice(machine.dir.length)
  })
  const [one, two, three] = names.map((name) => `sh /mnt/install.sh --from /mnt${name}`)
  const { stdout, stderr, status } = machine.run(`
    set -e
    cp -r /mnt${names[0]} /tmp/ && sh /mnt/install.sh --from /tmp${names[0]}
    echo "== again" >>$CALLS && ${one}
    echo "== upgrade" >>$CALLS && ${two}
    echo "== its backup fails" >>$CALLS && ! BACKUP_CODE=74 ${three}
    [ "$(stillup --version)" = 1.1.0 ]
    echo "== it does not start" >>$CALLS && touch /run/breaks && ! ${three}
    echo "== uninstall" >>$CALLS && sh /mnt/install.sh --uninstall
    cat /run/calls
  `)
  t.equal(status, 0, stderr)
  const calls = stdout.slice(stdout.indexOf('systemctl daemon-reload'))
  const of = (title: string) =>
    (calls.split(/^== /m).find((part) => part.startsWith(title)) ?? '')
      .split('\n')
      .slice(1)
      .filter((line) => /^systemctl (?!show)|backup/.test(line))
  t.match(
    calls,
    /^systemctl daemon-reload\nsystemctl enable --quiet stillup\nsystemctl start stillup/,
  )
  t.same(of('again'), [])
  t.equal(stdout.match(/has no account yet/g)?.length, 1, 'an upgrade does not ask for an account')
  const tunnel = 'ssh -L 8080:127.0.0.1:8080 SERVER'
  t.match(
    stdout,
    `http://127.0.0.1:8080/app/setup#a\nTo open it on another machine, run there: ${tunnel}\n`,
  )
  t.equal(stdout.split(tunnel).length, 2, 'nor how to open it')
  t.same(of('upgrade'), [
    'stillup backup create',
    'systemctl daemon-reload',
    'systemctl restart stillup',
  ])
  t.same(of('its backup fails'), ['stillup backup create'])
  t.match(stderr, /the backup failed, so nothing was changed/)
  t.equal(of('it does not start').at(-1), 'systemctl restart stillup')
  t.match(stderr, /did not become ready\. Its last lines:\na line of the log\n/)
  t.match(stderr, /To go back to 1\.1\.0/)
  t.match(of('uninstall')[0], /^systemctl disable --now/)
})
