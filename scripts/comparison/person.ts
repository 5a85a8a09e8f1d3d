// Somebody at a browser whose clicks and keys are counted, and the seconds that they take a practised
// person by the Keystroke-Level Model: Card, Moran, Newell, Communications of the ACM 23(7), 1980.
import type { Locator } from 'playwright-core'

/** Seconds: a key of an average typist, pointing, a press or release, to keys or mouse, a decision. */
const klm = { key: 0.28, point: 1.1, button: 0.1, home: 0.4, mental: 1.35 }

export interface Effort {
  /** Presses of the pointer. */
  readonly clicks: number
  /** Fields that were typed into. */
  readonly fields: number
  readonly keys: number
}

const noEffort: Effort = { clicks: 0, fields: 0, keys: 0 }

/** What the service takes to answer is not in it: it is the same decision and hand at each product. */
export function secondsOf({ clicks, fields, keys }: Effort): number {
  // A decision comes before each click. A person who types takes the hand to the keys and back.
  const pointed = clicks * (klm.mental + klm.point + 2 * klm.button)
  return pointed + fields * 2 * klm.home + keys * klm.key
}

export interface Person {
  readonly effort: () => Effort
  click(place: Locator): Promise<void>
  /** Types into a field, after a click into it unless it has the focus. */
  type(place: Locator, text: string): Promise<void>
  /** Takes what was copied elsewhere, into a field: Ctrl and V. */
  paste(place: Locator, text: string): Promise<void>
  /** A click; what the dialog of the system for the file takes is left out. */
  give(place: Locator, file: { readonly name: string; readonly text: string }): Promise<void>
  /** Opens a list, and clicks what is wanted. */
  choose(place: Locator, label: string): Promise<void>
}

export function createPerson(): Person {
  let done = noEffort
  const add = ({ clicks = 0, fields = 0, keys = 0 }: Partial<Effort>) => {
    done = { clicks: done.clicks + clicks, fields: done.fields + fields, keys: done.keys + keys }
  }
  /** Puts a text in place of what the field begins with, and tells what that was. */
  async function enter(place: Locator, text: string): Promise<string> {
    const isFocused = await place.evaluate((element) => element.matches(':focus'))
    if (!isFocused) {
      await place.click()
      add({ clicks: 1 })
    }
    const given = await place.inputValue()
    await place.fill(text)
    return given
  }
  return {
    effort: () => done,
    async click(place) {
      await place.click()
      add({ clicks: 1 })
    },
    async type(place, text) {
      const given = await enter(place, text)
      // What the field begins with is not typed again.
      add({ fields: 1, keys: text.startsWith(given) ? text.length - given.length : text.length })
    },
    async paste(place, text) {
      await enter(place, text)
      add({ fields: 1, keys: 2 })
    },
    async give(place, { name, text }) {
      await place.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
      add({ clicks: 1 })
    },
    async choose(place, label) {
      await place.selectOption({ label })
      add({ clicks: 2 })
    },
  }
}
