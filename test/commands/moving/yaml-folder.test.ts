// Which files of a folder are read as one configuration, and in which order.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readNamedFiles } from '../../../src/commands/moving/yaml-folder.ts'

const readYamlFiles = async (path: string, bytesMax: number) =>
  (await readNamedFiles(path, { bytesMax, endings: ['.yaml', '.yml'] })).map(({ text }) => text)

t.test('YAML files are read by their names, also below, as Gatus reads them', async (t) => {
  const folder = t.testdir({
    'c.yaml': 'c',
    'a.yml': 'a',
    b: { 'x.yaml': 'x', 'notes.txt': 'no' },
    'readme.md': 'no',
    '..data': { 'd.yaml': 'no' },
  })
  symlinkSync(join(folder, '..data', 'd.yaml'), join(folder, 'd.yaml'))
  writeFileSync(join(folder, '..data', 'd.yaml'), 'd')
  t.same(await readYamlFiles(folder, 100), ['a', 'x', 'c', 'd'])
  t.same(await readYamlFiles(join(folder, 'readme.md'), 100), ['no'], 'a file is read as it is')
  await t.rejects(readYamlFiles(folder, 3), { message: /is larger than/ })
  mkdirSync(join(folder, 'empty'))
  await t.rejects(readYamlFiles(join(folder, 'empty'), 100), { message: /has no file that ends/ })
  await t.rejects(readYamlFiles(join(folder, 'none'), 100), { message: /cannot be read/ })
})
