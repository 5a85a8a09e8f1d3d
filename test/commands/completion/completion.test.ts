// Completion as the real shells do it, with the scripts that the command prints.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { catalog } from '../../../src/commands/catalog.ts'
import { completionTree } from '../../../src/commands/completion/tree.ts'
import { fakeHost, typed } from '../../support/fake-host.ts'
import { skipWithout } from '../../support/programs.ts'
import { patienceMs } from '../../support/until.ts'

/** Each line as somebody types it up to the Tab key, and some of what must and must not follow. */
const lines: readonly [line: string, offered: readonly string[], not: readonly string[]][] = [
  ['stillup ', ['serve', 'check-config', 'user', 'help'], ['reset-password', 'list']],
  ['stillup che', ['check-config'], ['serve']],
  ['stillup -c stillup.toml user ', ['list', 'add', 'reset-password'], ['serve']],
  ['stillup user add ada@example.com --', ['--name', '--json', '--config'], ['--force']],
  ['stillup user add ada@example.com --role ', ['viewer', 'owner'], ['--json']],
  ['stillup completion ', ['bash', 'zsh', 'fish'], ['serve']],
  ['stillup verify-report --key x --', ['--url'], ['--defaults']],
]

async function scriptOf(t: Test, shell: string): Promise<{ cwd: string; script: string }> {
  const cwd = t.testdir({ 'report.json': '{}' })
  const host = fakeHost(cwd)
  t.equal(await typed(host, 'completion', shell), 0)
  const script = join(cwd, `_stillup.${shell}`)
  writeFileSync(script, `${host.printed.join('\n')}\n`)
  return { cwd, script }
}

/** Runs a shell; its output is what it offers, the words of each line on a line. */
function check(t: Test, command: string, args: readonly string[], cwd: string): void {
  const { stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: patienceMs,
  })
  const answers = stdout.split('\n')
  lines.forEach(([line, offered, not], at) => {
    const words = answers[at]?.split(' ') ?? []
    for (const word of offered) t.ok(words.includes(word), `${line}: ${word}`, { words, stderr })
    for (const word of not) t.notOk(words.includes(word), `${line}: not ${word}`)
  })
}

t.test('bash completes commands, options and values', { skip: skipWithout('bash') }, async (t) => {
  const { cwd, script } = await scriptOf(t, 'bash')
  const program = `
    source "$0"
    for line in "$@"; do
      read -ra COMP_WORDS <<<"$line"
      [[ $line == *' ' ]] && COMP_WORDS+=('')
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _stillup 2>/dev/null
      echo "\${COMPREPLY[@]}"
    done`
  check(t, 'bash', ['--norc', '-c', program, script, ...lines.map(([line]) => line)], cwd)
  const files = spawnSync('bash', ['--norc', '-c', program, script, 'stillup verify-report rep'], {
    cwd,
    encoding: 'utf8',
  })
  t.equal(files.stdout, 'report.json\n')
})

t.test('fish completes the same', { skip: skipWithout('fish') }, async (t) => {
  const { cwd, script } = await scriptOf(t, 'fish')
  const program = `
    source $argv[1]
    for line in $argv[2..-1]
      echo (complete -C $line | string replace -r '\\t.*' '')
    end`
  check(t, 'fish', ['--no-config', '-c', program, script, ...lines.map(([line]) => line)], cwd)
})

// A shell of its own gets the keys, and prints what it would show as a menu. Keys are sent when its line
// editor is open: before, the terminal itself takes Ctrl+U as "forget this line".
const zshProgram = `
  zmodload zsh/zpty
  zpty z zsh -f -i
  zpty -w z "PS1= PS2= ; autoload -Uz compinit; compinit -u -D; source $1"
  zpty -w z 'compadd() { local -a found; builtin compadd -A found "$@"; print -r -- "<offer $found >"; builtin compadd "$@" }'
  zpty -w z "bindkey '^I' complete-word"
  zpty -w z "zle-line-init() { print '<rea''dy>' }; zle -N zle-line-init; print '<set'' up>'"
  zpty -r -m z out '*<set up>*'
  for line in "\${@[2,-1]}"; do
    zpty -r -m z out '*<ready>*'
    zpty -w -n z "$line"$'\\t\\x15'
    zpty -w z "print '<do''ne>'"
    zpty -r -m z out '*<done>*'
    print -r -- \${(M)\${(f)\${out//$'\\r'/}}:#*'<offer '*}
  done
  zpty -d z`

t.test('zsh completes the same', { skip: skipWithout('zsh') }, async (t) => {
  const { cwd, script } = await scriptOf(t, 'zsh')
  const typedLines = lines.map(([line]) => line)
  check(t, 'zsh', ['-f', '-c', zshProgram, 'zsh', script, ...typedLines], cwd)
})

t.test('every option of every command is offered', async (t) => {
  const nodes = await completionTree(catalog)
  for (const shell of ['bash', 'zsh', 'fish']) {
    const host = fakeHost('/')
    await typed(host, 'completion', shell)
    const text = host.printed.join('\n')
    for (const { path, options } of nodes) {
      for (const { long } of options) {
        t.match(text, shell === 'fish' ? `-l ${long}` : `--${long}`, `${shell}: ${path}`)
      }
    }
  }
})
