// What a conversion gathers: variables with names of their own, names of captures, and notes.
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import { variableCharsMax, variablesMax } from '../step.ts'

const notesMax = 100
const nameCharsMax = 64

/** A class because variables, names and notes gather on the way. */
export class Draft {
  readonly #variables = new Map<string, string>()
  readonly #taken = new Set<string>()
  /** The number of the last name that was made of one. */
  readonly #numbers = new Map<string, number>()
  /** Our name for one of the text, by the latter. */
  readonly #renamed = new Map<string, string>()
  readonly #notes: string[] = []
  #moreNotes = 0

  note(text: string): void {
    const note = clip(text, limits.importNoteCharsMax)
    if (this.#notes.includes(note)) return
    if (this.#notes.length < notesMax) this.#notes.push(note)
    else this.#moreNotes += 1
  }

  notes(): readonly string[] {
    if (this.#moreNotes === 0) return this.#notes
    return [...this.#notes, `${this.#moreNotes} more notes, which are not listed`]
  }

  variables(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#variables)
  }

  valueOf(name: string): string | undefined {
    return this.#variables.get(name)
  }

  /** Keeps a name for what the text calls so. */
  reserve(name: string): void {
    this.#taken.add(name)
    this.#renamed.set(name, name)
  }

  forget(name: string): void {
    this.#variables.delete(name)
  }

  /** A name that nothing has yet. `hint`: what it is called in the text. */
  newName(hint: string): string {
    const letters = hint.slice(0, limits.urlCharsMax).replace(/[^A-Za-z0-9_]/g, '_')
    const plain = letters
      .replace(/_{2,}/g, '_')
      .replace(/^_|_$/g, '')
      .slice(0, nameCharsMax - 4)
    const begun = plain === '' ? 'value' : /^\d/.test(plain) ? `_${plain}` : plain
    let name = begun
    let number = this.#numbers.get(begun) ?? 1
    while (this.#taken.has(name)) {
      number += 1
      name = `${begun}_${number}`
    }
    this.#numbers.set(begun, number)
    this.#taken.add(name)
    return name
  }

  /** The name of a new variable with this value, or of one that was made of the same hint with it. */
  variable(hint: string, value: string): string {
    const key = `${hint}\0${value}`
    const known = this.#renamed.get(key)
    if (known !== undefined) return known
    const name = this.newName(hint)
    this.#renamed.set(key, name)
    this.#keep(name, value)
    return name
  }

  /** Our name for a variable that the text names; it has no value until `give`. */
  nameFor(original: string): string {
    const known = this.#renamed.get(original)
    if (known !== undefined) return known
    const name = this.newName(original)
    this.#renamed.set(original, name)
    return name
  }

  /** A variable of the text, under our name for it. */
  give(original: string, value: string): void {
    this.#keep(this.nameFor(original), value)
  }

  /** A variable that templates name and that nothing gave a value. */
  want(name: string): void {
    this.#taken.add(name)
    this.#keep(name, '')
    this.note(`the variable ${name} has no value here: give it one`)
  }

  /** A value of the header Authorization (RFC 7617). `login`: name and password, with a colon between them. */
  basic(login: string): string {
    const whole = login.replace(/\{\{(\w+)\}\}/g, (said, name: string) => {
      return this.#variables.get(name) || said
    })
    if (!whole.includes('{{')) return `Basic {{${this.variable('login', whole)}|base64}}`
    const [, only] = /^\{\{(\w+)\}\}:?$/.exec(login) ?? []
    if (only !== undefined) return `Basic {{${only}|base64}}`
    const name = this.nameFor('login')
    this.note(`the variable ${name} is name and password, with a colon between them`)
    return `Basic {{${name}|base64}}`
  }

  #keep(name: string, value: string): void {
    if (!this.#variables.has(name) && this.#variables.size >= variablesMax) {
      this.note(`there are more than ${variablesMax} variables: ${name} has no value`)
      return
    }
    const isTooLong = value.length > variableCharsMax
    this.#variables.set(name, isTooLong ? '' : value)
    if (!isTooLong) return
    this.note(`the value of the variable ${name} has more than ${variableCharsMax} characters`)
  }
}
