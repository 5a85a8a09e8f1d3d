// Colours as custom properties of CSS, in light and in dark.

const variablesOf = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')

/**
 * Rules that give custom properties their values: as the reader's system is set, unless the page has
 * chosen light or dark, which is a class of its root.
 */
export function inBothModes(
  inLight: Readonly<Record<string, string>>,
  inDark: Readonly<Record<string, string>>,
): string {
  const darkValues = variablesOf(inDark)
  return `:root{${variablesOf(inLight)}}
@media(prefers-color-scheme:dark){:root:not(.light){${darkValues}}}
@media not print{:root.dark{${darkValues}}}`
}
