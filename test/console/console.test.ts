// The console as it is built and served: it stays small, and the daemon gives it to its own hosts only.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { buildConsole, ensureConsole } from '../../scripts/console/build.ts'
import { once } from '../../src/base/per-object.ts'
import { consoleRoutes } from '../../src/http/public/console-routes.ts'
import type { RawRequest } from '../../src/http/routing/raw-route.ts'
import { consolePolicy } from '../../src/pages/console/console-document.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'src/console')

t.test('it imports little of the daemon, and the daemon nothing of it', async (t) => {
  const importsOf = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import) ?'(\.[^']+)'/g)].map(
      ([, target = '']) => join(dirname(file), target),
    )
  const own = globSync('**/*.{ts,tsx}', { cwd: folder }).map((file) => join(folder, file))
  // What makes texts of messages, a value once, and a count of votes is for both: it needs nothing of Node.
  const shared =
    /^\.\.\/(base\/per-object\.ts|domain\/locations\/choice\.ts|texts\/((marks|message|place-words|time-words|translator)\.ts|generated\/texts\.d\.ts))$/
  const leaving = own.filter((file) =>
    importsOf(file).some((target) => {
      const path = relative(folder, target)
      return path.startsWith('..') && !shared.test(path)
    }),
  )
  t.same(leaving, [])
  const others = globSync('src/**/*.ts', { cwd: root })
    .map((file) => join(root, file))
    .filter((file) => relative(folder, file).startsWith('..'))
  const entering = others.filter((file) =>
    importsOf(file).some((target) => !relative(folder, target).startsWith('..')),
  )
  t.same(entering, [])
})

t.test('every file says what it is for, and none writes HTML by hand', async (t) => {
  for (const file of globSync('**/*.{ts,tsx,css}', { cwd: folder })) {
    if (file.startsWith('built/')) continue
    const text = readFileSync(join(folder, file), 'utf8')
    t.match(text, /^(\/\/|\/\*) [A-Z].{5,}/, file)
    t.notMatch(text, /innerHTML|dangerouslySetInnerHTML|insertAdjacentHTML/, file)
  }
})

const out = t.testdir({})
const usual = once(() => buildConsole(out))

t.test('it is small', async (t) => {
  const { metafile, manifest } = await usual()
  const sizes = new Map(
    globSync('*.js', { cwd: out }).map((name) => [
      name,
      gzipSync(readFileSync(join(out, name)), { level: 9 }).byteLength,
    ]),
  )
  // A reader has one language, and English as a part of the page.
  const [most = 0, ...otherLanguages] = [...sizes]
    .flatMap(([name, size]) => (name.startsWith('texts_') ? [size] : []))
    .toSorted((a, b) => b - a)
  const unread = otherLanguages.reduce((sum, size) => sum + size, 0)
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0) - unread
  t.ok(most > 0 && total <= 384 * 1024, `all scripts of a reader: ${total} bytes, compressed`)
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [path.replace(/^.*\//, ''), output]),
  )
  const loadedWith = (page: RegExp): number => {
    const loaded = new Set<string>()
    const load = (name: string) => {
      if (loaded.has(name)) return
      loaded.add(name)
      for (const { path, kind } of outputs.get(name)?.imports ?? []) {
        if (kind === 'import-statement') load(path.replace(/^.*\//, ''))
      }
    }
    load(manifest.script)
    for (const name of outputs.keys()) if (page.test(name)) load(name)
    return [...loaded].reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
  }
  const overview = loadedWith(/^overview-page\..*js$/)
  t.ok(overview > 0 && overview <= 120 * 1024, `the overview: ${overview} bytes, compressed`)
  const editor = loadedWith(/^(editor-page|steps-field)\..*js$/)
  t.ok(editor > overview && editor <= 160 * 1024, `the editor: ${editor} bytes, compressed`)
})

t.test(
  'the page of all parts is built for who develops the console, and for nobody else',
  async (t) => {
    const isIn = ({ metafile }: Awaited<ReturnType<typeof buildConsole>>) => {
      const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
      return inputs.some((path) => path.startsWith('src/console/pages/look/'))
    }
    t.equal(isIn(await buildConsole(t.testdir({}), true)), true)
    t.equal(isIn(await usual()), false)
  },
)

const request = (params: Record<string, string>, host = 'up.example.com'): RawRequest => ({
  params,
  path: '/app',
  queryText: '',
  header: () => '',
  host,
  address: '127.0.0.1',
  requestId: '',
  body: Buffer.alloc(0),
  nowMs: 0,
})

t.test('the daemon serves it, but not on the hosts of status pages', async (t) => {
  await ensureConsole()
  const routes = consoleRoutes({ isOwnHost: (host) => host === 'up.example.com' })
  const [page, other, file] = routes
  if (!page || !other || !file) throw new Error('routes are missing')
  const services = {} as never
  const document = await page.handle(request({}), services)
  t.equal(document.status, 200)
  t.ok(document.head.includes(`Content-Security-Policy: ${consolePolicy}`))
  t.match(consolePolicy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
  t.notMatch(document.head, /unsafe/)
  const text = String(document.body)
  t.notMatch(text, /<style|<script(?! type="module" src="\/app\/assets\/)/, 'nothing is inline')
  for (const [, name = ''] of text.matchAll(/"\/app\/assets\/([^"]+)"/g)) {
    const answer = await file.handle(request({ file: name }), services)
    t.equal(answer.status, 200, name)
    t.match(answer.head, /immutable/)
  }
  // What the script imports is asked for with the document, and not one file after the other.
  const preloaded = (body: string) => [...body.matchAll(/"modulepreload" href="([^"]+)"/g)]
  const elsewhere = preloaded(String((await other.handle(request({}), services)).body))
  t.ok(elsewhere.length > 0)
  t.ok(preloaded(text).length > elsewhere.length, 'and the overview with its own address')
  for (const name of ['manifest.json', '../../main.ts', 'x.AAAAAAAA.js', '']) {
    t.equal((await file.handle(request({ file: name }), services)).status, 404, name)
  }
  t.equal((await page.handle(request({}, 'status.example.org'), services)).status, 404)
})
