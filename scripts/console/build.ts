// Builds the console into src/console/built: node scripts/console/build.ts. Every file but the manifest
// has the hash of its content in its name.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
// biome-ignore lint/correctness/useImportExtensions: its types are in a file beside it.
import { fingerprint } from '../../bin/fingerprint.cjs'
import { colorsOfLook, dark, light, type Palette } from '../../src/base/colors.ts'
import { pageLooks } from '../../src/domain/pages/page.ts'
import { consoleAssets } from '../../src/pages/console/console-document.ts'
import { typefaces } from '../../src/pages/fonts.ts'
import { type MarkTone, markShapes, markUrl } from '../../src/pages/mark.ts'
import { replaceFolder } from '../replace-folder.ts'
import { type ApiDocument, apiDocument, routesOf } from './api-types.ts'
import { brands, providerSigns } from './brands.ts'
import { knownKinds } from './kinds.ts'
import { consoleLanguages, consoleTexts } from './texts.ts'

const root = join(import.meta.dirname, '../..')
const usualFolder = join(root, 'src/console/built')
/** Tells from which sources it was made. */
const madeFrom = join(root, 'node_modules/.cache/console-made-from')

interface ConsoleManifest {
  /** The names of the files that the document loads. */
  readonly script: string
  readonly style: string
  /** The script of the sign-in page. */
  readonly signIn: string
  readonly providerSigns: Readonly<Record<string, string>>
  /** What the script imports before it begins. */
  readonly modules: readonly string[]
  /** What the overview needs besides. */
  readonly overviewModules: readonly string[]
}

/**
 * What the console knows of the API: `import routes from 'api:routes'` is the method and the path of
 * every operation, `import known from 'api:kinds'` what decides about kinds of checks, `import schema from 'schema:monitors.create'` the schema of that operation's body.
 */
const api: Plugin = {
  name: 'api',
  setup(building) {
    const document = apiDocument()
    const facts: Record<string, object | string> = {
      'api:routes': routesOf(document),
      'api:kinds': knownKinds(),
      'api:brands': brands(),
      'api:looks': lookColors(),
      'api:mark': { shapes: markShapes, icons: markIcons() },
      'api:probe-unit': probeUnit(),
    }
    building.onResolve({ filter: /^(api|schema):/ }, ({ path }) => ({ path, namespace: 'api' }))
    building.onLoad({ filter: /.*/, namespace: 'api' }, ({ path }) => {
      const name = path.slice(path.indexOf(':') + 1)
      const value = path in facts ? facts[path] : formSchema(document, name)
      if (value === undefined) return { errors: [{ text: `${path} has no body` }] }
      return { contents: JSON.stringify(value), loader: 'json' }
    })
  },
}

const galleryColors = [
  ...(['paper', 'card', 'ink', 'soft', 'line', 'accent'] as const),
  ...(['up', 'up-wash', 'up-ink', 'slow'] as const),
]

/** What the gallery draws of each look of status pages, in light and in dark: custom properties. */
function lookColors() {
  const drawn = (colors: Palette) =>
    Object.fromEntries(galleryColors.map((name) => [`--${name}`, colors[name]]))
  return Object.fromEntries(
    pageLooks.map((look) => {
      const own = colorsOfLook(look)
      const inLight = drawn({ ...light, ...own.light })
      return [look, { light: inLight, dark: drawn({ ...dark, ...own.dark }) }]
    }),
  )
}

/** The address of the mark's image in each tone. */
const markIcons = () =>
  Object.fromEntries((Object.keys(markShapes) as MarkTone[]).map((tone) => [tone, markUrl(tone)]))

/** The unit of a probe as people paste it: without what it explains. */
function probeUnit(): string {
  const unit = readFileSync(join(root, 'systemd/stillup-probe.service'), 'utf8')
  return unit.replace(/^#.*\n|^\n(?!\[)/gm, '').trim()
}

/** `@import "fonts:inter" in a style sheet has the typeface's rules; its files are served beside those of pages. */
const fonts: Plugin = {
  name: 'fonts',
  setup(building) {
    building.onResolve({ filter: /^fonts:/ }, ({ path }) => ({ path, namespace: 'fonts' }))
    building.onResolve({ filter: /^\/assets\// }, ({ path }) => ({ path, external: true }))
    building.onLoad({ filter: /.*/, namespace: 'fonts' }, () => ({
      contents: typefaces((path) => path),
      loader: 'css',
    }))
  },
}

/**
 * `import texts from 'texts:en' has the texts of a language, 'texts:languages' the names of all and a
 * way to load each.
 */
const texts: Plugin = {
  name: 'texts',
  setup(building) {
    building.onResolve({ filter: /^texts:/ }, ({ path }) => ({ path, namespace: 'texts' }))
    building.onLoad({ filter: /.*/, namespace: 'texts' }, ({ path }) => {
      const name = path.slice('texts:'.length)
      if (name === 'languages') return { contents: languagesModule(), loader: 'js' }
      return { contents: JSON.stringify(consoleTexts(name)), loader: 'json' }
    })
  },
}

/**
 * Whatever is loaded later imports the shell, which is there by then: what it has in common with some pages
 * and not with others would be a file for each such set otherwise, twenty of them before anything shows.
 */
const oneShell: Plugin = {
  name: 'one-shell',
  setup(building) {
    const later = new Set<string>()
    building.onResolve({ filter: /^\..*\.tsx$/ }, ({ path, kind, resolveDir }) => {
      if (kind === 'dynamic-import') later.add(join(resolveDir, path))
      return undefined
    })
    building.onLoad({ filter: /\.tsx$/ }, ({ path }) => {
      if (!later.has(path)) return undefined
      const text = readFileSync(path, 'utf8')
      return { contents: `${text}\nimport ${JSON.stringify(shell)}`, loader: 'tsx' }
    })
  },
}

function languagesModule(): string {
  const languages = consoleLanguages()
  const others = Object.keys(languages).filter((language) => language !== 'en')
  const loads = others.map((language) => `${language}: () => import('texts:${language}')`)
  return `export const languages = ${JSON.stringify(languages)}
export const loadTexts = { ${loads.join(', ')} }
`
}

/** The operations whose forms show what the API says of their fields; others have texts of their own. */
const saysItsFields = new Set(['alert-channels.create'])

/** The schema of a body without what no form shows. */
function formSchema(document: ApiDocument, name: string): object | undefined {
  const schema = bodySchema(document, name)
  if (schema === undefined || saysItsFields.has(name)) return schema
  const isShown = (key: string, value: unknown) =>
    !(key === 'description' && typeof value === 'string') &&
    !(key === 'examples' && Array.isArray(value))
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (isShown(key, value) ? value : undefined)),
  )
}

function bodySchema({ paths, components }: ApiDocument, name: string): object | undefined {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const operation = operations.find(({ operationId }) => operationId === name)
  const schema = operation?.requestBody?.content['application/json']?.schema
  if (schema === undefined) return undefined
  const text = JSON.stringify(schema)
  const used = Object.entries(components.schemas).filter(([key]) =>
    text.includes(`"#/components/schemas/${key}"`),
  )
  if (used.length === 0) return schema
  const own = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'))
  return { ...own, $defs: Object.fromEntries(used) }
}

/**
 * Returns what it wrote: what the document loads, and what each file was made of.
 * `isForDevelopment`: with the page of all parts, /app/look.
 */
export async function buildConsole(outdir = usualFolder, isForDevelopment = false) {
  const sources = fingerprint(root)
  const shared = {
    write: false,
    absWorkingDir: root,
    outdir,
    bundle: true,
    minify: true,
    target: ['es2023', 'chrome123', 'firefox121', 'safari17.5'],
    entryNames: '[name].[hash]',
    chunkNames: '[name].[hash]',
    legalComments: 'none',
    // They are served as UTF-8. With escapes an Arabic reader loads 9 KB more, compressed.
    charset: 'utf8',
    tsconfig: 'src/console/tsconfig.json',
  } as const satisfies BuildOptions
  const worker = await build({ ...shared, entryPoints: [workerEntry], format: 'iife' })
  const signIn = await build({ ...shared, entryPoints: [signInEntry], format: 'iife' })
  const [signInFile] = signIn.outputFiles
  if (!signInFile) throw new Error('the build made no script of the sign-in page')
  const [workerFile] = worker.outputFiles
  if (!workerFile) throw new Error('the build made no worker')
  const { metafile, outputFiles } = await build({
    ...shared,
    entryPoints: ['src/console/main.tsx'],
    splitting: true,
    format: 'esm',
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    supported: { 'top-level-await': true },
    define: {
      streamsWorkerUrl: JSON.stringify(`${consoleAssets}/${basename(workerFile.path)}`),
      isForDevelopment: JSON.stringify(isForDevelopment),
    },
    plugins: [api, texts, fonts, oneShell],
  })
  const outputs = Object.entries(metafile.outputs)
  const main = outputs.find(([, { entryPoint }]) => entryPoint === 'src/console/main.tsx')
  if (!main?.[1].cssBundle) throw new Error('the build made no script or no style sheet')
  const modules = importsOf(metafile, main[0])
  const overview = outputs.find(([, { entryPoint }]) => entryPoint === overviewEntry)
  if (!overview) throw new Error('the build made no overview')
  const manifest: ConsoleManifest = {
    script: basename(main[0]),
    style: basename(main[1].cssBundle),
    signIn: basename(signInFile.path),
    providerSigns: providerSigns(),
    modules: modules.map((path) => basename(path)),
    overviewModules: [overview[0], ...importsOf(metafile, overview[0])]
      .filter((path) => path !== main[0] && !modules.includes(path))
      .map((path) => basename(path)),
  }
  const made = [workerFile, signInFile, ...outputFiles]
  const files = new Map(made.map(({ path, contents }) => [basename(path), contents]))
  // The last, when all that it names is there.
  files.set(manifestName, Buffer.from(JSON.stringify(manifest)))
  replaceFolder(outdir, files)
  if (outdir === usualFolder) {
    mkdirSync(dirname(madeFrom), { recursive: true })
    writeFileSync(madeFrom, isForDevelopment ? '' : sources)
  }
  return { manifest, metafile }
}

const signInEntry = 'src/console/api/sign-in-page.ts'
const workerEntry = 'src/console/api/streams-worker.ts'
const shell = join(root, 'src/console/shell/app.tsx')
const overviewEntry = 'src/console/pages/overview/overview-page.tsx'

/** All that a file imports at once, and what that imports. */
function importsOf({ outputs }: Metafile, path: string): readonly string[] {
  const found = new Set<string>()
  const open = [path]
  for (const one of open) {
    for (const { path, kind } of outputs[one]?.imports ?? []) {
      if (kind !== 'import-statement' || found.has(path)) continue
      found.add(path)
      open.push(path)
    }
  }
  return [...found]
}

const manifestName = 'manifest.json'

/** For tests, which run side by side: builds it only where it was made from other sources. */
export async function ensureConsole(): Promise<void> {
  const paths = [madeFrom, join(usualFolder, manifestName)]
  if (paths.every(existsSync) && readFileSync(madeFrom, 'utf8') === fingerprint(root)) return
  await buildConsole()
}

if (import.meta.main) await buildConsole(usualFolder, process.argv.includes('--development'))
