// Reads a systemd unit with its drop-ins: the last value of each setting counts.

export interface UnitFile {
  /** Where the unit is; drop-ins are below it. */
  readonly path: string
  /** The newest change of the unit or a drop-in. */
  readonly changedAtMs: number
  /** The last value of a setting of any section; undefined if it is not set. */
  get(name: string): string | undefined
  /** Every value of a setting that may be given several times, since it was last emptied. */
  all(name: string): readonly string[]
}

/** `texts` in the order in which systemd reads them: the unit, then its drop-ins by name. */
export function unitOf(path: string, changedAtMs: number, texts: readonly string[]): UnitFile {
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
    path,
    changedAtMs,
    get: (name) => values.get(name)?.at(-1),
    all: (name) => values.get(name) ?? [],
  }
}

const unitMs: Readonly<Record<string, number>> = {
  us: 0.001,
  ms: 1,
  '': 1_000,
  s: 1_000,
  sec: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
}

/** A span of systemd, such as `1min 30s`; undefined for one without an end or an unknown form. */
export function spanMs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  let sumMs = 0
  for (const part of text.trim().split(/(?<=[a-z])\s*(?=\d)|\s+/)) {
    const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]*)$/.exec(part) ?? []
    const oneMs = unitMs[unit]
    if (amount === undefined || oneMs === undefined) return undefined
    sumMs += Number(amount) * oneMs
  }
  return sumMs
}
