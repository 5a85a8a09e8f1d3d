// What libraries need so that they work inside a bundle.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'esbuild'
import { gameProtocols } from '../../src/domain/monitors/games.ts'

/** The libraries that a file of `src/` loads when it first uses them. */
function librariesIn(code: string): string[] {
  return [...code.matchAll(/\brequireLibrary\('([^']+)'\)/g)].map(([, name = '']) => name)
}

/** Libraries of which we need little: what of them is in the program. The rest would be loaded, too. */
const parts: readonly [file: RegExp, code: string][] = [
  // Only the client: no fetch, WebSockets, caches and mocks.
  [/\/undici\/index\.js$/, "export { default as Client } from './lib/dispatcher/client.js'"],
  // No pools, certificates of clouds and names of errors, and no encodings but the one that is asked for.
  [
    /\/mysql2\/index\.js$/,
    `export { default as createConnection } from './lib/create_connection.js'
    export { default as authPlugins } from './lib/auth_plugins/index.js'`,
  ],
  [/\/mysql2\/lib\/constants\/(?:errors|ssl_profiles)\.js$/, 'export {}'],
  [/\/iconv-lite\/lib\/index\.js$/, encodings()],
  // Values are only read, for which it needs no calendar.
  [/\/@js-joda\/core\//, 'module.exports = { LocalDate: { ofYearDay() {} }, ChronoUnit: {} }'],
  // The protocols that are offered, and nothing that opens connections, speaks HTTP or unpacks.
  [
    /\/gamedig\/dist\/index\.cjs$/,
    `${gameProtocols.map((name) => `import ${name} from '../protocols/${name}.js'`).join('\n')}
    export const protocols = { ${gameProtocols.join()} }`,
  ],
  [/\/node_modules\/got\/dist\/source\/index\.js$/, 'export default undefined'],
  [/\/node_modules\/telnet-client\/lib\/index\.m?js$/, 'export class Telnet {}'],
  [/\/node_modules\/seek-bzip\/lib\/index\.js$/, 'export default undefined'],
  // No cluster and no push gateway, which has an HTTP client.
  [
    /\/prom-client\/index\.js$/,
    ['Registry', 'Gauge', 'collectDefaultMetrics']
      .map((name) => `export { default as ${name} } from './lib/${fileOf(name)}.js'`)
      .join('\n'),
  ],
]

/**
 * What mysql2, tedious and gamedig ask iconv-lite for: UTF-8, and code pages, which gamedig calls `win1252`. Those of
 * one byte are tables that are made here; Node knows the others.
 */
function encodings(): string {
  const iconv = createRequire(import.meta.url)('iconv-lite')
  const numbers = [437, 850, 874, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258]
  const upper = Buffer.from(Array.from({ length: 128 }, (_, i) => 128 + i))
  const tables = numbers.map((number) => [`CP${number}`, iconv.decode(upper, `CP${number}`)])
  return `
    const tables = ${JSON.stringify(Object.fromEntries(tables))}
    const names = { CP932: 'shift_jis', CP936: 'gbk', CP949: 'euc-kr', CP950: 'big5' }
    const letter = (table) => (byte) => byte < 128 ? String.fromCharCode(byte) : table[byte - 128]
    module.exports = {
      decode(bytes, name) {
        const table = tables[name.replace('win', 'CP')]
        if (table === undefined) return new TextDecoder(names[name] ?? name).decode(bytes)
        return Array.from(bytes, letter(table)).join('')
      },
      getDecoder: () => ({ write: (bytes) => bytes.toString(), end() {} }),
      getEncoder: () => ({ write: (text) => Buffer.from(text), end() {} }),
    }`
}

function fileOf(name: string): string {
  return name === 'collectDefaultMetrics' ? 'defaultMetrics' : name.toLowerCase()
}

/** undici would load HTTP/2 with its first client. Ours speak HTTP/1.1. */
function withoutHttp2(code: string): string {
  const eager = "const connectH2 = require('./client-h2.js')"
  if (!code.includes(eager)) throw new Error('undici does not load HTTP/2 as expected')
  return code.replace(eager, "const connectH2 = (...given) => require('./client-h2.js')(...given)")
}

/** prom-client would load OpenTelemetry for exemplars, which we do not ask for. */
function withoutTracing(code: string): string {
  const eager = "const OtelApi = require('@opentelemetry/api');"
  if (!code.includes(eager)) throw new Error('prom-client does not load OpenTelemetry as expected')
  return code.replace(eager, '')
}

/** mysql2 would write a stack trace to the console for each answer that is none of MySQL. */
function withoutTrace(code: string): string {
  const trace = 'console.trace();'
  if (!code.includes(trace)) throw new Error('mysql2 does not trace as expected')
  return code.replace(trace, '')
}

/**
 * ordered-binary writes a function as a text and runs it with `eval`. The text names variables of the
 * file, which have other names in a bundle. So the function is written when the bundle is made.
 */
function withoutEval(code: string): string {
  const call = /\beval\(makeStringBuilder\(\)\)/
  const maker = /function makeStringBuilder\(\) \{[\s\S]*?\n\}\n/.exec(code)?.[0]
  if (!maker || !call.test(code)) throw new Error('ordered-binary is not written as expected')
  const run = new Function('fromCharCode', `${maker} return makeStringBuilder()`)
  const text: unknown = run(String.fromCharCode)
  return code.replace(call, () => `(${text})`)
}

/** `onDemand` is told of each library that has to be a file of its own. */
export function libraryPlugin(onDemand: (name: string) => void): Plugin {
  return {
    name: 'libraries',
    setup(build) {
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        for (const name of librariesIn(readFileSync(path, 'utf8'))) onDemand(name)
        return null
      })
      for (const [filter, contents] of parts) build.onLoad({ filter }, () => ({ contents }))
      const changed = (filter: RegExp, change: (code: string) => string) =>
        build.onLoad({ filter }, ({ path }) => ({ contents: change(readFileSync(path, 'utf8')) }))
      changed(/\/node_modules\/ordered-binary\/index\.js$/, withoutEval)
      changed(/\/mysql2\/lib\/packets\/packet\.js$/, withoutTrace)
      changed(/\/undici\/lib\/dispatcher\/client\.js$/, withoutHttp2)
      changed(/\/prom-client\/lib\/metrics\/processCpuTotal\.js$/, withoutTracing)
    },
  }
}
