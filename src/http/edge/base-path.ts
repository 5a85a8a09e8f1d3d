// The service below a path, such as https://example.com/status-app: a proxy forwards requests with the path.
// It is taken off before a request is looked at, and put before our own paths in what is answered; nothing
// else knows of it. Requests without it, as at hosts of status pages, are answered as ever.
import type { WireReply } from './reply.ts'

/** The path without the base; undefined if the path is not below it. */
export function withoutBase(path: string, basePath: string): string | undefined {
  if (basePath === '' || !path.startsWith(basePath)) return undefined
  const rest = path.slice(basePath.length)
  if (rest === '') return '/'
  return rest.startsWith('/') ? rest : undefined
}

/** The patterns below the base that a pattern of the router becomes. */
export function patternsBelow(basePath: string, pattern: string): readonly string[] {
  if (basePath === '') return []
  return pattern === '/' ? [basePath, `${basePath}/`] : [basePath + pattern]
}

/** What the names of cookies of the whole service end with below a base. */
const markOf = (basePath: string) => basePath.replace(/[^\w-]/g, '-')

/**
 * The cookies of a request below the base, by the names that the service knows. A cookie of the root of
 * the host has the same name without the mark, such as from before the service moved: it counts only while
 * there is no other.
 */
export function cookiesBelow(cookies: string, basePath: string): string {
  const all = cookies.split(';').map((one) => one.trim())
  const nameOf = (one: string) => one.slice(0, Math.max(0, one.indexOf('=')))
  const mark = markOf(basePath)
  const marked = new Set(
    all
      .map(nameOf)
      .filter((name) => name.endsWith(mark))
      .map((name) => name.slice(0, -mark.length)),
  )
  return all
    .filter((one) => !marked.has(nameOf(one)))
    .map((one) => {
      const name = nameOf(one)
      return name.endsWith(mark) ? name.slice(0, -mark.length) + one.slice(name.length) : one
    })
    .join('; ')
}

/** Attributes of our documents that hold a path, and addresses in our style sheets. */
const inMarkup = /(\s(?:href|src|action|poster|content|data-[a-z-]+)=")\/(?!\/)/g
const inStyle = /(url\(["']?)\/(?!\/)/g
const rewritten: Readonly<Record<string, RegExp>> = { 'text/html': inMarkup, 'text/css': inStyle }

/** The reply with the base before its paths: in headers, cookies, documents and style sheets. */
export function belowBase(reply: WireReply, basePath: string): WireReply {
  const head = reply.head
    .replace(/(\r\nLocation: )(?=\/(?!\/))/gi, `$1${basePath}`)
    .replace(/(\r\nLink: <)(?=\/(?!\/))/gi, `$1${basePath}`)
    .replace(
      /(\r\nSet-Cookie: [^=\r]+)(=[^\r]*; Path=)(\/[^;\r]*)/gi,
      (_, name: string, rest: string, path: string) =>
        path === '/' ? name + markOf(basePath) + rest + basePath : name + rest + basePath + path,
    )
  const [type = ''] = /^[^;\r]*/.exec(head) ?? []
  const paths = rewritten[type.trim().toLowerCase()]
  if (paths === undefined || reply.body === undefined) return { ...reply, head }
  const { body } = reply
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  return { ...reply, head, body: text.replace(paths, `$1${basePath}/`) }
}
