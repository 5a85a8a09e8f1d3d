// The links of an exported document: relative to it, so that it works below any address, or from a
// disk.

/** The root below which the documents of an export are made; it is replaced in each of their links. */
export const exportRoot = '/_page_'

export interface ExportedPlace {
  /** The path of the document, from the top of the export. */
  readonly path: string
  /** All paths that an export has. */
  readonly known: ReadonlySet<string>
  /** The address of the page where the daemon serves it. */
  readonly url: string
}

/**
 * Links to forms and other documents that are not exported lead to the daemon. Scripts are removed,
 * because they need the daemon's events. Texts cannot be taken for attributes: their quotes are escaped.
 */
export function withRelativeLinks(markup: string, { path, known, url }: ExportedPlace): string {
  const up = '../'.repeat(path.split('/').length - 1)
  const link = (target: string) => {
    const file = fileOf(target)
    return known.has(file) ? `${up}${file}` : `${url}${target}`
  }
  return markup
    .replace(/<script\b[^<>]*><\/script>\n?/g, '')
    .replace(/="\/assets\//g, `="${up}assets/`)
    .replace(rooted, (_, target: string) => `="${link(target)}"`)
}

const rooted = new RegExp(`="${exportRoot}(/[^"]*|)"`, 'g')

function fileOf(target: string): string {
  if (target === '') return 'index.html'
  const [, month] = /^\/history\?month=(\d{4}-\d\d)$/.exec(target) ?? []
  if (month !== undefined) return `history/${month}.html`
  if (target === '/history' || /^\/(?:incidents|services)\/\w+$/.test(target))
    return `${target.slice(1)}.html`
  return target.slice(1)
}
