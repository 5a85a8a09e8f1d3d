// The command line without the daemon: which command a line means, and what is wrong with it.
import t from 'tap'
import { runCommandLine } from '../../src/commands/command-line.ts'
import {
  type CatalogEntry,
  type CommandGroup,
  defineCommand,
} from '../../src/commands/model/command.ts'
import { CommandFailure } from '../../src/commands/model/failure.ts'
import { fakeHost } from '../support/fake-host.ts'

const paint = defineCommand({
  args: {
    wall: { about: 'the wall' },
    others: { about: 'more walls', isMany: true, isOptional: true },
  },
  options: {
    color: { about: 'the paint', value: 'NAME', choices: ['red', 'blue'], default: 'red' },
    coat: { about: 'a coat of it', value: 'NAME', isMany: true },
    isWet: { about: 'do not wait' },
  },
  hasJson: true,
  async run({ args, options, configPath, show }) {
    show({ ...args, ...options, configPath }, `${args.wall} is ${options.color}`)
    return 0
  },
})

const fail = defineCommand({
  async run() {
    throw new CommandFailure(74, 'the bucket is empty', { hint: 'Fill it.' })
  },
})

const house: CommandGroup = {
  commands: { paint: { summary: 'paint walls', command: paint } },
}

const table: readonly CatalogEntry[] = [
  { name: 'paint', group: 'run', summary: 'paint walls', load: async () => ({ command: paint }) },
  { name: 'serve', group: 'run', summary: 'fail', load: async () => ({ command: fail }) },
  { name: 'house', group: 'data', summary: 'see to it', load: async () => ({ command: house }) },
]

async function run(...argv: string[]) {
  const host = fakeHost('/')
  const code = await runCommandLine(host, table, argv)
  return { code, out: host.printed.join('\n'), err: host.complaints.join('\n') }
}

t.test('arguments and options reach the command, from every place in the line', async (t) => {
  t.match(await run('paint', 'north'), { code: 0, out: 'north is red', err: '' })
  t.match(await run('-c', 'f.toml', 'paint', '--json', 'n', 'e', '--is-wet', 's'), { code: 0 })
  const all = await run(
    '-c',
    'f',
    'paint',
    '--json',
    'n',
    'e',
    '--coat',
    'x',
    '--coat=y',
    '--is-wet',
  )
  t.same(JSON.parse(all.out), {
    wall: 'n',
    others: ['e'],
    color: 'red',
    coat: ['x', 'y'],
    isWet: true,
    json: true,
    config: 'f',
    help: false,
    configPath: 'f',
  })
  t.match(await run('house', 'paint', 'north', '--color', 'blue'), { out: 'north is blue' })
})

t.test('a wrong line is refused with 64, and says what was probably meant', async (t) => {
  const wrong: [RegExp, ...string[]][] = [
    [/no command pant; did you mean paint\?/, 'pant'],
    [/no command xylophone\n/, 'xylophone'],
    [/no command house pain; did you mean paint\?/, 'house', 'pain'],
    [/house needs one of paint/, 'house'],
    [/paint has no option --colour; did you mean --color\?/, 'paint', 'n', '--colour', 'red'],
    [/paint has no option -x\n/, 'paint', 'n', '-x'],
    [/--color needs a value: NAME/, 'paint', 'n', '--color'],
    [/--color needs a value: NAME/, 'paint', 'n', '--color', '--json'],
    [/--color must be one of red, blue/, 'paint', 'n', '--color', 'green'],
    [/--is-wet takes no value/, 'paint', 'n', '--is-wet=no'],
    [/paint needs WALL: the wall/, 'paint'],
    [/serve has no option --sped/, '--sped'],
    [/unexpected argument now/, 'serve', 'now'],
    [/stillup has no option --confg; did you mean --config\?/, '--confg', 'x', 'serve'],
    [/stillup has no option --confg; did you mean --config\?/, '--confg', 'x'],
    [/serve has no option --confg; did you mean --config\?/, '--confg=x'],
    [/stillup has no option --color; options of a command follow/, '--color', 'red', 'paint'],
    [/no command pant; did you mean paint\?/, '--json', 'pant', '--wet'],
  ]
  for (const [message, ...argv] of wrong) {
    const { code, out, err } = await run(...argv)
    t.match({ code, out }, { code: 64, out: '' }, argv.join(' '))
    t.match(err, message)
    t.match(err, /Usage: stillup/)
  }
})

t.test('help tells of every command, and of each alone', async (t) => {
  t.match((await run('--help')).out, /paint +paint walls[\s\S]*house +see to it[\s\S]*Exit codes/)
  const { code, out } = await run('paint', '--help')
  t.equal(code, 0)
  t.match(out, /^Usage: stillup paint WALL \[OTHERS\.\.\.\] \[options\]/)
  t.match(out, /--color NAME +the paint \(one of red, blue; default: red\)/)
  t.match((await run('house', 'paint', '-h')).out, 'Usage: stillup house paint')
  t.match(
    (await run('house', '--help')).out,
    /Usage: stillup house <command>[\s\S]*paint +paint walls/,
  )
  t.match(await run('--version'), { code: 0, out: '1.2.3' })
})

t.test('a failure is a line, what to do, and its exit code', async (t) => {
  t.match(await run('serve'), { code: 74, out: '', err: 'stillup: the bucket is empty\nFill it.' })
})
