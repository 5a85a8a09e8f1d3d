// Reads a systemd unit with its drop-ins.

export interface UnitFile {
  /** Every value of a setting that may be given several times, since it was last emptied. */
  all(name: string): readonly string[]
}

/** `texts` in the order in which systemd reads them: the unit, then its drop-ins by name. */
export function unitOf(texts: readonly string[]): UnitFile {
  const values = new Map<string, string[]>()
  for (const text of texts) {
    for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
      const [, name, value = ''] = /^\s*([A-Za-z]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
      if (name === undefined) continue
      // An empty value forgets the values before it.
      if (value === '') values.set(name, [])
      else values.set(name, [...(values.get(name) ?? []), value])
    }
  }
  return {
    all: (name) => values.get(name) ?? [],
  }
}
