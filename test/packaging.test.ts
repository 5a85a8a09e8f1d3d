// What ships beside the code: the unit, the container file, the scripts of package.json.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { bareNode } from './support/bare-node.ts'
import { skipWithout } from './support/programs.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const skip = skipWithout('systemd-analyze')

/** A unit, with programs that exist here in the places of those that it would start. */
function unitDir(t: Test, unit: string, ...dropIns: readonly string[]): string {
  const here = (text: string) =>
    text
      .replaceAll('/opt/stillup/node_modules/.bin/node', process.execPath)
      .replaceAll('/usr/local/bin/stillup', process.execPath)
  const dir = t.testdir({ [unit]: here(read(`systemd/${unit}`)) })
  mkdirSync(join(dir, `${unit}.d`))
  for (const name of dropIns) {
    writeFileSync(join(dir, `${unit}.d`, name), here(read(`systemd/${name}`)))
  }
  return join(dir, unit)
}

function analyze(...args: readonly string[]) {
  const { stderr, ...found } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  // It reads the units of this machine as well.
  return { ...found, stderr: stderr.replaceAll(/^\/(usr\/)?lib\/systemd\/.*\n/gm, '') }
}

t.test('systemd accepts the units and finds little exposed', { skip }, async (t) => {
  for (const unit of ['stillup.service', 'stillup-probe.service', 'stillup-browser.service']) {
    const file = unitDir(t, unit)
    t.match(analyze('verify', file), { status: 0, stderr: '' }, unit)
    t.equal(analyze('security', '--offline=true', '--threshold=20', file).status, 0, unit)
  }
})

t.test('the unit of a probe is as shut as that of the daemon', async (t) => {
  const settingsOf = (unit: string) =>
    read(`systemd/${unit}`)
      .split('\n')
      .filter((line) =>
        /^(Protect|Private|Restrict|SystemCall|Capability|Ambient|IPAddress|NoNew|Lock)/.test(line),
      )
  t.same(settingsOf('stillup-probe.service'), settingsOf('stillup.service'))
  const unit = read('systemd/stillup-probe.service')
  t.match(unit, /^LoadCredential=probe-token:/m)
  t.match(unit, /^SetCredential=probe-token:\\n$/m, 'a missing token is for the probe to report')
  t.notMatch(unit, /StateDirectory/, 'it keeps no data')
})

t.test('the unit of a browser has its sandbox, and no way out but this machine', async (t) => {
  const unit = read('systemd/stillup-browser.service')
  t.notMatch(unit.replaceAll(/^#.*$/gm, ''), /no-sandbox/)
  for (const line of [
    ...['DynamicUser=yes', 'IPAddressDeny=any', 'IPAddressAllow=localhost', 'MemoryMax=1536M'],
    ...['CapabilityBoundingSet=', 'NoNewPrivileges=yes', 'RestrictNamespaces=user pid net'],
  ]) {
    t.ok(unit.includes(`\n${line}\n`), line)
  }
  t.match(read('systemd/browser.conf'), /BROWSERS=http:\/\/127\.0\.0\.1:9222$/m)
})

t.test('systemd accepts each drop-in, and all of them together', { skip }, async (t) => {
  const all = [
    'low-ports.conf',
    'credentials.conf',
    'ping.conf',
    'browser.conf',
    'from-npm.conf',
    'standby.conf',
    'cluster.conf',
  ]
  for (const names of [...all.map((name) => [name]), all]) {
    const file = unitDir(t, 'stillup.service', ...names)
    t.match(analyze('verify', file), { status: 0, stderr: '' }, names.join(' '))
    t.equal(analyze('security', '--offline=true', '--threshold=20', file).status, 0)
  }
})

t.test('ping.conf permits ping to the unit and nothing more', { skip }, async (t) => {
  const file = unitDir(t, 'stillup.service', 'ping.conf')
  const { status, stdout } = analyze('security', '--offline=true', '--threshold=20', file)
  t.equal(status, 0)
  const filters = stdout.split('\n').filter((line) => line.includes('SystemCallFilter='))
  const open = filters.filter((line) => !line.startsWith('✓'))
  t.equal(open.length, 1, 'one group of calls is let through in part')
  t.match(
    open[0],
    /@privileged .*(capset|setuid) is allowed/,
    'and these are what ping says it gives up',
  )
})

t.test('pings are for the users of systemd, or for all where the system says so', async (t) => {
  const name = '10-stillup-ping.conf'
  t.ok(name < '50-default.conf', 'what a distribution permits is read later and holds')
  // The range of the users that DynamicUser=yes makes (systemd.exec).
  t.match(read(`systemd/${name}`), /^net\.ipv4\.ping_group_range = 61184 65519$/m)
  t.match(read('systemd/stillup.service'), /^DynamicUser=yes$/m)
  t.match(read('systemd/ping.conf'), name)
})

t.test('the unit does not restart after permanent errors, nor forbid what V8 needs', async (t) => {
  const unit = read('systemd/stillup.service')
  t.match(unit, /^RestartPreventExitStatus=64 78$/m)
  t.notMatch(unit, /^ExecStartPre=/m, 'that heeds the main process alone')
  t.match(unit, /^LoadCredential=master-key:/m)
  t.match(unit, /^SetCredential=master-key:\\n$/m, 'a missing key is for the daemon to report')
  t.notMatch(unit, /^MemoryDenyWriteExecute=yes/m)
  for (const [, path = ''] of unit.matchAll(/ (src\/\S+|config\/\S+) /g)) {
    t.ok(existsSync(join(root, path)), path)
  }
})

t.test('a standby is the unit of the daemon with another command', async (t) => {
  const lines = read('systemd/standby.conf')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  t.same(lines, [
    '[Service]',
    'EnvironmentFile=-/etc/stillup/standby.env',
    'ExecStart=',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: systemd fills it in.
    'ExecStart=/usr/local/bin/stillup standby --of ${STANDBY_OF} $STANDBY_OPTIONS',
  ])
  t.match(read('systemd/stillup.service'), /^Restart=always$/m, 'after 70 and 74, and not after 78')
})

t.test('a reload needs no program that a small system leaves out', async (t) => {
  const unit = read('systemd/stillup.service')
  const [, command = ''] = /^ExecReload=\/bin\/sh -c "(.+)"$/m.exec(unit) ?? []
  // It waits, and every system has it.
  const daemon = spawn('cat')
  t.teardown(() => daemon.kill())
  await once(daemon, 'spawn')
  const env = { PATH: '/nowhere', MAINPID: String(daemon.pid) }
  const ended = once(daemon, 'exit')
  t.equal(spawnSync('/bin/sh', ['-c', command], { env }).status, 0)
  t.same(await ended, [null, 'SIGHUP'])
  t.match(read('systemd/systemd-253.conf'), /^ExecReload=$/m, 'newer systemd sends it by itself')
})

t.test('a fresh clone starts and tests even when install scripts were not run', async (t) => {
  const { scripts, dependencies, devDependencies, engines } = JSON.parse(read('package.json'))
  const repair = 'node scripts/relink-uws.ts'
  for (const when of ['pretest', 'pretest:deep']) t.equal(scripts[when], repair)
  t.match(read('bin/start.cjs'), /repairHere\(\)\s+await import\('..\/src\/main.ts'\)/)
  t.equal(scripts.postinstall, `node bin/link-node.js && hash -r && ${repair}`)
  t.equal(engines, undefined, 'npm may run on an older Node: node_modules/.bin has ours')
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    t.match(version, /^(npm:@[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} has an exact version`)
  }
})

t.test('the command stillup runs whatever Node the shell finds first', async (t) => {
  const { bin } = JSON.parse(read('package.json'))
  t.same(bin, { stillup: 'bin/stillup.js' })
  t.ok(statSync(join(root, bin.stillup)).mode & 0o100, 'it can be run')
  const nodes = [process.execPath, '/usr/bin/node'].filter((node) => existsSync(node))
  for (const node of nodes) {
    const cwd = t.testdir()
    const run = (...args: readonly string[]) => {
      const [command, words] = bareNode([join(root, bin.stillup), ...args], {}, node)
      return spawnSync(command, words, { cwd, encoding: 'utf8' })
    }
    t.match(run('check-config'), { status: 0, stdout: /The settings are valid/ }, node)
    t.match(run('fly'), { status: 64, stderr: /there is no command fly/ }, node)
  }
})

t.test('an install by an npm that loses the link to our Node gets it back', async (t) => {
  const bin = { 'link-node.js': read('bin/link-node.js') }
  const ours = { bin: { node: '' } }
  const dir = t.testdir({
    'package.json': '{"type":"module"}',
    bin,
    node_modules: { [`node-linux-${process.arch}`]: ours },
  })
  for (const round of ['lost', 'there']) {
    spawnSync(...bareNode([join(dir, 'bin/link-node.js')]))
    t.equal(
      readlinkSync(join(dir, 'node_modules/.bin/node')),
      `../node-linux-${process.arch}/bin/node`,
      round,
    )
  }
})
