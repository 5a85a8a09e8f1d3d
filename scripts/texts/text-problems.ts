// What is wrong with the files of texts, a line each.
import { parametersOf, type TextFile } from './text-files.ts'

/** In English, the API has these words: test/console/sentences.test.ts compares the fields. */
const ofTheApi = 'console/channel-fields'

/** The console is not in every language that messages and pages are in. */
const isOfConsole = ({ area }: TextFile) => area.startsWith('console/')

export function textProblems(files: readonly TextFile[], languages: readonly string[]): string[] {
  const english = files.filter(({ language }) => language === 'en')
  const found = files.flatMap((file) => [...syntaxProblems(file)])
  if (found.length > 0) return found
  return languages.flatMap((language) => {
    const own = files.filter((file) => file.language === language)
    const unknown = own.filter(
      ({ area }) => area !== ofTheApi && !english.some((file) => file.area === area),
    )
    return [
      ...unknown.map(({ area }) => `${language}/${area}.json: English has no such file`),
      ...english
        .filter((file) => !isOfConsole(file) || own.some(isOfConsole))
        .flatMap((file) => [...differences(file, own, `${language}/${file.area}.json`)]),
    ]
  })
}

function* syntaxProblems({ language, area, texts }: TextFile): Generator<string> {
  for (const [path, text] of texts) {
    try {
      parametersOf(text)
    } catch (error) {
      yield `${language}/${area}.json: ${path} is no message: ${error instanceof Error ? error.message : error}`
    }
  }
}

function* differences(
  english: TextFile,
  own: readonly TextFile[],
  name: string,
): Generator<string> {
  const file = own.find(({ area }) => area === english.area)
  if (!file) {
    yield `${name} is missing`
    return
  }
  for (const [path, text] of english.texts) {
    const translation = file.texts.get(path)
    if (translation === undefined) yield `${name}: ${path} is missing; in English: ${text}`
    else if (namesIn(translation) !== namesIn(text)) {
      yield `${name}: ${path} has the parameters (${namesIn(translation)}), in English (${namesIn(text)})`
    }
  }
  for (const path of file.texts.keys()) {
    if (!english.texts.has(path)) yield `${name}: ${path} does not exist in English`
  }
}

function namesIn(text: string): string {
  return [...parametersOf(text).keys()].sort().join(', ')
}
