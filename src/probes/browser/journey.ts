// The actions of a check on the page, each within the time that is left, and why one did not work.
import type { Clock } from '../../base/clock.ts'
import {
  actionInWords,
  type BrowserAction,
  closeWord,
  hiddenWord,
} from '../../domain/browser/action.ts'
import { type Key, readKey } from '../../domain/browser/keys.ts'
import { readSelector, type Selector } from '../../domain/browser/selector.ts'
import { readPattern, readUrlPattern, type TextPattern } from '../../domain/browser/text-pattern.ts'
import { type Failure, failure, unknownFailure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { DevtoolsError } from './devtools.ts'
import { attachPage, type Page, type ToolAnswer, ToolError, type ToolOrder } from './page.ts'

/** A text of an action with the values of its placeholders. */
export interface WrittenText {
  readonly text: string
  readonly isSecret: boolean
}

export interface JourneyOptions {
  /** The tab that actions go on in. */
  readonly page: Page
  /** Goes on in another tab; without one, in that from which the last one was opened. False: there is none. */
  readonly goOn: (tab?: Page) => boolean
  readonly clock: Clock
  readonly untilMs: number
  /** The URL of the monitor, for relative ones. */
  readonly baseUrl: string
  readonly write: (action: BrowserAction) => Promise<WrittenText>
  /** Why a URL may not be opened, as a failure; undefined: it may. */
  readonly refusal: (url: string) => Failure | undefined
  /** Why the connection for a document failed, if it did. */
  readonly failureAt: (url: string) => Failure | undefined
  /** The browser, or its page, ended; undefined while it runs. */
  readonly ended: () => Failure | undefined
  readonly isOver: () => boolean
  /** Called after each action, with how long it took; the first is the opening of the page. */
  readonly done: (words: string, ms: number) => Promise<void>
}

const pollMs = 100

/** Opens the URL of the monitor, then does the actions. Throws a RunError that names the one that did not work. */
export async function makeJourney(
  actions: readonly BrowserAction[],
  options: JourneyOptions,
): Promise<void> {
  const first: BrowserAction = { action: 'open', selector: null, value: options.baseUrl }
  await perform(first, '', options)
  for (const [index, action] of actions.entries()) {
    await perform(action, `action ${index + 1}, ${actionInWords(action)}: `, options)
  }
}

async function perform(action: BrowserAction, place: string, options: JourneyOptions) {
  const { clock, ended, isOver } = options
  const sinceMs = clock.monoMs()
  try {
    await doAction(action, options)
    await options.done(actionInWords(action), clock.monoMs() - sinceMs)
  } catch (error) {
    const seconds = ((clock.monoMs() - sinceMs) / 1_000).toFixed(1)
    const found = ended() ?? failureOf(error, seconds)
    if (isOver() || found === undefined) throw error
    throw new RunError({ ...found, message: `${place}${found.message}` })
  }
}

/** Undefined: an error that is no failure of the page. */
function failureOf(error: unknown, seconds: string): Failure | undefined {
  if (error instanceof RunError) return error.failure
  if (error instanceof ToolError) return failure('assertion', 'the selector is not valid CSS')
  if (error instanceof InTheWay) {
    return failure('assertion', `${inTheWay[error.word] ?? inTheWay.nothing} within ${seconds} s`)
  }
  if (error instanceof DevtoolsError) {
    return failure('timeout', `the page did not respond within ${seconds} s`)
  }
  return undefined
}

class InTheWay extends Error {
  readonly word: string

  constructor(word: string) {
    super(word)
    this.word = word
  }
}

/** Why an action could not be done, by the word of the tools in the page. */
const inTheWay: Readonly<Record<string, string>> = {
  nothing: 'nothing matched',
  invisible: 'what matched did not become visible',
  stillThere: 'it was still there',
  otherText: 'the text did not appear',
  disabled: 'it was not enabled',
  moving: 'it did not stand still',
  covered: 'something else covered it',
  noList: 'it was not a list of options',
  noOption: 'it had no such option',
  noField: 'it was not a field for text',
  readOnly: 'it could not be written in',
  noValue: 'it did not take the value',
  otherCount: 'there was another number of them',
  otherState: 'it was in another state',
  otherUrl: 'the URL was another one',
  otherTitle: 'the title was another one',
  noTab: 'no new tab opened',
  noFrame: 'it was not a frame',
  noFiles: 'it was not a field for files',
}

async function doAction(action: BrowserAction, options: JourneyOptions): Promise<void> {
  const { page, write, baseUrl } = options
  const { text: value, isSecret } = await write(action)
  const selector = action.selector === null ? undefined : readSelector(action.selector)
  switch (action.action) {
    case 'open':
      return open(new URL(value, baseUrl).href, options)
    case 'click':
      return click(await until(selector, { need: 'click' }, options), page)
    case 'doubleClick':
      return click(await until(selector, { need: 'click' }, options), page, 2)
    case 'hover':
      return click(await until(selector, { need: 'hover' }, options), page, 0)
    case 'check':
    case 'uncheck':
      return check(selector, action.action === 'check', options)
    case 'fill':
      return fill(selector, { need: 'write', value, isSecret }, options)
    case 'press': {
      if (selector !== undefined) await until(selector, { need: 'focus' }, options)
      const key = readKey(value)
      if (key !== undefined) await press(page, key)
      return page.settle()
    }
    case 'select':
      await until(selector, { need: 'select', value }, options)
      return page.settle()
    case 'upload':
      await until(selector, { need: 'upload', value }, options)
      return page.settle()
    case 'popup':
      return value === closeWord ? closeTab(options) : enterTab(options)
    case 'wait':
      if (selector === undefined) return page.wait(Number(value))
      await until(selector, { need: value === hiddenWord ? 'hidden' : 'visible' }, options)
      return
    case 'expect':
      return expectText(selector, patternIn(action, value), options)
    case 'expectUrl':
      return expectOfPage('url', wholeUrl(patternIn(action, value), baseUrl), options)
    case 'expectTitle':
      return expectOfPage('title', patternIn(action, value), options)
    case 'expectCount':
      await until(selector, { need: 'count', value }, options)
      return
    case 'expectState':
      await until(selector, { need: 'state', value }, options)
      return
  }
}

async function enterTab(options: JourneyOptions): Promise<void> {
  const { page, untilMs, clock, ended, isOver } = options
  for (;;) {
    const opened = page.newTab()
    if (opened !== undefined) {
      const tab = await attachPage(opened)
      options.goOn(tab)
      await tab.place()
      return tab.settle()
    }
    const failed = ended()
    if (failed !== undefined) throw new RunError(failed)
    if (clock.monoMs() + pollMs >= untilMs || isOver()) throw new InTheWay('noTab')
    await page.wait(pollMs)
  }
}

async function closeTab(options: JourneyOptions): Promise<void> {
  const { page } = options
  if (!options.goOn()) throw new InTheWay('noTab')
  // It may have closed itself.
  await page.close().catch(() => {})
  return options.page.settle()
}

async function open(url: string, options: JourneyOptions): Promise<void> {
  const { page, refusal, failureAt } = options
  const refused = refusal(url)
  if (refused !== undefined) throw new RunError(refused)
  const { url: at, status, errorText } = await page.open(url)
  // A proxy answers in the place of what it could not reach.
  const unreached = failureAt(at)
  if (unreached !== undefined) throw new RunError(unreached)
  if (errorText !== undefined) throw new RunError(networkFailure(errorText))
  if (status !== undefined && status >= 400) {
    throw new RunError(failure('status', `the page answered with status ${status}`))
  }
}

/** By Chromium's name of the error. https://source.chromium.org/chromium/chromium/src/+/main:net/base/net_error_list.h */
function networkFailure(errorText: string): Failure {
  const [code = 'ERR_FAILED'] = /ERR_[A-Z0-9_]{1,60}/.exec(errorText) ?? []
  if (code.startsWith('ERR_CERT')) {
    return failure('tls', `the browser does not accept the certificate (${code})`)
  }
  if (/SSL|TLS/.test(code)) return failure('tls', `the TLS handshake failed (${code})`)
  if (/TIMED_OUT/.test(code)) return failure('timeout', `the page did not answer (${code})`)
  if (/TOO_MANY_REDIRECTS/.test(code)) {
    return failure('redirect_loop', 'the page redirects in a circle')
  }
  if (code === 'ERR_PROXY_CONNECTION_FAILED') {
    return unknownFailure('connect', 'the browser does not reach this program')
  }
  if (/CONNECTION|EMPTY_RESPONSE|TUNNEL/.test(code)) {
    return failure('reset', `the connection broke (${code})`)
  }
  if (/ABORTED|BLOCKED/.test(code)) {
    return failure('invalid_response', `the browser shows no page there (${code})`)
  }
  return failure('invalid_response', `the page could not be loaded (${code})`)
}

/** Asks again until what the order needs is there; throws what was in the way last. */
async function until(selector: Selector | undefined, order: ToolOrder, options: JourneyOptions) {
  if (selector === undefined) throw new InTheWay('nothing')
  return poll(() => options.page.act(selector, order), options)
}

/** A page that answered before, and then not for so long at the end, stands still. */
const standstillMs = 1_500

/** Looks until the word is a good one. Undefined: between two documents. */
async function poll(
  look: () => Promise<ToolAnswer | undefined>,
  { page, clock, untilMs, ended, isOver }: JourneyOptions,
): Promise<ToolAnswer> {
  let word: string | undefined
  for (;;) {
    const sinceMs = clock.monoMs()
    const found = await look().catch((error) => {
      const isCut = error instanceof DevtoolsError && clock.monoMs() - sinceMs < standstillMs
      if (isCut && word !== undefined && ended() === undefined) throw new InTheWay(word)
      throw error
    })
    word = found?.word ?? word
    if (found !== undefined && goodWords.has(found.word)) return found
    const failed = ended()
    if (failed !== undefined) throw new RunError(failed)
    if (clock.monoMs() + pollMs >= untilMs || isOver()) throw new InTheWay(word ?? 'nothing')
    await page.wait(pollMs)
  }
}

const goodWords: ReadonlySet<string> = new Set(['done', 'at', 'write'])

async function fill(selector: Selector | undefined, order: ToolOrder, options: JourneyOptions) {
  const { page } = options
  const { word } = await until(selector, order, options)
  if (word !== 'write') return
  // What is selected goes; with nothing to write, too.
  if (order.value === '') await press(page, deleteKey)
  else await page.send('Input.insertText', { text: order.value })
}

const deleteKey: Key = { key: 'Delete', code: 'Delete', keyCode: 46, modifiers: 0 }

/** The values of placeholders are texts, whatever signs they have. */
function patternIn({ action, value }: BrowserAction, written: string): TextPattern {
  const read = action === 'expectUrl' ? readUrlPattern : readPattern
  const { isExact, flags } = read(value ?? '')
  const isPlain = !isExact && flags === undefined
  return isPlain ? { text: written, isExact } : read(written)
}

/** The whole of a URL may be relative to that of the monitor. */
function wholeUrl(pattern: TextPattern, baseUrl: string): TextPattern {
  const url = pattern.isExact ? URL.parse(pattern.text, baseUrl) : null
  return url === null ? pattern : { ...pattern, text: url.href }
}

async function expectText(
  selector: Selector | undefined,
  pattern: TextPattern,
  options: JourneyOptions,
) {
  if (selector !== undefined) {
    const isAnyText = pattern.text === '' && !pattern.isExact
    await until(selector, isAnyText ? { need: 'visible' } : { need: 'text', pattern }, options)
    return
  }
  await say(`stillup.shows(${JSON.stringify(pattern)})`, 'otherText', options)
}

async function expectOfPage(
  what: 'url' | 'title',
  pattern: TextPattern,
  options: JourneyOptions,
): Promise<void> {
  const words = { url: 'otherUrl', title: 'otherTitle' } as const
  await say(`stillup.says('${what}', ${JSON.stringify(pattern)})`, words[what], options)
}

/** Asks again until the page says that it is so; throws the word otherwise. */
async function say(expression: string, otherwise: string, options: JourneyOptions): Promise<void> {
  await poll(async () => {
    const isSo = await options.page.evaluate(expression)
    return isSo === undefined ? undefined : { word: isSo === true ? 'done' : otherwise }
  }, options)
}

async function check(
  selector: Selector | undefined,
  value: boolean,
  options: JourneyOptions,
): Promise<void> {
  const found = await until(selector, { need: 'check', value }, options)
  if (found.word === 'done') return
  await click(found, options.page)
  const wanted = value ? 'checked' : 'unchecked'
  await until(selector, { need: 'state', value: wanted }, options)
}

/** Moves there, and clicks so many times. */
async function click({ x = 0, y = 0 }: ToolAnswer, page: Page, times = 1): Promise<void> {
  await page.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y })
  for (let clickCount = 1; clickCount <= times; clickCount += 1) {
    const at = { x, y, button: 'left', clickCount }
    await page.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...at })
    await page.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...at })
  }
  await page.settle()
}

async function press(page: Page, { key, code, keyCode, text, modifiers }: Key): Promise<void> {
  const shared = { key, code, modifiers, windowsVirtualKeyCode: keyCode }
  const typed = text === undefined ? {} : { text, unmodifiedText: text }
  const type = text === undefined ? 'rawKeyDown' : 'keyDown'
  await page.send('Input.dispatchKeyEvent', { type, ...shared, ...typed })
  await page.send('Input.dispatchKeyEvent', { type: 'keyUp', ...shared })
}
