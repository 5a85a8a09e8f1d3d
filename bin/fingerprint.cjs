// What tells whether a bundle was made from the sources as they are: names, sizes and times of all
// files that it is made from. Plain JavaScript, because npm start reads it before anything else.
const { createHash } = require('node:crypto')
const { readdirSync, statSync } = require('node:fs')

const folders = [
  ...['src', 'scripts/build', 'scripts/console', 'scripts/guide'],
  ...['docs', 'config', 'systemd'],
]
const files = [
  ...['package.json', 'package-lock.json', 'scripts/relink-uws.ts'],
  ...['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'compose.yaml', 'test/README.md'],
]

/** The build and the type check write here, so the times say nothing. */
const made = [
  ...['src/console/built', 'src/console/generated', 'src/pages/guide/built'],
  'src/texts/generated',
]

/** Of the program in this folder: some ten milliseconds for a thousand files. */
exports.fingerprint = (root) => {
  let lines = ''
  const add = (path) => {
    const stat = statSync(`${root}/${path}`, { throwIfNoEntry: false })
    if (stat) lines += `${path}\0${stat.size}\0${stat.mtimeMs}\n`
  }
  const addFolder = (folder) => {
    for (const entry of entriesOf(`${root}/${folder}`)) {
      const path = `${folder}/${entry.name}`
      if (!entry.isDirectory()) add(path)
      else if (!made.includes(path)) addFolder(path)
    }
  }
  folders.forEach(addFolder)
  files.forEach(add)
  return createHash('sha256').update(lines).digest('hex')
}

/** A copy without sources of the build has no bundle either. */
function entriesOf(folder) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
