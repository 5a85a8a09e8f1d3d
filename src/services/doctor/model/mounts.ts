// Finds the file system of a path in /proc/self/mountinfo (proc(5)).

export interface Mount {
  readonly place: string
  /** The type, such as ext4, nfs4 or overlay. */
  readonly type: string
  readonly isReadOnly: boolean
}

/** The mounts in the order of the file: a later one hides an earlier one at the same place. */
export function mountsIn(text: string): readonly Mount[] {
  return text.split('\n').flatMap((line) => {
    const [left = '', right = ''] = line.split(' - ')
    const [, , , , place = '', options = ''] = left.split(' ')
    const [type = '', , superOptions = ''] = right.split(' ')
    if (place === '' || type === '') return []
    const all = [...options.split(','), ...superOptions.split(',')]
    return {
      place: unescaped(place),
      type,
      isReadOnly: all.includes('ro'),
    }
  })
}

/** The mount that holds an absolute path without links. */
export function mountOf(mounts: readonly Mount[], path: string): Mount | undefined {
  const holds = ({ place }: Mount) =>
    place === '/' || path === place || path.startsWith(`${place}/`)
  return mounts.reduce<Mount | undefined>(
    (best, one) => (holds(one) && one.place.length >= (best?.place.length ?? 0) ? one : best),
    undefined,
  )
}

/** Spaces and the like are octal numbers there. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}
