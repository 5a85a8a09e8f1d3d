// The browser that takes the pictures: with one font, whatever the machine has besides.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { pathOf } from '../../test/support/programs.ts'

const font = 'Inter'
const fixedFont = 'DejaVu Sans Mono'
const fontFolder = '/usr/share/fonts/opentype/inter'

export async function startPictureBrowser(): Promise<Browser> {
  const executablePath = pathOf('chromium')
  if (executablePath === undefined || !existsSync(fontFolder)) {
    throw new Error('pictures need Chromium and a font: apt install chromium fonts-inter')
  }
  const file = join(mkdtempSync(join(tmpdir(), 'stillup-fonts-')), 'fonts.conf')
  const generic = { 'system-ui': font, 'sans-serif': font, sans: font, monospace: fixedFont }
  const families = Object.entries(generic).map(
    ([name, taken]) =>
      `<match target="pattern"><test name="family"><string>${name}</string></test>` +
      `<edit name="family" mode="assign" binding="strong"><string>${taken}</string></edit></match>`,
  )
  const dirs = '<dir>/usr/share/fonts</dir><cachedir prefix="xdg">fontconfig</cachedir>'
  writeFileSync(file, `<?xml version="1.0"?><fontconfig>${dirs}${families.join('')}</fontconfig>`)
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    env: { ...process.env, FONTCONFIG_FILE: file },
  })
}
