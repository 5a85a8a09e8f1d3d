// The texts of the console in the language of the person. They are written in src/texts; English comes
// with the page, another language when it is chosen.

import english from 'texts:en'
import { languages, loadTexts } from 'texts:languages'
import { computed, signal } from '@preact/signals'
import type { Languages } from '../../texts/generated/texts.d.ts'
import { marksOf } from '../../texts/marks.ts'
import { catalogueIn, type Words } from './catalogue.ts'
import { isRightToLeft } from './direction.ts'

const languageKey = 'stillup.language'

const isLanguage = (text: string): text is keyof Languages => Object.hasOwn(languages, text)

function preferred(): keyof Languages {
  const wanted = [localStorage.getItem(languageKey) ?? '', ...navigator.languages]
  return wanted.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

const en = catalogueIn('en', english)
export const language = signal(preferred())
const catalogue = signal<Words>(en)

/**
 * For dates and numbers: the language as the person's browser has it for a country, such as `en-US`, else as
 * status pages have it. Arabic has the same digits and calendar everywhere, because figures stand beside
 * drawings and in addresses.
 */
export const locale = computed(() => {
  const own = navigator.languages.find((tag) => tag.startsWith(`${language.value}-`))
  const tag = own ?? languages[language.value]?.locale ?? language.value
  return isRightToLeft(tag) ? `${new Intl.Locale(tag).baseName}-u-ca-gregory-nu-latn` : tag
})

/** The catalogue: `words.value.overview.title`. Reading it in a component follows the language. */
export const words = computed(() => catalogue.value)

/** What stands between texts that a page puts together. */
export const punctuation = computed(() => marksOf(language.value))

/** Such as "Web, Shop, Mail". */
export const listed = (items: readonly string[]) => items.join(punctuation.value.comma)

/** Loads the catalogue of the language, and shows it. */
export async function loadLanguage(wanted = language.value): Promise<void> {
  const texts = await loadTexts[wanted]?.()
  catalogue.value = texts ? catalogueIn(wanted, texts.default) : en
  language.value = wanted
  document.documentElement.lang = wanted
  document.documentElement.dir = isRightToLeft(wanted) ? 'rtl' : 'ltr'
}

export async function chooseLanguage(wanted: string): Promise<void> {
  if (!isLanguage(wanted)) return
  localStorage.setItem(languageKey, wanted)
  await loadLanguage(wanted)
}
