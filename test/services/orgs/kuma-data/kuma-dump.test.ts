// A dump of MariaDB is taken apart: what it says of known tables is read, and no SQL of it runs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openKumaDatabase } from '../../../../src/services/orgs/kuma-data/kuma-database.ts'
import { readableFile } from '../../../../src/services/orgs/kuma-data/kuma-files.ts'
import { testFolder } from '../../../support/test-folder.ts'

const head = '-- MariaDB dump 10.19  Distrib 10.11, for debian-linux-gnu\n--\n'
const settings =
  'CREATE TABLE `setting` (`id` int, `key` varchar(200), `value` text);\n' +
  "INSERT INTO `setting` VALUES (1,'jwtSecret','$2a$10$hidden');\n"

async function read(t: Test, text: string) {
  const folder = testFolder(t)
  writeFileSync(join(folder, 'dump.sql'), text)
  const reader = openKumaDatabase(await readableFile(join(folder, 'dump.sql'), folder))
  t.teardown(() => reader.close())
  return { tables: reader.tables(), unknown: reader.unknown(), reader }
}

t.test('tables with their columns, and rows with every kind of value', async (t) => {
  const { tables, unknown } = await read(
    t,
    `/*M!999999\\- enable the sandbox mode */ \n${head}/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`monitor\`;
CREATE TABLE IF NOT EXISTS \`monitor\` (
  \`id\` int(10) unsigned NOT NULL AUTO_INCREMENT,
  \`name\` varchar(150) DEFAULT 'a,b) (''c''',
  \`timeout\` double NOT NULL DEFAULT 0 COMMENT 'in s; or 0',
  \`url\` text DEFAULT NULL,
  \`colour\` text,
  PRIMARY KEY (\`id\`), KEY \`k\` (\`name\`),
  CONSTRAINT \`c\` FOREIGN KEY (\`id\`) REFERENCES \`user\` (\`id\`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
LOCK TABLES \`monitor\` WRITE;
INSERT INTO \`monitor\` VALUES
(1,'It''s \\'one\\'\\n; \\\\ "two" ü 🚀',1.5e0,NULL,'x'),
(-2,_utf8mb4'b',0x41,'--no comment /* here */',NULL); # a comment; with 'quote
# the end
CREATE TABLE \`other\` (\`x\` int);
INSERT INTO \`other\` VALUES (1),(2);
${settings.replaceAll('`', '"')}`,
  )
  t.same(tables.monitor, [
    { id: 1, name: "It's 'one'\n; \\ \"two\" ü 🚀", timeout: 1.5, url: null },
    { id: -2, name: 'b', timeout: 65, url: '--no comment /* here */' },
  ])
  t.same(unknown, ['monitor.colour'])
})

t.test('rows alone are read if they name their columns', async (t) => {
  const rows =
    'INSERT INTO `monitor` (`id`, `name`) VALUES (1,"One");\nINSERT INTO `monitor` (`id`, `name`) VALUES (2,"Two");\n'
  const { tables } = await read(t, head + rows + settings)
  t.match(tables.monitor, [{ name: 'One' }, { name: 'Two' }])
  const bare = head + rows.replaceAll(' (`id`, `name`)', '')
  await t.rejects(read(t, bare), /without columns: dump it with --complete-insert/)
})

t.test('what is hostile, or cut off, is refused in one line, and in time', async (t) => {
  const monitor = 'CREATE TABLE `monitor` (`id` int, `name` text);\nINSERT INTO `monitor` VALUES '
  const cut = [
    [`${monitor}(1,'On`, /cut off/],
    [`${monitor}(1,'One`, /cut off/],
    [`${monitor}(1`, /cut off/],
    [`${monitor}(`, /cut off/],
    ['CREATE TABLE `monitor` (`id` int', /cut off/],
    [`${monitor}(1,'a','b');`, /rows of monitor without columns/],
    [`${monitor}(1,(SELECT 2));`, /cut off, or is no dump/],
    [`${'('.repeat(3_000_000)}`, /not of Uptime Kuma/],
    [`${"''".repeat(1_500_000)}`, /not of Uptime Kuma/],
    [`${'/*'.repeat(1_500_000)}`, /not of Uptime Kuma/],
    ['CREATE TABLE `monitor` (`a"b; DROP TABLE x` int, `id` int);', /not of Uptime Kuma/],
  ] as const
  for (const [text, words] of cut) await t.rejects(read(t, head + text), words, text.slice(0, 80))
})
