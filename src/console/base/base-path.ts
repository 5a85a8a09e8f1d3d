// The path that the service is below, such as /stillup of https://example.com/stillup; '' for none. The
// console speaks of its own paths; they are changed here, where they leave it and where they come in.

/** The files of the console are below this path, wherever the service is. */
const assets = '/app/assets/'

/** A worker, which has no document, is such a file itself. */
function ownAddress(): string {
  if (!('HTMLScriptElement' in globalThis)) return globalThis.location?.href ?? ''
  return document.querySelector<HTMLScriptElement>(`script[src*="${assets}"]`)?.src ?? ''
}

function findBase(): string {
  const address = ownAddress()
  if (!URL.canParse(address)) return ''
  const { pathname } = new URL(address)
  const end = pathname.indexOf(assets)
  return end < 0 ? '' : pathname.slice(0, end)
}

export const basePath = findBase()

/** What a browser is given for a path of ours; other addresses stay. */
export function outward(path: string): string {
  return path.startsWith('/') && !path.startsWith('//') ? basePath + path : path
}

/** The path of ours that a browser shows. */
export function inward(path: string): string {
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
}

/** A document of the service, shown in a frame: its paths, as they are put into documents on their way. */
export function outwardDocument(markup: string): string {
  if (basePath === '') return markup
  return markup.replace(/(\s(?:href|src|action)=")\/(?!\/)/g, `$1${basePath}/`)
}
