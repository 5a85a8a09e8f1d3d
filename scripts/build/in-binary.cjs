// What the binary runs first: the program, with the code that V8 compiled when it was built.
const { wrap } = require('node:module')
const { getAssetKeys, getRawAsset } = require('node:sea')
const { Script } = require('node:vm')

// The binary of another processor than the one that built it has none.
const isCompiled = getAssetKeys().includes('compiled')
const cachedData = isCompiled ? Buffer.from(getRawAsset('compiled')) : undefined
const code = Buffer.from(getRawAsset('main.cjs')).latin1Slice()
const program = new Script(wrap(code), { filename: 'main.cjs', cachedData })
program.runInThisContext()(exports, require, module, __filename, __dirname)
