// The first steps are the same in every language: a translation that lags behind the English page is found.
import { globSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import t from 'tap'
import { firstSteps, firstStepsFile } from '../../scripts/guide/contents.ts'
import { languages } from '../../src/texts/languages.ts'

const root = join(import.meta.dirname, '../..')
const translations = [...firstSteps].filter(([, language]) => language !== 'en')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const english = textOf(firstStepsFile)

t.test('every language has its page', async (t) => {
  const found = globSync('docs/first-steps/*.md', { cwd: root }).map((path) =>
    basename(path, '.md'),
  )
  t.same(found.sort(), languages.filter((language) => language !== 'en').sort())
  const index = textOf('docs/README.md')
  for (const language of languages) {
    const { name } = JSON.parse(textOf(`src/texts/${language}/language.json`))
    const file = language === 'en' ? 'first-steps.md' : `first-steps/${language}.md`
    t.match(index, `[${name}](${file})`, `the index leads to ${language}`)
  }
})

/** What a reader types or opens, section by section: commands, code, targets of links. */
function factsOf(path: string): readonly unknown[] {
  return textOf(path)
    .split(/^## /m)
    .map((section) => {
      const [, ...blocks] = section.split(/^(```.*?^```)$/ms)
      const links = [...section.matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) =>
        /^https?:/.test(href) ? href : posix.join(posix.dirname(path), href),
      )
      return {
        blocks: blocks.filter((block) => block.startsWith('```')),
        code: [...section.matchAll(/`([^`\n]+)`/g)].map(([code]) => code).sort(),
        steps: section.match(/^(?:\d+\.|-) /gm),
        links,
      }
    })
}

t.test('commands, links and steps are those of the English page', async (t) => {
  for (const [path] of translations) t.same(factsOf(path), factsOf(firstStepsFile), path)
})

t.test('buttons and fields have the names that the console gives them', async (t) => {
  const inEnglish = wordsOf('en')
  for (const [path, language] of translations) {
    const words = wordsOf(language)
    const sections = textOf(path).split(/^## /m)
    for (const [at, section] of english.split(/^## /m).entries()) {
      const named = boldIn(section).map((word) => {
        const places = [...inEnglish].filter(([, text]) => text === word).map(([place]) => place)
        t.ok(places.length > 0, `the console says ${word}`)
        return places.map((place) => words.get(place) ?? '')
      })
      // Sentences have another order.
      const left = boldIn(sections[at] ?? '')
      for (const choices of named) {
        const found = left.findIndex((word) => choices.includes(word))
        t.ok(found >= 0, `${path}: ${choices.join(' or ')}`)
        if (found >= 0) left.splice(found, 1)
      }
      t.same(left, [], `${path} names what the English page does not`)
    }
  }
})

const boldIn = (text: string) =>
  [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, word = '']) => word.replace(/\s+/g, ' '))

/** Every text of the console by its place. English has the name of a channel's field from the API. */
function wordsOf(language: string): ReadonlyMap<string, string> {
  const files = globSync(`src/texts/${language}/console/*.json`, { cwd: root })
  const found = files
    .filter((path) => basename(path) !== 'said.json')
    .flatMap((path) => [...textsIn(JSON.parse(textOf(path)), basename(path, '.json'))])
  const topic = language === 'en' ? [[topicLabel, 'Topic'] as const] : []
  return new Map([...found, ...topic])
}

const topicLabel = 'channel-fields.ntfy.topic.label'

function* textsIn(node: unknown, place: string): Generator<readonly [string, string]> {
  if (typeof node === 'string') yield [place, node]
  else {
    for (const [key, inner] of Object.entries(Object(node)))
      yield* textsIn(inner, `${place}.${key}`)
  }
}
