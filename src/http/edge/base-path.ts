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

/** Attributes of our documents that hold a path, and addresses in our style sheets. */
const inMarkup = /(\s(?:href|src|action|poster|content|data-[a-z-]+)=")\/(?!\/)/g
const inStyle = /(url\(["']?)\/(?!\/)/g
const rewritten: Readonly<Record<string, RegExp>> = { 'text/html': inMarkup, 'text/css': inStyle }

/** The reply with the base before its paths: in headers, cookies, documents and style sheets. */
export function belowBase(reply: WireReply, basePath: string): WireReply {
  const head = reply.head
    .replace(/(\r\nLocation: )(?=\/(?!\/))/gi, `$1${basePath}`)
    .replace(/(\r\nLink: <)(?=\/(?!\/))/gi, `$1${basePath}`)
    .replace(/(\r\nSet-Cookie: [^\r]*; Path=)(\/[^;\r]*)/gi, (_, before: string, path: string) =>
      path === '/' ? before + basePath : before + basePath + path,
    )
  const [type = ''] = /^[^;\r]*/.exec(head) ?? []
  const paths = rewritten[type.trim().toLowerCase()]
  if (paths === undefined || reply.body === undefined) return { ...reply, head }
  const { body } = reply
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
  return { ...reply, head, body: text.replace(paths, `$1${basePath}/`) }
}
