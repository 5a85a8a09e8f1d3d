// The texts of the daemon as a bundle has them: parsed, and the languages a part of the program.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { languageFiles, readSentences, readTexts } from '../../src/texts/text-files.ts'
import { root } from './places.ts'

const folder = join(root, 'src/texts')

/**
 * A file for each area in each language, and the sentences of the daemon. The other texts of the console
 * are in what its own build makes.
 */
export function textFiles(): [path: string, bytes: Buffer][] {
  const sentences = globSync('*/console/said.json', { cwd: folder, exclude: ['en/**'] }).sort()
  const areas = globSync('*/*.json', { cwd: folder, exclude: ['*/language.json'] }).sort()
  return [
    ...sentences.map((path) => {
      const [language = ''] = path.split('/')
      return file(path, readSentences(language))
    }),
    ...areas.map((path) => {
      const [language = '', area = ''] = path.replace('.json', '').split('/')
      return file(path, readTexts(language, area))
    }),
  ]
}

const file = (path: string, content: object): [path: string, bytes: Buffer] => [
  `texts/${path}`,
  Buffer.from(JSON.stringify(content)),
]

/** Puts a module without the parser in place of `src/texts/text-files.ts`. */
export const textPlugin: Plugin = {
  name: 'texts',
  setup(build) {
    build.onLoad({ filter: /\/src\/texts\/text-files\.ts$/ }, () => ({
      resolveDir: folder,
      contents: `import { readTextAsset } from '../base/assets.ts'
export const languageFiles = ${JSON.stringify(languageFiles)}
export const readTexts = (language, area) =>
  JSON.parse(readTextAsset(\`texts/\${language}/\${area}.json\`))
export const readSentences = (language) => readTexts(language, 'console/said')
`,
    }))
  },
}
