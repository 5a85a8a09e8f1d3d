// What ships beside the code: the unit, the container file, the scripts of package.json.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { skipWithout } from './support/programs.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const skip = skipWithout('systemd-analyze')

t.test('systemd accepts the unit and finds little exposed', { skip }, async (t) => {
  // The tree that it starts is not installed here, so the program is named where it is.
  const unit = read('systemd/stillup.service')
  const file = join(t.testdir(), 'stillup.service')
  writeFileSync(file, unit.replaceAll('/opt/stillup/node_modules/.bin/node', process.execPath))
  const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  t.match(verified, { status: 0, stderr: '' })
  const options = ['security', '--offline=true', '--threshold=25', file]
  t.equal(spawnSync('systemd-analyze', options, { encoding: 'utf8' }).status, 0)
})

t.test('ping.conf permits ping to the unit and nothing more', { skip }, async (t) => {
  const unit = read('systemd/stillup.service')
  const dir = t.testdir({
    'stillup.service': unit.replaceAll('/opt/stillup/node_modules/.bin/node', process.execPath),
    'stillup.service.d': { 'ping.conf': read('systemd/ping.conf') },
  })
  const file = join(dir, 'stillup.service')
  const analyze = (...args: readonly string[]) =>
    spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' })
  t.match(analyze('verify'), { status: 0, stderr: '' })
  const { status, stdout } = analyze('security', '--offline=true', '--threshold=25')
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
  t.notMatch(unit, /^MemoryDenyWriteExecute=yes/m)
  for (const [, path = ''] of unit.matchAll(/ (src\/\S+|config\/\S+) /g)) {
    t.ok(existsSync(join(root, path)), path)
  }
})

t.test('the container runs without shell and root, with a new enough glibc', async (t) => {
  const lines = read('Dockerfile').replaceAll('\\\n', ' ').split('\n')
  const last = (word: string) => lines.findLast((line) => line.trim().startsWith(word)) ?? ''
  for (const word of ['ENTRYPOINT', 'CMD']) t.match(last(word), /^\w+ \[".*"\]$/)
  t.match(last('HEALTHCHECK'), /CMD \[".*"healthcheck"\]$/)
  t.match(last('FROM'), 'node:24-trixie')
  t.equal(last('USER'), 'USER node')
  t.match(last('VOLUME'), '/var/lib/stillup')
  t.match(lines.join('\n'), /npm ci --omit=dev/)
  const ping = lines
    .slice(lines.lastIndexOf(last('FROM')))
    .find((line) => /ping/.test(line) && !/^#/.test(line))
  t.match(ping, /^RUN .*iputils-ping .*&& install -m 755 \/usr\/bin\/ping /, 'without capability')
})

t.test('the builder has everything that the Dockerfile copies', async (t) => {
  const sent = read('.dockerignore')
    .split('\n')
    .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  for (const path of sent) t.ok(existsSync(join(root, path)), path)
  const copies = read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)
  for (const [, paths = ''] of copies) {
    for (const path of paths.split(' ')) t.ok(sent.includes(path), `${path} is sent`)
  }
})

t.test('a fresh clone starts and tests even when install scripts were not run', async (t) => {
  const { scripts, dependencies, devDependencies, engines } = JSON.parse(read('package.json'))
  for (const when of ['postinstall', 'prestart', 'pretest', 'pretest:deep']) {
    t.equal(scripts[when], 'node scripts/relink-uws.ts')
  }
  t.equal(engines, undefined, 'npm may run on an older Node: node_modules/.bin has ours')
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    t.match(version, /^(npm:@[\w./-]+@)?\d+\.\d+\.\d+$/, `${name} has an exact version`)
  }
})

t.test('the CI script counts what tap reports, and treats silence as failure', async (t) => {
  const script = read('.ci/run')
  const count = /^count\(\) \{[\s\S]*?\n\}\n/m.exec(script)?.[0] ?? ''
  const totals = (summary: string) => {
    const dir = t.testdir({ report: summary })
    const file = join(dir, 'report')
    const text = `set -eu; ${count}\necho "$(count pass ${file}) $(count fail ${file})"`
    return spawnSync('sh', ['-c', text], { encoding: 'utf8' }).stdout.trim()
  }
  t.equal(totals('# { total: 33, pass: 33 }\n'), '33 0')
  t.equal(totals('# { total: 33, pass: 31, fail: 2 }\n'), '31 2')
  t.equal(totals('# { total: 5, pass: 2, fail: 1, skip: 2 }\n# time=1\n'), '2 1')
  t.equal(totals('nothing\n'), '0 0')
})

t.test('the command stillup runs whatever Node the shell finds first', async (t) => {
  const { bin } = JSON.parse(read('package.json'))
  t.same(bin, { stillup: 'bin/stillup.js' })
  t.ok(statSync(join(root, bin.stillup)).mode & 0o100, 'it can be run')
  const nodes = [process.execPath, '/usr/bin/node'].filter((node) => existsSync(node))
  for (const node of nodes) {
    const run = (...args: readonly string[]) =>
      spawnSync(node, [join(root, bin.stillup), ...args], { cwd: t.testdir(), encoding: 'utf8' })
    t.match(run('check-config'), { status: 0, stdout: /The settings are valid/ }, node)
    t.match(run('fly'), { status: 64, stderr: /there is no command fly/ }, node)
  }
})
