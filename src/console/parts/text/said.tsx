// A sentence that the daemon said in English, in the language of the person where that is known.
import { words } from '../../words/words.ts'

/** Screen readers are told that a sentence without a translation is English. */
export function Said({ text }: { readonly text: string }) {
  const said = words.value.said(text)
  return <span lang={said === undefined ? 'en' : undefined}>{said ?? text}</span>
}
