// The document of the console: the same for every address below /app. What the build made fills it.
import { readTextAsset } from '../../base/assets.ts'
import { fontPreload } from '../fonts.ts'
import { type Html, html } from '../html.ts'
import { iconLink, markOf, markUrl } from '../mark.ts'

/** The names of the files that the document loads. */
interface Manifest {
  readonly script: string
  readonly style: string
  /** The script of the sign-in page. */
  readonly signIn?: string
  /** The signs of providers: the data of a path in a square of 24. */
  readonly providerSigns?: Readonly<Record<string, string>>
  /** What the script imports, and what the overview needs besides: asked for with the document. */
  readonly modules?: readonly string[]
  readonly overviewModules?: readonly string[]
}

export const consoleAssets = '/app/assets'

/** Where the build of the console lies among the files of the program. */
const folder = 'console/built'

/** Everything comes from this service, and nothing is inline. */
export const consolePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' https: data:; " +
  "connect-src 'self'; worker-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * The policy of the console's files. Only a worker has a policy of its own: it may ask this service, and
 * nothing else.
 */
export const consoleFilePolicy = "default-src 'none'; connect-src 'self'"

/** Undefined if the console was not built. */
export function readConsole() {
  const manifest = readBuilt('manifest.json')
  if (manifest === undefined) return undefined
  const names = JSON.parse(manifest) as Manifest
  // Builds of earlier versions do not name them.
  const { modules = [], overviewModules = [] } = names
  return {
    document: consoleDocument(names, modules),
    /** The same page, sooner. */
    overview: consoleDocument(names, [...modules, ...overviewModules]),
    /** The text of a file; undefined if there is no such file. */
    file: (name: string) => (isBuiltName(name) ? readBuilt(name) : undefined),
  }
}

/** The path of the script that offers passkeys at the sign-in; undefined if the console was not built. */
export function signInScript(): string | undefined {
  const { signIn } = builtNames()
  return signIn && `${consoleAssets}/${signIn}`
}

/** The signs of known providers, by brand; none if the console was not built. */
export function providerSigns(): NonNullable<Manifest['providerSigns']> {
  return builtNames().providerSigns ?? {}
}

function builtNames(): Partial<Manifest> {
  const manifest = readBuilt('manifest.json')
  return manifest === undefined ? {} : JSON.parse(manifest)
}

/** Names that the build makes: no path leads out of its folder. */
const isBuiltName = (name: string) => /^[\w-]+\.[A-Z0-9]{8}\.(js|css)$/.test(name)

function readBuilt(name: string): string | undefined {
  try {
    return readTextAsset(`${folder}/${name}`)
  } catch {
    return undefined
  }
}

/** The mark stands where the console will have it, and is painted before any script runs. */
function consoleDocument({ script, style }: Manifest, modules: readonly string[]): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>stillup</title>
${iconLink(markUrl('up'))}
${fontPreload}
<link rel="stylesheet" href="${consoleAssets}/${style}">
${modules.map((name) => html`<link rel="modulepreload" href="${consoleAssets}/${name}">\n`)}\
<script type="module" src="${consoleAssets}/${script}"></script>
</head>
<body>
<div id="console">${markOf('none', 'boot brand-mark is-none')}</div>
<noscript>The console needs JavaScript. The API does not: see /docs.</noscript>
</body>
</html>
`
}
