// What every kind of check promises, before anything is looked at.
import type { Test } from 'tap'
import type { MonitorFields } from '../../src/domain/monitors/monitor-fields.ts'
import { fieldGroups, hasField, monitorDefaults } from '../../src/domain/monitors/monitor-fields.ts'
import { completedInput, inputProblems } from '../../src/domain/monitors/monitor-input.ts'
import { createGuard } from '../../src/net/egress-policy.ts'
import type { ProbedKind } from '../../src/probes/run/kind.ts'
import { openMachine } from '../support/open-machine.ts'
import { targetRules } from '../support/target-rules.ts'

export function kindContract(t: Test, kind: ProbedKind): void {
  const { type, example, schemes } = kind
  const anywhere = targetRules(createGuard({ targets: 'any', machine: openMachine }))
  const judged = (url: string) => anywhere.judgeUrl(type, url)?.reason ?? null
  t.equal(judged(example), null, 'its example is a URL that it takes')
  t.ok(schemes.includes(new URL(example).protocol.slice(0, -1)), 'with one of its schemes')
  t.match(judged(` ${example}`), /space/)
  t.match(judged(example.replace('://', '://ada:secret@')), /./, 'no password in a URL')
  for (const url of [
    '',
    'gopher://example.com/',
    'file:///etc/passwd',
    `${example}${'x'.repeat(3_000)}`,
  ]) {
    t.match(
      judged(url),
      /^(must|is|names|leads to) /,
      `${url.slice(0, 40)} is refused in a sentence`,
    )
  }
  const closed = targetRules(createGuard({ targets: 'any' })).judgeUrl(type, example)
  const code = kind.fields.includes('machine') ? 'target_not_allowed' : undefined
  t.equal(
    closed?.code,
    code,
    'of the machine itself it looks at nothing that the operator did not list',
  )
  const least = { name: 'A', checkType: type, url: example }
  // Words of a keyword monitor, the secret of one that cannot ask without it, a step, and a game.
  const secret = hasField(kind, 'secret') ? { secret: 's3cret' } : {}
  const steps = hasField(kind, 'steps') ? { steps: [{ name: 'Open', url: '/' }] } : {}
  const game = hasField(kind, 'game') ? { game: 'minecraft' } : {}
  const words: MonitorFields = { bodyContains: 'ready', ...secret, ...steps, ...game }
  const problemsWith = (fields: MonitorFields) =>
    inputProblems(completedInput({ ...least, ...fields }), kind)
  t.same(
    problemsWith(words),
    [],
    'a monitor needs no more than its address, and words, a secret, a step or a game at most',
  )
  const others = Object.keys(fieldGroups).filter((name) => !hasField(kind, name))
  for (const name of others) {
    const usual = monitorDefaults[name as keyof typeof monitorDefaults]
    const value =
      typeof usual === 'number' ? usual + 1 : typeof usual === 'boolean' ? !usual : 'HEAD'
    const found = problemsWith({ ...words, [name]: Array.isArray(usual) ? [value] : value })
    const message = `does not apply to checkType ${type}`
    t.match(found, [{ pointer: `/${name}`, message }], `${name} would have no effect`)
  }
}
