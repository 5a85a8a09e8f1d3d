// Translations that are older than their English text, by the history of the files in Git: a file has
// a text on each line.
import { spawnSync } from 'node:child_process'
import { folder, type TextFile } from './text-files.ts'

/**
 * A line for each of them. A copy without history has none. `from` is the folder of the languages.
 */
export function staleTexts(files: readonly TextFile[], from = folder): string[] {
  return files
    .filter(({ language }) => language === 'en')
    .flatMap(({ area, texts }) => {
      const english = changedAt(from, `en/${area}.json`)
      return files
        .filter((file) => file.area === area && file.language !== 'en')
        .flatMap(({ language }) => {
          const own = changedAt(from, `${language}/${area}.json`)
          const stale = [...texts].filter(
            ([path]) => (own.get(path) ?? 0) < (english.get(path) ?? 0),
          )
          return stale.map(
            ([path, text]) => `${language}/${area}.json: ${path} is stale; in English: ${text}`,
          )
        })
    })
}

/** When each text got the words that it has. */
function changedAt(from: string, path: string): ReadonlyMap<string, number> {
  const args = ['blame', '--line-porcelain', path]
  // A file that is not committed yet makes no output.
  const { stdout } = spawnSync('git', args, { cwd: from, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const found = new Map<string, number>()
  const groups: string[] = []
  let atS = 0
  for (const line of stdout.split('\n')) {
    const time = /^committer-time (\d+)/.exec(line)?.[1]
    if (time !== undefined) atS = Number(time)
    const [, quoted, value] = /^\t\s*("(?:[^"\\]|\\.)+"): (.)/.exec(line) ?? []
    const name: string | undefined = quoted && JSON.parse(quoted)
    if (name && value === '{') groups.push(name)
    else if (name) found.set([...groups, name].join('.'), atS)
    else if (/^\t\s*\}/.test(line)) groups.pop()
  }
  return found
}
