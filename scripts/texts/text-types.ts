// Makes the types of texts from the English files: src/texts/generated/texts.d.ts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TextTree } from '../../src/texts/message.ts'
import { folder, parametersOf, type TextFile } from './text-files.ts'

const head = `// Made from the folders and the English files of src/texts when types are checked.

/** The languages, each with its name for itself. */
export interface Languages {
`

export function writeTextTypes(files: readonly TextFile[], languages: readonly string[]): void {
  const names = languages.map((language) => {
    const file = JSON.parse(readFileSync(join(folder, language, 'language.json'), 'utf8'))
    return `  readonly ${nameOf(language)}: ${JSON.stringify(file.name)}`
  })
  const areas = files
    .filter(({ language }) => language === 'en')
    .map(({ area, tree }) => `  readonly ${nameOf(area)}: ${treeType(tree, '  ')}`)
  const text = `${head}${names.join('\n')}\n}\n\nexport interface Texts {\n${areas.join('\n')}\n}\n`
  const path = join(folder, 'generated/texts.d.ts')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function treeType(tree: TextTree<string>, indent: string): string {
  const lines = Object.entries(tree).map(([name, node]) => {
    if (typeof node !== 'string')
      return `readonly ${nameOf(name)}: ${treeType(node, `${indent}  `)}`
    return name.startsWith('@') ? `/** ${node} */` : `readonly ${nameOf(name)}: ${textType(node)}`
  })
  return `{\n${lines.map((line) => `${indent}  ${line}\n`).join('')}${indent}}`
}

function textType(text: string): string {
  const parameters = [...parametersOf(text)].map(([name, type]) => `readonly ${name}: ${type}`)
  return parameters.length === 0 ? 'string' : `(given: { ${parameters.join('; ')} }) => string`
}

const nameOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))
