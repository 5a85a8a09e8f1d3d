// Runs test files one after the other in this process: node test/support/files-process.ts FILE...
import { runGroup } from '../../scripts/test/group.ts'

const files = process.argv.slice(2)

await runGroup(() => files.shift(), true)
