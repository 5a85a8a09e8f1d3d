// The probes as the daemon makes them: thousands of checks leave nothing behind, and a kind is known in
// one file.
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startClock } from '../../src/base/clock.ts'
import { createResolver } from '../../src/net/dns/resolver.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import { checkTypes, createProbes } from '../../src/probes/registry.ts'
import { bareNode } from '../support/bare-node.ts'
import { makeTarget, type TargetFields } from '../support/make-target.ts'
import { answer, hangUp, raw, redirectTo, type Script, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const clock = startClock()
t.after(() => clock.stop())
const guard = createGuard({ targets: 'any' })
const { probe: probeEndpoint } = createProbes({ guard, resolver: createResolver({ clock }), clock })

const target = await startTarget()
t.after(() => target.close())

async function check(script: Script, fields: TargetFields = {}) {
  target.script = script
  return probeEndpoint(makeTarget({ url: `${target.url}/`, ...fields }), { clock })
}

t.test('after two thousand checks of every kind nothing is left open', async (t) => {
  const before = process.getActiveResourcesInfo().length
  const scripts = [answer(), hangUp, answer({ status: 500 }), raw('x'), redirectTo('/')]
  for (let i = 0; i < 100; i++) {
    const script = scripts[i % scripts.length] ?? answer()
    await Promise.all(Array.from({ length: 20 }, () => check(script)))
  }
  await until(() => target.open === 0)
  t.equal(target.open, 0, 'no socket')
  t.ok(await until(() => process.getActiveResourcesInfo().length <= before + 1), 'no timer')
})

t.test('the library of a kind is loaded with its first check, not before', async (t) => {
  const probes = join(import.meta.dirname, '../../src/probes')
  const sources = globSync('**/*.ts', { cwd: probes }).map((file) =>
    readFileSync(join(probes, file), 'utf8'),
  )
  const libraries = sources.flatMap((text) =>
    Array.from(text.matchAll(/requireLibrary\('([^']+)'\)/g), ([, name = '']) => name),
  )
  t.ok(libraries.includes('pg'))
  const script = `
    const { createRequire } = await import('node:module')
    const { checkTypes } = await import(${JSON.stringify(join(probes, 'registry.ts'))})
    const loaded = Object.keys(createRequire('/').cache)
    const found = ${JSON.stringify(libraries)}.filter((name) =>
      loaded.some((path) => path.includes('/node_modules/' + name + '/')))
    console.log(JSON.stringify({ kinds: checkTypes.length, found }))`
  const [command, args] = bareNode(['--input-type=module', '-e', script])
  const { stdout } = await promisify(execFile)(command, args)
  t.match(JSON.parse(stdout), { kinds: checkTypes.length, found: [] })
})

t.test('a kind of check is named in the file that declares it, and in no other', async (t) => {
  const src = join(import.meta.dirname, '../../src')
  const inCode = globSync('**/*.{ts,tsx}', { cwd: src }).filter(
    // The documents of other products become monitors of the kinds that fit, and the other way.
    (file) => !/^(console\/(built|generated)|domain\/(imports|exports))\//.test(file),
  )
  const texts = inCode.map((file) => [file, readFileSync(join(src, file), 'utf8')] as const)
  const naming = (type: string) =>
    texts
      .filter(([, text]) => new RegExp(`(type|checkType|kind)\\b[^\\n]*'${type}'`).test(text))
      .map(([file]) => file)
  t.same(naming('tcp'), ['probes/tcp.ts'])
  t.same(naming('smtp'), ['probes/smtp/smtp.ts'])
  t.same(naming('websocket'), ['probes/websocket/websocket.ts'])
  // Rows of lists are of a kind, too, and one of them is a group.
  const kinds = checkTypes.filter((type) => type !== 'group').join('|')
  const compared = new RegExp(
    `\\b(checkType|kind)\\)? [!=]== '(${kinds})'|\\bcheckType\\)? [!=]== 'group'`,
  )
  const comparing = texts.filter(([file, text]) => /^console/.test(file) && compared.test(text))
  t.same(comparing, [], 'the console asks for facts of a kind: src/console/api/kinds.ts')
})
