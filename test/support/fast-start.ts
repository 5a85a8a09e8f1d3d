// Runs first in every test process (.taprc), to spare it what tap does for reports of coverage, for
// finding the test of an error, and for keeping tests that are over.
import { registerHooks } from 'node:module'

// tap's module hooks read each loaded file a second time and note its name (@tapjs/processinfo,
// dist/esm/hooks.mjs). Names that match this pattern are passed over.
if (process.env._TAPJS_PROCESSINFO_COVERAGE_ === '0') {
  process.env._TAPJS_PROCESSINFO_EXCLUDE_ = '/./'
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'async-hook-domain'
      ? { url: new URL('error-domain.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
  // Plugins of tap find the parent of a test by these, and would keep every test, with all that its
  // functions hold, to the end of the process: hundreds of stopped daemons, which each collection of
  // garbage goes through.
  load: (url, context, next) => {
    const loaded = next(url, context)
    if (!/\/@tapjs\/[\w-]+\/dist\/esm\/index\.js$/.test(url) || !loaded.source) return loaded
    const source = loaded.source.toString()
    return {
      ...loaded,
      source: source.replace('static #refs = new Map()', 'static #refs = new WeakMap()'),
    }
  },
})
