// Text in HTML and XML: characters that would be read as markup are written as entities.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** The text for content and quoted attributes of any markup. `characters`: the ones to escape. */
export function escapedMarkup(text: string, characters = /[&<>"']/g): string {
  return text.replace(characters, (char) => entities[char] ?? char)
}
