// Runs first in every test process (.taprc), to spare it what tap does for reports of coverage, and for
// finding the test of an error.
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
})
