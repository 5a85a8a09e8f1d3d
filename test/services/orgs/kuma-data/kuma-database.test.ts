// A database that says that it is Uptime Kuma's is read, whatever else is in it; nothing of it runs.
import { copyFileSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { openKumaDatabase } from '../../../../src/services/orgs/kuma-data/kuma-database.ts'
import { type KumaVersion, makeKuma } from '../../../support/kuma-database.ts'
import { shopOfKuma } from '../../../support/kuma-shop.ts'
import { testFolder } from '../../../support/test-folder.ts'

const folders = testFolder(t)
const newFolder = () => mkdtempSync(join(folders, 'folder-'))

/** The file of a database that `sql` was done to. */
function kumaWith(sql: string, version: KumaVersion = '2.5'): string {
  const path = join(newFolder(), 'kuma.db')
  makeKuma(path, version, shopOfKuma)
  const database = new DatabaseSync(path)
  database.enableDefensive(false)
  database.exec(`PRAGMA journal_mode = DELETE; PRAGMA writable_schema = ON; ${sql}`)
  database.close()
  return path
}

function read(path: string) {
  const reader = openKumaDatabase({ path, isAlone: true })
  try {
    return { tables: reader.tables(), unknown: reader.unknown() }
  } finally {
    reader.close()
  }
}

t.test('the tables of both versions are read, without what is secret of people', (t) => {
  for (const version of ['1.23', '2.5'] as const) {
    const { tables, unknown } = read(kumaWith('', version))
    t.match(tables.monitor, [{ name: 'Production' }, { name: 'Shop' }, { name: 'Backup' }])
    t.notMatch(JSON.stringify(tables.user), /hidden/, 'no password')
    t.same(unknown, [])
    t.notOk('heartbeat' in tables, 'what is long is read in parts')
  }
  t.end()
})

t.test('what a newer version has besides is named', (t) => {
  const sql = 'ALTER TABLE monitor ADD COLUMN colour TEXT; CREATE TABLE oncall (id INTEGER)'
  t.same(read(kumaWith(sql)).unknown, ['oncall', 'monitor.colour'])
  t.end()
})

t.test('something in place of a table is refused by its name', (t) => {
  const made = [
    ['DROP TABLE tag; CREATE VIEW tag AS SELECT 1 AS id, 2 AS name, 3 AS color', /table tag/],
    ['DROP TABLE tag; CREATE VIRTUAL TABLE tag USING fts5(id, name, color)', /table tag/],
    [
      "UPDATE sqlite_schema SET sql = 'CREATE VIEW tag AS SELECT 1 AS id' WHERE name = 'tag'",
      /table tag|damaged|malformed/,
    ],
    ['ALTER TABLE tag ADD COLUMN x AS (id + 1)', /column tag\.x/],
    ['DROP TABLE monitor', /not of Uptime Kuma/],
  ] as const
  for (const [sql, words] of made) t.throws(() => read(kumaWith(sql)), words, sql)
  t.end()
})

t.test('triggers and indexes with expressions do not run', (t) => {
  const { tables } = read(
    kumaWith(
      `CREATE TRIGGER t AFTER INSERT ON monitor BEGIN SELECT load_extension('x'); END;
       CREATE INDEX i ON monitor (abs(id)); CREATE VIEW v AS SELECT * FROM monitor, monitor, monitor`,
    ),
  )
  t.equal(tables.monitor?.length, 3)
  t.end()
})

t.test('no query of another kind is possible', (t) => {
  const reader = openKumaDatabase({
    path: kumaWith('CREATE VIEW v AS SELECT id FROM user'),
    isAlone: true,
  })
  t.teardown(() => reader.close())
  const queries = [
    'DELETE FROM monitor',
    "ATTACH '/etc/passwd' AS other",
    'SELECT id FROM v',
    "SELECT readfile('/etc/passwd')",
    'SELECT randomblob(1000000000)',
    'PRAGMA writable_schema = ON',
    'CREATE TEMP TABLE x (y)',
    'SELECT * FROM pragma_database_list',
  ]
  for (const query of queries)
    t.throws(() => reader.rows(query), { name: 'ForeignFileRefused' }, query)
  t.end()
})

t.test('a file that is cut, changed or none is refused in one line', (t) => {
  const whole = kumaWith('')
  const size = readFileSync(whole).length
  const changed = (name: string, change: (path: string) => void) => {
    const path = join(newFolder(), name)
    copyFileSync(whole, path)
    change(path)
    return path
  }
  const files = [
    changed('cut', (path) => truncateSync(path, size / 2)),
    changed('head', (path) => truncateSync(path, 600)),
    changed('encrypted', (path) => writeFileSync(path, Buffer.alloc(size, 0x99))),
    changed('zeros', (path) => writeFileSync(path, Buffer.alloc(size))),
    changed('noise', (path) => {
      const bytes = readFileSync(path)
      for (let at = 4_096; at < bytes.length; at += 7) bytes[at] = (at * 31) % 256
      writeFileSync(path, bytes)
    }),
  ]
  for (const path of files) {
    t.throws(() => read(path), { name: 'ForeignFileRefused', message: /^[^\n]{10,200}$/ }, path)
  }
  t.end()
})

t.test('a table of too many rows is refused', (t) => {
  const sql = `WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 100020)
    INSERT INTO tag (id, name) SELECT i, 'x' FROM n`
  t.throws(() => read(kumaWith(sql)), /at most 100000 rows in its table tag/)
  t.end()
})
