// The container image, built and run: in a deep run, as root, where buildah, podman and debootstrap are.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { isDeep } from './support/depth.ts'
import { pathOf, skipWithout } from './support/programs.ts'
import { until } from './support/until.ts'

const root = join(import.meta.dirname, '..')
const isRoot = process.geteuid?.() === 0
const skip =
  (!isDeep && 'an image takes minutes: npm run test:deep builds it') ||
  (!isRoot && 'only root can build it without more') ||
  skipWithout('buildah', 'podman', 'debootstrap')

const base = 'localhost/stillup-test-base'
const image = 'localhost/stillup-test'
const bytesMax = 150e6

t.test('the image is small, runs read-only without a right, and ends well', { skip }, async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'stillup-image-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  // This machine may permit less than the engine asks for by itself.
  const settings = join(dir, 'containers.conf')
  const ulimits = ['nofile=4500:4500', 'nproc=1000:1000']
  // crun refuses machines with both versions of control groups.
  const runtime = pathOf('runc') ? '[engine]\nruntime = "runc"\n' : ''
  const limited = `[containers]\ndefault_ulimits = ${JSON.stringify(ulimits)}\n`
  writeFileSync(settings, limited + runtime)
  const env = { ...process.env, CONTAINERS_CONF: settings }
  const options = { env, cwd: root, encoding: 'utf8' } as const
  const make = (command: string, ...args: string[]) => execFileSync(command, args, options)
  const podman = (...args: string[]) => spawnSync('podman', args, options)

  if (podman('image', 'exists', base).status !== 0) make('scripts/container/base.sh', base)
  make(
    ...(['buildah', 'build', '--format', 'docker', '--isolation', 'chroot'] as const),
    ...(['--network', 'host', '--build-arg', `BUILD_IMAGE=${base}`, '-t', image, '.'] as const),
  )
  const [{ Size: bytes }] = JSON.parse(make('podman', 'image', 'inspect', image))
  t.ok(bytes < bytesMax, `${(bytes / 1e6).toFixed(0)} MB`)
  t.comment(`${(bytes / 1e6).toFixed(0)} MB`)

  const engine = podman('run', '--rm', '--network', 'none', image, '--version')
  if (engine.status !== 0) {
    t.pass('containers', { skip: `this machine runs none: ${engine.stderr.trim()}` })
    return
  }
  const named = `stillup-test-${process.pid}`
  const strict = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
  const closed = [...strict, '--network', 'none']
  t.teardown(() => void podman('rm', '--force', '--volumes', named))
  make('podman', 'run', '--detach', '--name', named, ...closed, '--stop-timeout', '40', image)
  await until(() => podman('exec', named, 'stillup', 'healthcheck').status === 0)
  t.equal(podman('healthcheck', 'run', named).status, 0, 'the probe of the image')
  t.match(podman('exec', named, 'stillup', 'doctor', '--json').stdout, '"permissions"')
  const { status, stderr } = podman('exec', named, '/bin/sh')
  t.not(status, 0, `there is no shell: ${stderr}`)
  make('podman', 'stop', named)
  const [{ State: state }] = JSON.parse(make('podman', 'inspect', named))
  t.equal(state.ExitCode, 0)

  const place = join(dir, 'place')
  mkdirSync(place)
  const refused = (code: number, said: RegExp, ...args: string[]) => {
    const run = podman('run', '--rm', ...closed, ...args)
    t.equal(run.status, code, String(said))
    t.match(run.stderr, said)
  }
  const data = '/var/lib/stillup'
  refused(
    78,
    /belongs to another user \(uid 0\).*uid 1000\n.*chown -R 1000:1000/,
    '-v',
    `${place}:${data}`,
    image,
  )
  refused(78, /is on a read-only file system/, '-v', `${place}:${data}:ro`, image)
  refused(
    74,
    /is full/,
    '--mount',
    `type=tmpfs,destination=${data},tmpfs-size=256k,tmpfs-mode=0777`,
    image,
  )
  const key = [
    '-v',
    `${place}:/run/master.key`,
    '-e',
    'STILLUP_DATA_MASTER_KEY_FILE=/run/master.key',
  ]
  refused(78, /this is a directory, not the file with the master key/, ...key, image)
  refused(64, /there is no command fly/, image, 'fly')
})
