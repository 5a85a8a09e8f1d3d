// Browsers in words: enough of a User-Agent for people to recognize their own device.
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'

// Each browser also names the browsers after it, so the order matters.
const browsers: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

/** `Firefox on Linux`, `curl`, `an unknown browser`: never text that the caller chose. */
export function browserInWords(userAgent: string, language: Language): string {
  const named = (list: typeof browsers) => list.find(([mark]) => mark.test(userAgent))?.[1]
  const browser = named(browsers)
  const system = named(systems)
  const texts = textsOf('browser', language)
  if (browser === undefined) return /^curl\//.test(userAgent) ? 'curl' : texts.unknownBrowser
  return system === undefined ? browser : texts.browserOn({ browser, system })
}
