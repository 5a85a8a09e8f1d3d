// The texts of every language: whole, in words of its own, and with the values that they are given.
import t from 'tap'
import { type Language, languages } from '../../src/texts/languages.ts'
import { textSamples } from '../support/text-samples.ts'

t.test('no text is empty, and a value stands in it once, as it is', async (t) => {
  for (const language of languages) {
    const wrong = textSamples(language, [0, 1, 5, 7]).filter(({ values, said }) => {
      const names = Object.values(values).filter((value) => typeof value === 'string')
      const isWhole = said.trim() === said && said.length > 0
      return !isWhole || /undefined|NaN/.test(said) || names.some((name) => !isOnceIn(said, name))
    })
    t.same(wrong, [], language)
  }
})

function isOnceIn(text: string, name: string): boolean {
  return text.split(name).length === 2
}

t.test('a number of many is named in every language', async (t) => {
  for (const language of languages) {
    const wrong = textSamples(language, [789]).filter(({ values, said }) =>
      Object.values(values).some((value) => !said.includes(String(value))),
    )
    t.same(wrong, [], language)
  }
})

/** Texts of messages that a language shares with English. */
const shared: Partial<Readonly<Record<Language, readonly string[]>>> = {
  de: ['labels.monitor', 'labels.registrar'],
  fr: ['labels.cause', 'labels.message'],
  es: ['labels.monitor'],
  it: ['labels.monitor', 'labels.registrar'],
  pt: ['labels.monitor'],
  nl: ['labels.monitor', 'labels.registrar', 'states.open'],
  pl: ['labels.monitor'],
}

t.test('each language is written in its own words', async (t) => {
  const english = new Map(textSamples('en', [5]).map(({ path, said }) => [path, said]))
  for (const language of languages.filter((one) => one !== 'en')) {
    const same = textSamples(language, [5])
      .filter(({ path, said }) => said === english.get(path))
      .map(({ path }) => path)
    const sameIn = (area: string) =>
      same.filter((path) => path.startsWith(`${area}.`)).map((path) => path.slice(area.length + 1))
    t.same(sameIn('channels'), shared[language] ?? [], language)
    // Words that are the same in several languages.
    const ofLetters = sameIn('subscribers').filter(
      (path) => !/^(status|news\.(updated|opened))$/.test(path),
    )
    t.same(ofLetters, [], language)
    // Names such as Webhook, and words that two languages share.
    t.ok(sameIn('status-page').length < 14, `${language}: ${same}`)
    t.notOk(sameIn('alert-page').includes('acknowledging'), language)
  }
})
