// The variables of the environment that stand in a configuration of Gatus for what an export does not have.
import { variableText } from '../yaml-text.ts'

interface Owner {
  readonly id: string
  readonly name: string
}

export type GatusVariables = ReturnType<typeof createGatusVariables>

export function createGatusVariables() {
  const names = new Map<string, string>()
  const about = new Map<string, string>()

  /** Letters, digits and underscores, which begins with a letter. */
  function nameOf(words: string): string {
    const plain = words
      .normalize('NFKD')
      .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')
      .toUpperCase()
      .replaceAll(/[^A-Z\d]+/g, '_')
      .slice(0, 100)
      .replaceAll(/^_+|_+$/g, '')
    return /^[A-Z]/.test(plain) ? plain : `X_${plain}`
  }

  return {
    /** The text for a secret of an item, which `path` tells from its others. `words` are the last of the name. */
    of(owner: Owner, path: string, words: string, what = words): string {
      const place = `${owner.id} ${path}`
      const known = names.get(place)
      if (known !== undefined) return variableText(known)
      const whole = nameOf(`${owner.name} ${words}`)
      let name = whole
      for (let count = 2; about.has(name); count += 1) name = `${whole}_${count}`
      names.set(place, name)
      about.set(name, `${what} of "${owner.name}"`)
      return variableText(name)
    },
    /** A name that a person gave, such as that of a secret of the organization. */
    named(name: string): string {
      if (!about.has(name)) about.set(name, 'a secret of the organization')
      return variableText(name)
    },
    all: (): readonly (readonly [name: string, what: string])[] => [...about],
  }
}
