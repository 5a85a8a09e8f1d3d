// In which direction a language runs, and what stands in a row whose order means something.
export const isRightToLeft = (language: string) => language.startsWith('ar')

/** What something was and became: `viewer → admin`. The arrow points to the end of the line. */
export const changeText = (language: string, steps: readonly (string | number)[]) =>
  isRightToLeft(language)
    ? steps.map((step) => `\u2068${step}\u2069`).join(' ← ')
    : steps.join(' → ')
