// The texts of the console in the language of the person. Every text is in a catalogue: en is the
// model, and every other language has the same shape.
import { computed, signal } from '@preact/signals'
import { en, type Words } from './en/en.ts'

export type Language = 'en' | 'de'

export const languages: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

const languageKey = 'stillup.language'

const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text)

function preferred(): Language {
  const wanted = [localStorage.getItem(languageKey) ?? '', ...navigator.languages]
  return wanted.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

export const language = signal<Language>(preferred())
const catalogue = signal<Words>(en)

/** For dates and numbers: the language as the person's browser has it, such as `en-GB`. */
export const locale = computed(
  () => navigator.languages.find((tag) => tag.slice(0, 2) === language.value) ?? language.value,
)

/** The catalogue: `words.value.overview.title`. Reading it in a component follows the language. */
export const words = computed(() => catalogue.value)

/** Loads the catalogue of the language, and shows it. */
export async function loadLanguage(wanted: Language = language.value): Promise<void> {
  catalogue.value = wanted === 'de' ? (await import('./de/de.ts')).de : en
  language.value = wanted
  document.documentElement.lang = wanted
}

export async function chooseLanguage(wanted: Language): Promise<void> {
  localStorage.setItem(languageKey, wanted)
  await loadLanguage(wanted)
}
