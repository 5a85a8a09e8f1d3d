// What libraries need so that they work inside a bundle.
import { readFileSync } from 'node:fs'
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
  [
    /\/iconv-lite\/lib\/index\.js$/,
    `export const getDecoder = () => ({ write: (bytes) => bytes.toString(), end() {} })
    export const getEncoder = () => ({ write: (text) => Buffer.from(text), end() {} })
    export default { decode: (bytes, name) => new TextDecoder(name.replace('win', 'windows-')).decode(bytes) }`,
  ],
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
