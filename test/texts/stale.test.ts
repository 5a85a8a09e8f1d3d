// Translations that are older than their English text: `npm run texts` names them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { staleTexts } from '../../scripts/texts/stale-texts.ts'
import { readTextFiles } from '../../scripts/texts/text-files.ts'
import { skipWithout } from '../support/programs.ts'
import { testFolder } from '../support/test-folder.ts'

t.test(
  'a translation is stale from the change of its English text until it is changed itself',
  { skip: skipWithout('git') },
  async (t) => {
    const folder = testFolder(t)
    let second = 0
    const git = (...args: string[]) => {
      const date = `2026-01-01T00:00:${String(second++).padStart(2, '0')}Z`
      const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
      const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com']
      t.equal(spawnSync('git', [...who, ...args], { cwd: folder, env }).status, 0, args.join(' '))
    }
    const write = (language: string, save: string, open: string) => {
      mkdirSync(join(folder, language), { recursive: true })
      const texts = { buttons: { save, 'open "all"': open } }
      writeFileSync(join(folder, language, 'mail.json'), JSON.stringify(texts, null, 2))
      git('add', '--all')
      git('commit', '--quiet', '--message', language)
    }
    const stale = () => staleTexts(readTextFiles(folder), folder)
    git('init', '--quiet')
    write('en', 'Save', 'Open')
    write('da', 'Gem', 'Åbn')
    t.same(stale(), [])
    write('en', 'Save now', 'Open')
    t.same(stale(), ['da/mail.json: buttons.save is stale; in English: Save now'])
    write('da', 'Gem', 'Luk op')
    t.same(stale(), ['da/mail.json: buttons.save is stale; in English: Save now'])
    write('da', 'Gem nu', 'Luk op')
    t.same(stale(), [])
    write('en', 'Save it', 'Open it')
    t.same(stale(), [
      'da/mail.json: buttons.save is stale; in English: Save it',
      'da/mail.json: buttons.open "all" is stale; in English: Open it',
    ])
  },
)
