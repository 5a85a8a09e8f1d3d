// A machine as somebody has it who follows docs/cluster.md: a shell of root in a network of its own, whose files below
// /etc, /root, /usr/local and /var/lib are its own. Systemd, scp and the download of NATS are played by scripts.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { buildNatsServer } from './nats-server.ts'
import { program } from './program.ts'

const root = join(import.meta.dirname, '../..')

/** What systemd does with a unit that is started: credentials, its user, and restarts. */
const supervise = `
unit=$1
shopt -s nullglob
values() { cat /etc/systemd/system/$unit.service /etc/systemd/system/$unit.service.d/*.conf | sed -n "s|^$1=||p"; }
lent=/var/lib/lent-$unit
rm -rf $lent && install -d -m 755 $lent
for one in $(values LoadCredential); do install -m 440 "\${one#*:}" "$lent/\${one%%:*}"; done
user=$(values User)
if [ -n "$user" ]; then who="--reuid $user --regid $user --init-groups"; else who='--reuid 61184 --regid 0 --clear-groups'; fi
state=/var/lib/$unit
if [ "$unit" = stillup ]; then
  install -d -m 700 /var/lib/private /var/lib/private/stillup
  [ -e $state ] || ln -s private/stillup $state
  chown 61184 /var/lib/private/stillup
  chmod 711 /var/lib/private
fi
[ "$unit" = nats-server ] && install -d -o nats -m 700 /var/lib/nats && state=/var/lib/nats
cd $state
while true; do
  env -i PATH="$PATH" STATE_DIRECTORY=$state CREDENTIALS_DIRECTORY=$lent STILLUP_OBSERVER_SENTINELS=off \\
    $(values Environment | sed "s|%d|$lent|g") setpriv $who $(values ExecStart | tail -1) \\
    >>/var/lib/log-$unit 2>&1 </dev/null &
  echo $! >/var/lib/pid-$unit
  wait $!
  code=$?
  echo "ended with $code" >>/var/lib/log-$unit
  [ -e /var/lib/stop-$unit ] && break
  case " $(values RestartPreventExitStatus) " in *" $code "*) break ;; esac
  sleep 2
done
rm -f /var/lib/pid-$unit`

const systemctl = `
unit=\${!#}
stop() {
  touch /var/lib/stop-$unit
  while [ -e /var/lib/pid-$unit ]; do kill $(cat /var/lib/pid-$unit) 2>/dev/null; sleep 0.2; done
}
start() {
  rm -f /var/lib/stop-$unit
  : >/var/lib/log-$unit
  setsid supervise $unit >/dev/null 2>&1 </dev/null &
  [ $unit = stillup ] || return 0
  until grep -qE '"message":"(ready|standing by)"' /var/lib/log-$unit; do
    grep -q '^ended with' /var/lib/log-$unit && { cat /var/lib/log-$unit; exit 1; }
    sleep 0.1
  done
}
case "$*" in
  daemon-reload) ;;
  "stop $unit") stop ;;
  'disable --now stillup nats-server') unit=stillup; stop; unit=nats-server; stop ;;
  "disable --now $unit") stop ;;
  "restart $unit") stop; start ;;
  "start $unit" | "enable --now $unit") start ;;
  *) exit 64 ;;
esac`

const journalctl = `[ "$1 $3 $4" = '-u -o cat' ] && cat /var/lib/log-$2`

/** The files of the folder that all machines see stand for the internet. */
const curl = (real: string, net: string) => `
for one; do case $one in https://github.com/*)
  case $* in *-fsSLO*) exec cp ${net}/\${one##*/} . ;; *) exec cat ${net}/\${one##*/} ;; esac ;;
esac; done
exec ${real} --fail-with-body "$@"`

const scp = (net: string) => `
from=\${@:$#-1:1} to=\${!#}
host=\${to%%:*}
at=$(mktemp -d ${net}/scp.XXXXXX)
cp -r "$from" $at/
exec nsenter --mount=/proc/$(cat ${net}/\${host#*@})/ns/mnt cp -r $at/\${from##*/} \${to#*:}`

/** The folder that the machines share: what they download, and where they find one another. */
export function makeInternet(folder: string): string {
  const net = join(folder, 'net')
  // The user of the service starts the program, too.
  execFileSync('chmod', ['-R', 'a+rX', join(root, 'dist/bundle')])
  const release = 'nats-server-v2.15.2-linux-amd64'
  mkdirSync(join(net, release), { recursive: true })
  cpSync(buildNatsServer(), join(net, release, 'nats-server'))
  const inside = { cwd: net }
  execFileSync('tar', ['-czf', `${release}.tar.gz`, release], inside)
  writeFileSync(
    join(net, 'SHA256SUMS'),
    execFileSync('sha256sum', [`${release}.tar.gz`, `${release}/nats-server`], inside)
      .toString()
      .replace(`${release}/nats-server`, 'nats-server-v2.15.2-windows-amd64.zip'),
  )
  return net
}

export interface DocsMachine {
  /** Runs lines in its shell, as one does; rejects if one fails. Resolves with what they said. */
  run(code: string): Promise<string>
  /** All its processes end at once. What they wrote stays, and `systemctl start` boots it. */
  cutPower(): void
}

export interface DocsMachineOptions {
  readonly net: string
  readonly address: string
  /** The command that runs another one in its network. */
  readonly within: readonly string[]
  /** Lines of its settings file, below their sections. */
  readonly settings: Readonly<Record<string, string>>
}

/** Killed with the test. */
export async function startDocsMachine(
  t: Test,
  { net, address, within, settings }: DocsMachineOptions,
): Promise<DocsMachine> {
  const [command = '', ...words] = within
  const args = [...words, 'bash', '--noprofile', '--norc', '-s']
  const shell: ChildProcess = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/root',
      LC_ALL: 'C.UTF-8',
    },
  })
  const over = once(shell, 'close')
  let said = ''
  let wake = () => {}
  for (const stream of [shell.stdout, shell.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      wake()
    })
  const machine: DocsMachine = {
    async run(code) {
      said = ''
      // In a process of its own each block ends at its first failure; what it sets is not for the next one.
      shell.stdin?.write(`cat > /root/block <<'END OF BLOCK'\nset -eo pipefail\n${code}\nEND OF BLOCK
(cd /root && exec bash block) </dev/null; code=$?
[ $code = 0 ] || tail -n 15 /var/lib/log-*; echo "block ended with $code."\n`)
      for (;;) {
        const [, before = '', status] = /^(.*)block ended with (\d+)\./s.exec(said) ?? []
        if (status === '0') return before
        if (status !== undefined) throw new Error(`${code}\n${said}`)
        const heard = new Promise<void>((resolve) => {
          wake = resolve
        })
        await Promise.race([
          heard,
          over.then(() => Promise.reject(new Error(`it is gone: ${said}`))),
        ])
      }
    },
    cutPower() {
      for (const pid of pids()) if (pid !== shell.pid) kill(pid)
    },
  }
  function pids(): number[] {
    const [, , , name = ''] = within
    const listed = execFileSync('ip', ['netns', 'pids', name]).toString()
    return listed.split('\n').filter(Boolean).map(Number)
  }
  t.teardown(async () => {
    for (const pid of pids()) kill(pid)
    await over
  })
  const own = join(net, address)
  const files = `${own}-files`
  for (const dir of ['bin', 'share']) mkdirSync(join(files, dir), { recursive: true })
  const add = (name: string, text: string) => {
    writeFileSync(join(files, 'bin', name), `#!/bin/bash\n${text}\n`)
    chmodSync(join(files, 'bin', name), 0o755)
  }
  const real = execFileSync('which', ['curl']).toString().trim()
  add('stillup', `exec ${process.execPath} ${program} "$@"`)
  add('supervise', supervise)
  add('systemctl', systemctl)
  add('journalctl', journalctl)
  add('curl', curl(real, net))
  add('scp', scp(net))
  let toml = readFileSync(join(root, 'config/stillup.toml'), 'utf8')
  for (const [section, line] of Object.entries(settings))
    toml = toml.replace(`\n[${section}]\n`, `\n[${section}]\n${line}\n`)
  writeFileSync(join(files, 'stillup.toml'), toml)
  await machine.run(`
mount -t tmpfs none /mnt
for dir in etc root usr/local var/lib; do
  mkdir -p /mnt/$dir.up /mnt/$dir.work
  mount -t overlay overlay -o lowerdir=/$dir,upperdir=/mnt/$dir.up,workdir=/mnt/$dir.work /$dir
done
rm -rf /etc/stillup /var/lib/stillup
install -m 755 ${files}/bin/* /usr/local/bin/
install -d /etc/stillup /usr/local/share/stillup/systemd
install -m 644 ${files}/stillup.toml /etc/stillup/
install -m 644 ${root}/systemd/* /usr/local/share/stillup/systemd/
install -m 644 ${root}/systemd/stillup.service /etc/systemd/system/
openssl rand -hex 32 | install -m 600 /dev/stdin /etc/stillup/master.key`)
  writeFileSync(own, String(await shellPid(machine)))
  return machine
}

const shellPid = async (machine: DocsMachine) =>
  /shell (\d+)/.exec(await machine.run('echo "shell $PPID"'))?.[1]

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}
