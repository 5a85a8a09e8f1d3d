// Every command of the table: it loads, and its help is complete.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commandLinePage } from '../../scripts/command-line.ts'
import { catalog } from '../../src/commands/catalog.ts'
import { runCommandLine } from '../../src/commands/command-line.ts'
import { type Command, isGroup } from '../../src/commands/model/command.ts'
import { fakeHost } from '../support/fake-host.ts'

/** Every command as it is typed: `serve`, `user list`. */
async function everyCommand(): Promise<[name: string, command: Command][]> {
  const all = await Promise.all(
    catalog.map(async ({ name, load }): Promise<[string, Command][]> => {
      const { command } = await load()
      if (!isGroup(command)) return [[name, command]]
      return Object.entries(command.commands).map(([word, one]) => [`${name} ${word}`, one.command])
    }),
  )
  return all.flat()
}

/** All but those that work anywhere, and those that first read the files that they are given. */
const usesSettings = (name: string) =>
  ![
    'doctor',
    'import',
    'native-extract',
    'restore',
    'verify-report',
    'version',
    'completion',
  ].includes(name)

async function run(...argv: string[]) {
  const host = fakeHost('/')
  const code = await runCommandLine(host, catalog, argv)
  return { code, out: host.printed.join('\n'), err: host.complaints.join('\n') }
}

t.test('stillup --help lists every command with a line about it', async (t) => {
  const { code, out } = await run('--help')
  t.equal(code, 0)
  for (const { name, summary, isAlias } of catalog) {
    t.equal(out.includes(`  ${name} `), !isAlias, name)
    t.match(summary, /^[a-z][^.]+$/, 'a line without a capital and a full stop')
  }
  t.ok(
    out.split('\n').every((line) => line.length <= 100),
    'no line is wider than a terminal',
  )
})

t.test('every command has help with its usage, options and exit codes', async (t) => {
  for (const [name, command] of await everyCommand()) {
    const { code, out, err } = await run(...name.split(' '), '--help')
    t.match({ code, err }, { code: 0, err: '' }, name)
    t.ok(out.startsWith(`Usage: stillup ${name} `), name)
    t.match(out, /\nOptions\n[\s\S]+\nExit codes\n +0 /, name)
    t.equal(out.includes('      --json '), command.hasJson === true, name)
    const spelling = name === 'reset-password' ? 'user reset-password' : name
    for (const [line] of command.examples ?? []) t.match(line, `stillup ${spelling}`)
    t.ok(
      out.split('\n').every((line) => line.length <= 100),
      `${name}: no line is wider than a terminal`,
    )
  }
})

t.test('every command refuses an option that it does not have', async (t) => {
  for (const [name] of await everyCommand()) {
    const { code, out, err } = await run(...name.split(' '), '--hlep')
    t.match({ code, out }, { code: 64, out: '' }, name)
    t.match(err, `${name} has no option --hlep; did you mean --help?`)
  }
})

t.test('docs/command-line.md is what the table says', async (t) => {
  const file = join(import.meta.dirname, '../../docs/command-line.md')
  t.equal(readFileSync(file, 'utf8'), await commandLinePage(), 'npm run commands writes it')
})

t.test(
  'help for a command can be asked for in both ways, before and after a mistake',
  async (t) => {
    const { out } = await run('check-config', '--help')
    t.equal((await run('help', 'check-config')).out, out)
    t.equal((await run('check-config', '--nonsense', '-h')).out, out)
    t.match(await run('hlep'), { code: 64, err: /did you mean help\?/ })
  },
)

t.test('every command says what is wrong with the settings, and ends with 78', async (t) => {
  for (const [name, command] of await everyCommand()) {
    if (!usesSettings(name)) continue
    const host = fakeHost(t.testdir(), { STILLUP_CHECKS_PER_HOST: '0' })
    const words = Object.values(command.args).map(({ choices }) => choices?.[0] ?? 'monitors=1')
    const flags = Object.entries({ yes: ['--yes'], owner: ['--owner', 'ada@example.com'] })
    const needed = flags.flatMap(([option, given]) => (option in command.options ? given : []))
    const argv = [...name.split(' '), ...words, ...needed]
    const code = await runCommandLine(host, catalog, argv)
    t.equal(code, 78, name)
    t.match(host.complaints[0], 'checks.perHost', name)
    t.same(host.printed, [], name)
  }
})
