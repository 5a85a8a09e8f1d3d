// Checks the files of src/texts, and makes the types of texts: node scripts/texts/main.ts
//
// Exits with 1 if a language lacks a text, has one that English does not have, or names other
// parameters. `npm run texts` also lists translations that are older than their English text.
import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { staleTexts } from './stale-texts.ts'
import { folder, readTextFiles } from './text-files.ts'
import { textProblems } from './text-problems.ts'
import { writeTextTypes } from './text-types.ts'

const languages = globSync('*/language.json', { cwd: folder }).map(dirname).sort()
const files = readTextFiles()
const problems = textProblems(files, languages)
for (const problem of problems) console.error(`src/texts/${problem}`)
if (problems.length > 0) process.exit(1)
writeTextTypes(files, languages)
if (process.argv.includes('--stale')) {
  for (const text of staleTexts(files)) console.log(`src/texts/${text}`)
}
