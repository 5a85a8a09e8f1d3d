// What every text of the daemon says in every language, with sample values: as in the golden files.
//
// GOLDEN=1 writes test/texts/golden/<language>.txt anew; read the difference before you commit it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { languages } from '../../src/texts/languages.ts'
import { textSamples } from '../support/text-samples.ts'

/** Numbers of every form that a language has. */
const counts = [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000]

for (const language of languages) {
  t.test(`every text in ${language} says what it is known to say`, async (t) => {
    const lines = textSamples(language, counts).map(({ path, values, said }) => {
      const given = Object.values(values)
      const numbers = given.filter((value) => typeof value === 'number')
      return given.length === 0 ? `${path}: ${said}` : `${path}(${numbers}): ${said}`
    })
    const file = join(import.meta.dirname, 'golden', `${language}.txt`)
    const text = `${lines.sort().join('\n')}\n`
    if (process.env.GOLDEN) writeFileSync(file, text)
    t.equal(text, readFileSync(file, 'utf8'))
  })
}
