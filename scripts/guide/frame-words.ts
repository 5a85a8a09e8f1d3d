// What the guide says around a document, in its language. The console has these words in all of them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Language } from '../../src/texts/languages.ts'

const folder = join(import.meta.dirname, '../../src/texts')

type English = typeof english

/** `here` is absent where the title of the page takes its place. */
export type FrameWords = Omit<English, 'here'> & Partial<Pick<English, 'here'>>

const english = {
  skip: 'Skip to the text',
  guide: 'guide',
  search: 'Search',
  searchLabel: 'Search the guide',
  /** The word after how many there are. */
  found: 'found',
  nothing: 'Nothing found. Fewer words find more.',
  elsewhere: 'Elsewhere',
  pages: 'Pages',
  console: 'Console',
  here: 'On this page',
  languages: 'Languages',
  copy: 'Copy',
  copied: 'Copied',
  linkTo: (heading: string) => `Link to: ${heading}`,
}

/** The words around a document in a language. What the search finds is in English. */
export function frameWords(language: Language): FrameWords {
  if (language === 'en') return english
  const shell = textsIn(language, 'shell')
  const { actions } = textsIn(language, 'common')
  const inEnglish = new Intl.DisplayNames(language, { type: 'language' }).of('en')
  const search = `${shell.palette.title} (${inEnglish})`
  return {
    skip: shell.skip,
    guide: shell.guide,
    search,
    searchLabel: search,
    found: '',
    nothing: shell.palette.nothing,
    elsewhere: shell.navigation,
    pages: shell.guide,
    console: textsIn(language, 'overview').title,
    languages: shell.language,
    copy: actions.copy,
    copied: actions.copied,
    linkTo: (heading) => heading,
  }
}

const textsIn = (language: Language, area: string) =>
  JSON.parse(readFileSync(join(folder, language, 'console', `${area}.json`), 'utf8'))
