// Runs first in every test process (.taprc), to spare it what tap does for reports of coverage.
//
// tap's module hooks read each loaded file a second time and note its name (@tapjs/processinfo,
// dist/esm/hooks.mjs). Names that match this pattern are passed over.
if (process.env._TAPJS_PROCESSINFO_COVERAGE_ === '0') {
  process.env._TAPJS_PROCESSINFO_EXCLUDE_ = '/./'
}
