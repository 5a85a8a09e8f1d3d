// The settings file under fire: whatever an operator's editor leaves in it, each problem is a sentence.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { loadSettings, problemLine } from '../../src/config/load.ts'
import { amount, patient } from '../support/depth.ts'
import { createDice, createStopwatch, mutated } from '../support/fuzz.ts'

t.test('random changes of a settings file give settings, or problems with places', async (t) => {
  const cwd = t.testdir()
  const dice = createDice()
  // The settings without the words about them: most of a whole file is comments.
  const text = readFileSync(join(import.meta.dirname, '../../config/stillup.toml'), 'utf8')
    .split('\n')
    .map((line) => line.replace(/^# ?(?=[\w.]+ = )/, ''))
    .filter((line) => !line.startsWith('#'))
    .join('\n')
  const pieces = [
    ...['[', ']', '[[', '[a.b]', '=', '"', '"""', "'''", '{', '}', ',', '\n', '#', '.', '\\u'],
    ...[
      '1979-05-27',
      '1e999',
      '0x',
      'nan',
      '[[[[[[[[',
      '__proto__',
      '\u0000',
      '\ufeff',
      '😀',
      'true',
    ],
  ]
  const watch = createStopwatch(patient(250))
  for (let left = amount(40, 5_000); left > 0; left -= 1) {
    const bent = mutated(dice, text, pieces)
    writeFileSync(join(cwd, 'stillup.toml'), bent)
    watch.time(bent.slice(0, 300), () => {
      const loaded = loadSettings({ configPath: undefined, env: {}, cwd, isTerminal: false })
      if (!('problems' in loaded)) return
      if (loaded.problems.some((one) => problemLine(one) === '')) throw new Error(`on ${bent}`)
    })
  }
  t.same(watch.slow().slice(0, 5), [])
  t.comment(watch.summary())
})
