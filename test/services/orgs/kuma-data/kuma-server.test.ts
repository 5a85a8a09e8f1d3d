// An Uptime Kuma that keeps its data in MariaDB is read from the server, as from a dump of it.
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openKumaDatabase } from '../../../../src/services/orgs/kuma-data/kuma-database.ts'
import { copyServer } from '../../../../src/services/orgs/kuma-data/kuma-server.ts'
import { skipWithoutMariadb, startMariadb } from '../../../support/servers/mariadb.ts'
import { testFolder } from '../../../support/test-folder.ts'

t.test('what is read of its tables comes over', { skip: skipWithoutMariadb }, async (t) => {
  const folder = testFolder(t)
  const { port, sql } = await startMariadb(t)
  sql(`USE shop;
    CREATE TABLE setting (id int, \`key\` varchar(200), value text);
    INSERT INTO setting VALUES (1, 'jwtSecret', '$2a$10$hidden');
    CREATE TABLE monitor (id int, name text, type text, active tinyint(1), \`interval\` int, url text,
      push_token varchar(32), created_date datetime, colour text);
    INSERT INTO monitor VALUES (7, 'Müller', 'http', 1, 60, 'https://example.com/', NULL, '2026-01-02 03:04:05', 'red');
    CREATE TABLE stat_daily (id int, monitor_id int, timestamp int, ping float, up int, down int);
    INSERT INTO stat_daily VALUES (1, 7, 1793404800, 12.5, 1439, 1);
    CREATE TABLE heartbeat (id int, monitor_id int, important tinyint(1), status int, msg text, time datetime(3));
    INSERT INTO heartbeat VALUES (1, 7, 1, 0, 'down', '2026-11-01 10:00:00.250'),
      (2, 7, 0, 0, 'again', '2026-11-01 10:01:00.000'), (3, 7, 0, 1, 'well', '2026-11-01 10:02:00.000');
    CREATE TABLE other (secret text)`)
  const at = () => join(mkdtempSync(join(folder, 'copy-')), 'kuma.db')
  const server = { host: '127.0.0.1', port, database: 'shop', user: 'ada', password: 's3cret' }
  {
    const path = at()
    await copyServer({ ...server, isTls: false }, path)
    const reader = openKumaDatabase({ path, isAlone: true })
    t.match(reader.tables().monitor, [
      { id: 7, name: 'Müller', active: 1, interval: 60, push_token: null },
    ])
    t.same(reader.unknown(), ['monitor.colour'])
    t.match(reader.rows('SELECT up, ping FROM stat_daily'), [{ up: 1_439, ping: 12.5 }])
    t.match(
      reader.rows('SELECT status, time FROM heartbeat ORDER BY time'),
      [
        { status: 0, time: '2026-11-01 10:00:00.250' },
        { status: 1, time: '2026-11-01 10:02:00.000' },
      ],
      'the changes of state, and the last beat',
    )
    t.match(reader.rows('SELECT created_date FROM monitor'), [
      { created_date: '2026-01-02 03:04:05' },
    ])
    reader.close()
  }
  const refused = (more: object, words: RegExp) =>
    t.rejects(copyServer({ ...server, isTls: false, ...more }, at()), {
      name: 'ForeignFileRefused',
      message: words,
    })
  await refused({ password: 'guessed' }, /^cannot be read: Access denied for user 'ada'/)
  await refused({ database: 'nothing' }, /^cannot be read: .*nothing/)
  await refused({ port: 9 }, /^cannot be read: connection refused/)
  await refused({ isTls: true }, /^cannot be read: .*certificate/i)
})
