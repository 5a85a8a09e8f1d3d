// Punctuation between texts that are put together outside of them, as each language sets it.

export interface Marks {
  /** Between two sentences. */
  readonly gap: string
  /** At the end of a sentence. */
  readonly stop: string
  /** Between a name and its value. */
  readonly colon: string
  /** Between the items of a list. */
  readonly comma: string
}

const usual: Marks = { gap: ' ', stop: '.', colon: ': ', comma: ', ' }

const others: Readonly<Record<string, Partial<Marks>>> = {
  ar: { comma: '، ' },
  fr: { colon: '\u00a0: ' },
  ja: { gap: '', stop: '。', comma: '、' },
  zh: { gap: '', stop: '。', colon: '：', comma: '、' },
}

export const marksOf = (language: string): Marks => ({ ...usual, ...others[language] })
