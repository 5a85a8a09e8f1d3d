// What the binary runs first: the program, with the code that V8 compiled when it was built.
const { wrap } = require('node:module')
const { closeSync, openSync, readSync } = require('node:fs')
const { getAsset } = require('node:sea')
const { Script } = require('node:vm')

const file = openSync(process.execPath)
// `getRawAsset` would leave all of it in memory, as pages of the file.
const [code, cachedData] = getAsset('places', 'utf8')
  .split(',')
  .map((place) => {
    const [at, bytes] = place.split('+').map(Number)
    const part = Buffer.allocUnsafeSlow(bytes)
    for (let read = 0; read < bytes; ) read += readSync(file, part, read, bytes - read, at + read)
    return part
  })
closeSync(file)
const program = new Script(wrap(code.latin1Slice()), { filename: 'main.cjs', cachedData })
program.runInThisContext()(exports, require, module, __filename, __dirname)
