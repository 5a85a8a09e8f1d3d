// The database of Uptime Kuma is found in a file, a folder or an archive; the original stays as it is.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { openKumaDatabase } from '../../../../src/services/orgs/kuma-data/kuma-database.ts'
import {
  kumaFileKind,
  readableFile,
  scratchBytesOf,
} from '../../../../src/services/orgs/kuma-data/kuma-files.ts'
import { makeKuma } from '../../../support/kuma-database.ts'
import { shopOfKuma } from '../../../support/kuma-shop.ts'
import { testFolder } from '../../../support/test-folder.ts'

const folders = testFolder(t)
const newFolder = () => mkdtempSync(join(folders, 'folder-'))

/** The monitors in what is at a path, and what was made to read them. */
async function monitorsAt(path: string) {
  const scratch = newFolder()
  const reader = openKumaDatabase(await readableFile(path, scratch))
  try {
    const count = reader.tables().monitor?.length
    return {
      count,
      made: readdirSync(scratch)
        .filter((name) => !name.endsWith('-shm'))
        .sort(),
    }
  } finally {
    reader.close()
  }
}

function databaseIn(folder: string, isOpen = false) {
  mkdirSync(folder, { recursive: true })
  const kuma = makeKuma(join(folder, 'kuma.db'), '2.5', shopOfKuma, isOpen)
  return { path: join(folder, 'kuma.db'), kuma }
}

/** A file, as a block of tar. */
function tarFile(name: string, content: Buffer, type = '0'): Buffer {
  const header = Buffer.alloc(512)
  header.write(name.slice(0, 100), 0)
  header.write(content.length.toString(8).padStart(11, '0'), 124)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)])
}

const tarEnd = Buffer.alloc(1_024)

/** A zip of one file, or of more. */
function zipOf(files: readonly (readonly [string, Buffer])[], isStored = false): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let at = 0
  for (const [name, content] of files) {
    const packed = isStored ? content : deflateRawSync(content)
    const fields = (start: number, bytes: number) => {
      const header = Buffer.alloc(bytes)
      header.writeUInt16LE(isStored ? 0 : 8, start + 4)
      header.writeUInt32LE(crc32(content), start + 10)
      header.writeUInt32LE(packed.length, start + 14)
      header.writeUInt32LE(content.length, start + 18)
      header.writeUInt16LE(name.length, start + 22)
      return header
    }
    const local = fields(4, 30)
    local.write('PK\x03\x04', 0, 'latin1')
    const central = fields(6, 46)
    central.write('PK\x01\x02', 0, 'latin1')
    central.writeUInt32LE(at, 42)
    parts.push(local, Buffer.from(name), packed)
    list.push(central, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, directory, end])
}

t.test('a database that nobody writes is read where it is', async (t) => {
  const folder = newFolder()
  const { path } = databaseIn(folder)
  for (const named of [path, folder]) {
    t.same(await monitorsAt(named), { count: 3, made: [] })
    t.same(readdirSync(folder), ['kuma.db'], 'nothing is made beside it')
  }
})

t.test('of a Kuma that runs, the newest changes are read too, of a copy', async (t) => {
  const folder = newFolder()
  const { path, kuma } = databaseIn(folder, true)
  t.teardown(() => kuma.close())
  const before = readdirSync(folder)
  const content = readFileSync(`${path}-wal`)
  t.same(await monitorsAt(path), { count: 3, made: ['kuma.db', 'kuma.db-wal'] })
  t.same(readdirSync(folder), before)
  t.same(readFileSync(`${path}-wal`), content)
})

t.test('an archive of the data is read, whatever folders are in it', async (t) => {
  const folder = newFolder()
  const { path, kuma } = databaseIn(join(folder, 'data'), true)
  const [database, log] = [readFileSync(path), readFileSync(`${path}-wal`)]
  kuma.close()
  const whole = readFileSync(path)
  const long = `${'a/'.repeat(120)}kuma.db`
  const tar = Buffer.concat([
    tarFile('./data/', Buffer.alloc(0), '5'),
    tarFile('./data/upload/x.png', Buffer.alloc(700)),
    tarFile('./data/kuma.db-wal', log),
    tarFile('./data/kuma.db', database),
    tarEnd,
  ])
  const longTar = Buffer.concat([
    tarFile('././@LongLink', Buffer.from(`${long}\0`), 'L'),
    tarFile(long, whole),
    tarEnd,
  ])
  const pax = `${long.length + 10} path=${long}\n`
  const archives = [
    ['data.tar', tar, 2],
    ['data.tar.gz', gzipSync(tar), 2],
    [
      // What is beside another database is not of this one.
      'others.tar',
      Buffer.concat([tarFile('old/kuma.db-wal', log), tarFile('data/kuma.db', whole), tarEnd]),
      1,
    ],
    ['long.tar', longTar, 1],
    [
      'pax.tgz',
      gzipSync(Buffer.concat([tarFile('x', Buffer.from(pax), 'x'), tarFile(long, whole)])),
      1,
    ],
    ['kuma.db.gz', gzipSync(whole), 1],
    [
      'data.zip',
      zipOf([
        ['data/kuma.db-wal', log],
        ['data/', Buffer.alloc(0)],
        ['data/kuma.db', database],
      ]),
      2,
    ],
    [
      'stored.zip',
      zipOf(
        [
          ['__MACOSX/._kuma.db', whole],
          ['kuma.db', whole],
        ],
        true,
      ),
      1,
    ],
  ] as const
  for (const [name, content, files] of archives) {
    writeFileSync(join(folder, name), content)
    const { count, made } = await monitorsAt(join(folder, name))
    t.same({ count, files: made.length }, { count: 3, files }, name)
  }
})

t.test('what is hostile, cut or something else is refused in one line', async (t) => {
  const folder = newFolder()
  const { path } = databaseIn(folder)
  const whole = readFileSync(path)
  const zip = zipOf([['kuma.db', whole]])
  const encrypted = Buffer.from(zip)
  encrypted[zip.length - 22 - 7 - 46 + 8] = 1
  const link = tarFile('kuma.db', Buffer.from('/etc/passwd'), '2')
  const files = [
    ['zeros', Buffer.alloc(10_000), /no database of SQLite/],
    ['empty', Buffer.alloc(0), /no database of SQLite/],
    ['text', Buffer.from('monitors: []'), /no database of SQLite/],
    [
      'bomb.gz',
      gzipSync(Buffer.concat([tarFile('a', Buffer.alloc(64 * 1024 ** 2)), tarEnd])),
      /unpacks to more/,
    ],
    ['zeros.gz', gzipSync(Buffer.alloc(64 * 1024 ** 2)), /no file kuma\.db/],
    ['bomb.zip', zipOf([['kuma.db', Buffer.alloc(64 * 1024 ** 2)]]), /unpacks to more/],
    ['cut.gz', gzipSync(tarFile('kuma.db', whole)).subarray(0, 5_000), /cut off/],
    ['cut.tar', tarFile('kuma.db', whole).subarray(0, 5_000), /cut off/],
    ['cut.zip', zip.subarray(0, zip.length - 30), /cut off/],
    ['encrypted.zip', encrypted, /encrypted/],
    ['link.tar', Buffer.concat([link, tarEnd]), /no file kuma\.db/],
    [
      'twice.tar',
      Buffer.concat([tarFile('kuma.db', whole), tarFile('b/kuma.db', whole)]),
      /more than one/,
    ],
    [
      'huge.tar',
      Buffer.concat([tarFile('kuma.db', whole).fill('7', 124, 135), tarEnd]),
      /tar, or damaged|cut off/,
    ],
  ] as const
  for (const [name, content, words] of files) {
    writeFileSync(join(folder, name), content)
    await t.rejects(readableFile(join(folder, name), newFolder()), words, name)
  }
  copyFileSync(path, join(folder, 'changing.db'))
  writeFileSync(join(folder, 'changing.db-journal'), 'x')
  await t.rejects(readableFile(join(folder, 'changing.db'), newFolder()), /unfinished change/)
})

t.test('nobody waits for a pipe that is in place of a file', async (t) => {
  for (const name of ['kuma.db', 'kuma.db-wal']) {
    const folder = newFolder()
    if (name !== 'kuma.db') databaseIn(folder)
    execFileSync('mkfifo', [join(folder, name)])
    await t.rejects(readableFile(folder, newFolder()), {
      message: `has no file in place of ${name}`,
    })
  }
})

t.test('a folder without a database says where the data is', async (t) => {
  const folder = newFolder()
  await t.rejects(readableFile(folder, folder), /has no kuma\.db$/)
  writeFileSync(join(folder, 'db-config.json'), '{"type":"embedded-mariadb"}')
  await t.rejects(readableFile(folder, folder), /keeps its data in MariaDB/)
})

t.test('what would not fit is refused before it is unpacked', async (t) => {
  const folder = newFolder()
  const head = Buffer.alloc(512)
  head.write('SQLite format 3\0', 'latin1')
  head.writeUInt16BE(1, 16)
  head.writeUInt32BE(0xff_ff_ff_ff, 28)
  const path = join(folder, 'kuma.db.gz')
  writeFileSync(path, gzipSync(Buffer.concat([head, Buffer.alloc(4_096)])))
  const scratch = newFolder()
  await t.rejects(readableFile(path, scratch), /needs .+ for its copy in the folder of TMPDIR/)
  t.same(readdirSync(scratch), [])
})

t.test('no more is written than was reserved, whatever an archive or a dump says', async (t) => {
  const folder = newFolder()
  const { path } = databaseIn(folder)
  const whole = readFileSync(path)
  const liar = zipOf([['kuma.db', whole]])
  // The size that the list of the archive names.
  liar.writeUInt32LE(1, liar.length - 22 - 7 - 46 + 24)
  const rows = Array.from({ length: 20_000 }, (_, id) => `(${id},'x','y')`)
  const dump = `-- MariaDB dump 10\nINSERT INTO \`setting\` (\`id\`,\`key\`,\`value\`) VALUES ${rows.join()};\n`
  const files = [
    ['kuma.zip', zipOf([['kuma.db', whole]])],
    ['liar.zip', liar],
    ['kuma.tar', Buffer.concat([tarFile('kuma.db', whole), tarEnd])],
    ['dump.sql', Buffer.from(dump)],
  ] as const
  for (const [name, content] of files) {
    const file = join(folder, name)
    writeFileSync(file, content)
    const most = scratchBytesOf((await kumaFileKind(file)) ?? null, content.length)
    const scratch = newFolder()
    await t.resolves(readableFile(file, scratch, most), name)
    const written = statSync(join(scratch, 'kuma.db')).size
    t.ok(written <= most, name)
    const small = Math.floor(written / 2)
    const tight = newFolder()
    const words = /needs \d+ KiB for its copy, more than there is space for/
    await t.rejects(readableFile(file, tight, small), words, name)
    const left = readdirSync(tight).map((one) => statSync(join(tight, one)).size)
    t.ok((left[0] ?? 0) <= small, name)
  }
})
