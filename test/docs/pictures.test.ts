// The pictures in the documents show the pages as they are now.
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { consolePictures } from '../support/console-pictures.ts'
import { currentSources, pictures, picturesDir, storedSources } from '../support/pictures.ts'

t.test('each picture was taken of the page as it is now; if not: npm run pictures', async (t) => {
  t.same(storedSources(), await currentSources())
  for (const { name } of [...pictures, ...consolePictures])
    t.ok(existsSync(join(picturesDir, `${name}.png`)), name)
})

t.test('all together they stay small', async (t) => {
  const sizes = globSync('*.png', { cwd: picturesDir }).map(
    (name) => statSync(join(picturesDir, name)).size,
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  t.ok(total <= 1.5 * 1024 ** 2, `${total} bytes`)
})
