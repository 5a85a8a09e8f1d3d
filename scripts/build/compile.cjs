// Runs the program of a bundle. Asked by a message, it writes the code that V8 has compiled by then.
const { readFileSync, writeFileSync } = require('node:fs')
const { wrap } = require('node:module')
const { join } = require('node:path')
const v8 = require('node:v8')
const { Script } = require('node:vm')

const [folder] = process.argv.splice(2)
const file = join(folder, 'main.cjs')
const program = new Script(wrap(readFileSync(file, 'latin1')), { filename: file })
process.argv.push('serve')
// V8 takes the code only with the flags that it had at the start of the process.
v8.setFlagsFromString = () => {}
process.on('message', () => {
  writeFileSync(join(folder, 'compiled'), program.createCachedData())
  process.disconnect()
  process.kill(process.pid, 'SIGTERM')
})
program.runInThisContext()(exports, require, module, file, folder)
